// 同じ所に、違う幅で触れる
#include "../array.cuh"

// 1 バイトずつ書き、バリアの後で 4 バイトずつ読む
__global__ void bytesThenWords(unsigned char* b, unsigned* u) {
    b[blockIdx.x * 256 + threadIdx.x] = (unsigned char)threadIdx.x;
    __syncthreads();
    if (threadIdx.x < 64) u[blockIdx.x * 64 + threadIdx.x] = ((unsigned*)b)[blockIdx.x * 64 + threadIdx.x];
}

// 共有メモリに 1 バイトずつ書き、4 バイトずつ読み、また 1 バイトずつ書く
__global__ void inShared(unsigned* u) {
    __shared__ __align__(16) unsigned char smem[256];
    for (int k = 0; k < 2; k++) {
        smem[threadIdx.x] = (unsigned char)threadIdx.x;
        __syncthreads();
        if (threadIdx.x < 64) u[blockIdx.x * 64 + threadIdx.x] = ((unsigned*)smem)[threadIdx.x];
        __syncthreads();
    }
}

// 4 バイトで書いた人の次に、別の人が 1 バイトずつ書く
__global__ void wordsThenBytes(unsigned* u, unsigned char* b) {
    if (threadIdx.x < 64) u[threadIdx.x] = 0;
    __syncthreads();
    ((unsigned char*)u)[threadIdx.x] = 1;
    __syncthreads();
    b[threadIdx.x] = ((unsigned char*)u)[255 - threadIdx.x];
}

// 8 バイトで書き、バリアの後で 4 バイトずつ読む
__global__ void doublesAndWords(double* d, int* out) {
    d[threadIdx.x] = threadIdx.x;
    __syncthreads();
    out[threadIdx.x] = ((int*)d)[2 * (63 - threadIdx.x) + 1];
}

// 4 バイトの半分ずつに、隣のスレッドが書く
__global__ void halvesOfAWord(short* h) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    h[i] = short(i);
    h[i] += 1;
}

// 隣のバイトに、別のブロックが書く
__global__ void neighbouringBytes(unsigned char* b) { b[threadIdx.x * gridDim.x + blockIdx.x] = 1; }

// 行ごとに memcpy し、バリアの後で他の人の行を読む
__global__ void memcpyRows(int* x, int* out, int n) {
    __shared__ int rows[32][8];
    memcpy(rows[threadIdx.x], x + threadIdx.x * n, n * sizeof(int));
    __syncthreads();
    out[threadIdx.x] = rows[31 - threadIdx.x][0];
}

// カーネルの中で memset し、memcpy する (長さは実行時に決まる)
__global__ void memsetThenMemcpy(unsigned char* b, unsigned char* c, int n) {
    unsigned char* mine = b + threadIdx.x * 8;
    memset(mine, int(threadIdx.x), n);
    memcpy(c + threadIdx.x * 8, mine, n);
    unsigned char* made = new unsigned char[16];
    memset(made, 0, 16);
    c[threadIdx.x * 8] += made[5];
    delete[] made;
}

// メンバの間の空きも、丸ごと写すと読む
struct Spaced {
    char tag;
    double value;
};
__global__ void spaced(double* d) {
    __shared__ Spaced smem[64];
    smem[threadIdx.x].tag = 'a', smem[threadIdx.x].value = d[threadIdx.x];
    __syncthreads();
    const Spaced s = smem[63 - threadIdx.x];
    d[threadIdx.x] = s.value + s.tag;
}

int main() {
    ARRAY(unsigned char, b, 4096, 0);
    ARRAY(unsigned char, c, 4096, 0);
    ARRAY(unsigned, u, 4096, 0);
    ARRAY(short, h, 4096, 0);
    ARRAY(double, d, 4096, 0);
    ARRAY(int, x, 4096, 0);
    ARRAY(int, out, 4096, 0);
    bytesThenWords<<<2, 256>>>(b, u);
    inShared<<<3, 256>>>(u);
    wordsThenBytes<<<1, 256>>>(u, b);
    doublesAndWords<<<1, 64>>>(d, out);
    halvesOfAWord<<<4, 63>>>(h);
    neighbouringBytes<<<4, 64>>>(b);
    memcpyRows<<<1, 32>>>(x, out, 5);
    memsetThenMemcpy<<<1, 64>>>(b, c, 5);
    spaced<<<1, 64>>>(d);
}
