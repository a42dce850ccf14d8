// 終わらないループと再帰
#include "../array.cuh"

// endless-shuffle: 0 になっても終わらない段を、シャッフルで回る
// 期待: 終わらないループ
// 期待: 同じ状態に戻り続けている
// 期待: cudaErrorLaunchTimeout
__global__ void shuffles(int* out) {
    int v = threadIdx.x;
    for (int stride = 16; stride >= 0; stride /= 2) v += __shfl_down_sync(~0u, v, stride);  // ここ
    out[threadIdx.x] = v;
}

// endless-host: もう終わったカーネルが印を立てるのを、ホストが回り続けて待つ
// 期待: 終わらないループ: ホストのコード
// 期待: 値を変える者がいない
__global__ void late(int* flag) {
    if (threadIdx.x == 32) *flag = 1;
}
static void waitOnHost() {
    int* flag;
    CHECK(cudaMallocManaged(&flag, sizeof(int)));
    *flag = 0;
    late<<<1, 32>>>(flag);
    CHECK(cudaDeviceSynchronize());
    volatile int* p = flag;
    while (*p == 0) {  // ここ
    }
    CHECK(cudaFree(flag));
}

// endless-loop: i を進め忘れた while
// 期待: 終わらないループ
// 期待: ループか再帰を回り続けている
// 期待: cudaErrorLaunchTimeout
__global__ void loop(const int* in, volatile unsigned* out, int n) {
    int i = threadIdx.x;
    while (i < n) *out = *out + 1 + in[i];  // ここ
}

// endless-nanosleep: 誰も立てない印を、__nanosleep() で休みながら待つ
// 期待: 終わらないループ
// 期待: 同じ状態に戻り続けている
// 期待: cudaErrorLaunchTimeout
__global__ void nanosleep(int* lock) {
    while (atomicCAS(lock, 0, 1) != 0) {  // 鍵を返さない
        __nanosleep(100);  // ここ
    }
    __threadfence();
}

// endless-poll: 誰も変えない値を、アトミック演算で見続ける
// 期待: 終わらないループ
// 期待: cudaErrorLaunchTimeout
__global__ void poll(int* flag) {
    while (atomicAdd(flag, 0) == int(threadIdx.x >= 1)) {  // ここ
    }
}

// endless-recursion-on-host: 終わる条件のない再帰を、ホストがする
// 期待: ホストのコードが、スタックを使い切った: 再帰が深すぎる
static int depthOnHost(int k) {
    volatile int path[10];
    path[0] = k;
    return depthOnHost(k + 1) + path[0];  // ここ
}

// endless-recursion: 終わる条件に届く前に、スタックを使い切る再帰
// 期待: スタック
// 期待: 再帰をやめる
// 期待: cudaErrorIllegalAddress
__device__ int depth(const int* p, int k) {
    int path[256];
    for (int i = 0; i < 8; i++) path[i] = p[i] + k;
    return k < 0 ? path[0] : depth(path, k + 1) + path[k % 8];  // ここ
}
__global__ void recursion(int* out) { *out = depth(out, 1); }

// endless-step: 段を半分にするはずが、s >> 1 の結果を捨てている: バリアを回り、共有メモリだけが変わり続ける
// 期待: 終わらないループ
// 期待: 同じ状態に戻り続けている
// 期待: cudaErrorLaunchTimeout
__global__ void step(int* out) {
    __shared__ unsigned smem[64];
    smem[threadIdx.x] = threadIdx.x;
    __syncthreads();
    for (unsigned s = blockDim.x / 2; s > 0; (void)(s >> 1)) {
        if (threadIdx.x < s) smem[threadIdx.x] += smem[threadIdx.x + s];
        __syncthreads();  // ここ
    }
    if (threadIdx.x == 0) *out = smem[0];
}

// endless-two-blocks: どのブロックも、同じブロックの他のスレッドを回り続けて待つ
// 期待: ホストか、後で起動したカーネルを待っているなら
// 期待: 終わらないループ
// 期待: のスレッド 0 が 4 秒たっても進まない
// 期待: 変わるのを待っている
// 期待: cudaErrorLaunchTimeout
__global__ void twoBlocks(volatile int* flag) {
    if (threadIdx.x == 0)
        while (flag[blockIdx.x] == 0) {  // ここ
        }
    if (threadIdx.x == 1) flag[blockIdx.x] = 1;
}

// wait-later-block: ブロック 0 が、後の番号のブロックを待つ
// 期待: 終わらないループ
// 期待: 別のブロックを待っているなら
// 期待: cudaErrorLaunchTimeout
__global__ void laterBlock(volatile int* flag) {
    if (blockIdx.x + 1 < gridDim.x)
        while (flag[blockIdx.x + 1] == 0) {  // ここ
        }
    flag[blockIdx.x] = 1;
}

// wait-later-block-counting: 見た回数を数えながら、後の番号のブロックを待つ
// 期待: 終わらないループ
// 期待: 別のブロックを待っているなら
__global__ void countedWait(volatile int* flag) {
    int looks = 1;
    if (blockIdx.x + 1 < gridDim.x)
        while (flag[blockIdx.x + 1] == 0) looks++;  // ここ
    flag[blockIdx.x] = looks;
}

int main(int, char** argv) {
    ARRAY(int, flag, 100, 0);
    ARRAY(int, out, 64, 0);
    CASE("endless-shuffle") shuffles<<<1, 64>>>(out);
    CASE("endless-host") waitOnHost();
    CASE("endless-loop") loop<<<1, 1>>>(flag, (unsigned*)out, 100);
    CASE("endless-nanosleep") nanosleep<<<2, 64>>>(flag);
    CASE("endless-poll") poll<<<1, 32>>>(flag);
    CASE("endless-recursion-on-host") printf("%d\n", depthOnHost(1));
    CASE("endless-recursion") recursion<<<1, 1>>>(out);
    CASE("endless-step") step<<<1, 64>>>(out);
    CASE("endless-two-blocks") twoBlocks<<<8, 32>>>(flag);
    CASE("wait-later-block") laterBlock<<<100, 1>>>(flag);
    CASE("wait-later-block-counting") countedWait<<<100, 1>>>(flag);
}
