// 手引きにある形の行列: 行、列、行の間隔
typedef struct {
    int width;
    int height;
    int stride;
    float *elements;
} Matrix;
#define BLOCK_SIZE 16
