// カーネルの中で new したものを、delete しないまま取り続ける。返しながらなら、何度でも取れる
#include "array.cuh"

struct Node {
    Node* next;
    int value;
};
__global__ void returned(Node** out) {
    for (int k = 0; k < 1000000; k++) {
        *out = new Node{nullptr, k};
        delete *out;
    }
}
__global__ void kept(Node** out) {
    for (int k = 0; *out || k == 0; k++) {
        Node* const node = new Node{*out, k};  // ここ
        *out = node;
    }
}

int main() {
    ARRAY(Node*, out, 1, 0);
    returned<<<1, 1>>>(out);
    CHECK(cudaMemset(out, 0, sizeof(Node*)));
    kept<<<1, 1>>>(out);
}
