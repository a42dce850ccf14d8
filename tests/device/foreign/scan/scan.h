#ifndef SCAN_H
#define SCAN_H
#ifdef __cplusplus
extern "C" {
#endif
void prescanArray(int *output, const int *input, int n);
#ifdef __cplusplus
}
#endif
#endif
