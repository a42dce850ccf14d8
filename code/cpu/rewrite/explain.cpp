// explain.cpp: コンパイラとリンカの言う警告と、初めの誤りを、読者のファイルの行と、日本語の 1 文にする。ページでも同じ
//   rewrite --explain 記録
//     → work/my.cu:12: 文の終わりの ; がない     表になければ、コンパイラの言葉も添える。言うことがなければ、1 で終わる
#include <algorithm>
#include <cstring>
#include <fstream>
#include <map>
#include <sstream>

#include "rewrite.h"

namespace {
struct Row {
    // * と ~ は何でも、^ は、次が大文字であること。k 番目の * に合ったものは $k。| はどれか。
    // @ は宣言のない名前 (それが $1)。上のものほど先に試す
    const char *pattern, *sentence;
};
// 綴りを確かめる名前。大文字と小文字、_ の数は問わない
const char kNames[] =
    "__global__ __device__ __host__ __shared__ __constant__ __restrict__ __syncthreads __syncwarp __threadfence dim3 "
    "threadIdx blockIdx blockDim gridDim warpSize atomicAdd atomicMax atomicMin atomicCAS cudaSuccess cudaError_t "
    "cudaMalloc cudaMallocManaged cudaFree cudaMemcpy cudaMemcpyAsync cudaMemset cudaMemcpyHostToDevice cudaStream_t "
    "cudaMemcpyDeviceToHost cudaMemcpyDeviceToDevice cudaMemcpyToSymbol cudaMemcpyFromSymbol cudaDeviceSynchronize "
    "cudaGetLastError cudaGetErrorString cudaStreamCreate cudaStreamSynchronize cudaEvent_t cudaEventCreate "
    "__managed__ cudaEventRecord cudaEventSynchronize cudaEventElapsedTime cudaDeviceProp cudaGetDeviceProperties "
    "__launch_bounds__ __shfl_sync __shfl_up_sync __shfl_down_sync __shfl_xor_sync printf";
// 引数が合わないときに言う形
const char kForms[] =
    " cudaMalloc(&p, バイト数) cudaMallocManaged(&p, バイト数) cudaMemcpy(先, 元, バイト数, 向き) "
    "cudaMemcpyAsync(先, 元, バイト数, 向き, ストリーム) cudaMemset(所, 1 バイトの値, バイト数) cudaFree(p) "
    "cudaMemcpyToSymbol(変数, 元, バイト数) cudaMemcpyFromSymbol(先, 変数, バイト数) cudaDeviceSynchronize() "
    "cudaStreamCreate(&s) cudaStreamSynchronize(s) cudaEventCreate(&e) cudaEventRecord(e, ストリーム) "
    "cudaEventSynchronize(e) cudaEventElapsedTime(&ミリ秒, 始め, 終わり) cudaGetDeviceProperties(&p, 装置の番号) "
    "cudaGetDeviceCount(&n) atomicAdd(&x, 足す値) atomicCAS(&x, 今の値, 書く値) atomicExch(&x, 書く値) "
    "__shfl_sync(マスク, 値, 相手のレーン) __ballot_sync(マスク, 条件) ";
// C++ の語。読者は、初めの字を大文字にすることがある
const char kWords[] =
    "if else for while do return switch case break continue void bool char int long unsigned float double const "
    "constexpr static static_assert struct class typename using namespace main include define sizeof ";
const char kNear[] = "$1 という名前はない: $2 の書き誤りか、宣言がない";
const char kRare[] =
    "$1 という名前はない: 綴りを確かめる。まれに使うものは CPU デバイスにはない: 使わずに書くか、GPU で動かす";
const char kSeldom[] =
    "cuda*|__*|CUDART_*|norm*d*|rnorm*|rhypot*|rcbrt*|erf*inv*|normcdf*|*sinpi*|cospi*|mulhi|umulhi|mul24|umul24";
const char kTexture[] = "テクスチャとサーフェスは CPU デバイスにはない: 普通の配列と __ldg() で読むか、GPU で動かす";
const char kUnknown[] =
    "$1 という名前はない: 綴り、要る #include、使う所より前の、同じ { } の中で、型から宣言したかを確かめる";
const char kCount[] = "引数の数が合わない: 関数の宣言と比べる";
const char kNoType[] = "型がない: 変数や引数や関数の名前の前に、1 つずつ型を書く";
const char kEnd[] = "文の終わりの ; がない", kMiddle[] = "文の途中に、; か演算子が足りないか、余分な語がある";
const char kFixed[] =
    "ここには (static や __device__ の初めの値にも) コンパイルのときに決まる値を書く: 数か、constexpr の変数である";
const char kMain[] = "main は int の関数である: int main() か int main(int argc, char** argv) と書く";
const char kAbsent[] =
    "'*' was not declared *|use of undeclared identifier '*'*|'*' has not been declared*|'*' does not name a*|"
    "unknown type name '*'*|no template named '*'*|'*' is not a member of 'std'*|no ~ named '*' in namespace 'std'*|"
    "call to function '*' that *|variable or field '*' declared void*";
// 宣言のない名前を、g++ と clang++ がどう言うか
const Row rows[] = {
    {"@tex*D*|surf*D*|texture|surface|cuda*Tex*|cuda*Surf*|cuda*Array*|cuda*Channel*|cudaRes*e*|cuda*Mode*", kTexture},
    {"@cu^*|CUdevice*|CUcontext|CUmodule|CUfunction|curand*|cublas*|cufft*|cusparse*|cusolver*|nvrtc*|thrust|cub",
     "ドライバ API (cu…) とライブラリは CPU デバイスにはない: cuda… の関数と自分のカーネルで書くか、GPU で動かす"},
    {"@*HtoD|*DtoH|*H2D|*D2H|HostTo*|DeviceTo*", "$1 はない: 向きは、cudaMemcpyHostToDevice か cudaMemcpyDeviceToHost"},
    {"@atomicSum|atomicPlus|print*|Print*", "$1 はない: 足すのは atomicAdd、書くのは printf(\"%g\\n\", x) である"},
    {"@atomicMul*|atomicDiv*", "$1 はない: 掛け算は、atomicCAS で、書けるまでやり直す"},
    {"@concept|requires|consteval|constinit|co_return|co_yield|co_await|span|jthread|bit_cast",
     "$1 は C++20 のものである: 使わずに書くか、STD=20 を付けて作る"},
    {"@__syncthreads|__syncwarp|__launch_bounds__", "$1 の後ろの () がない: __launch_bounds__ なら (256) と書く"},
    {"@cudaThread*|cudaDeviceSync|cudaSynchronize", "$1 はない: cudaDeviceSynchronize と書く (Exit は …Reset)"},
    {"@CUDA_SAFE_CALL|CUT_*|cutil*|cut^*|*CudaError|gpu^*|sdk^*|StopWatch*|HANDLE_ERROR|*CHECK*|*heck*",
     "$1 は CUDA のものではない: 後ろの ( ) か、それを決めた #define か #include がない。要らなければ外す"},
    {"@then|boolean|pass|lambda|np|self|func|console|float*|*int32|*int64|longlong|str|len|length|let|var|def|function",
     "$1 は、ほかの言語の語である: C++ では、変数も関数も、int か float などの型から書く。個数は引数で渡す"},
    {"@cout|cerr|cin|endl", "std::$1 と書く。#include <iostream> も要る"},
    {"@sort|fill|copy|swap|reverse|*_element|transform|accumulate|iota",
     "std::$1 と書く。<algorithm> か <numeric> も要る"},
    {"@INT_M*|UINT_MAX|LONG_M*|LLONG_M*|FLT_*|DBL_*", "$1 には #include <cfloat> (整数なら <climits>) が要る"},
    {"@half|half2|__half*|__float2half*|__h*2|*bfloat16*", "$1 には #include <cuda_fp16.h> か <cuda_bf16.h> が要る"},
    {"@vector|string|array|map|set|deque|tuple|thread|random|chrono", "std::$1 と書き、#include <$1> を足す"},
    {"@__shfl*|__ballot|__any|__all",
     "ワープの関数は、名前の終わりに _sync を付け、1 つ目の引数に、加わるレーンのマスク (全員なら 0xffffffff) を書く"},
    {"@get_global_*|get_local_*|get_group_*|__local|__global|__kernel|barrier|CLK_*|hip^*|omp_*|thread_position_*|"
     "threadgroup*",
     "$1 は OpenCL や HIP などの名前である: threadIdx、__shared__、__syncthreads() のような、CUDA の名前で書く"},
    {"@elif|elseif|elsif", "$1 はない: else if と書く"},
    {"@null|Null|None|nil|True|False|TRUE|FALSE", "$1 はない: nullptr、true、false か、数の 0 を書く"},
    {"@T|U", "$1 という型はない: 関数の頭のすぐ前に、template <class $1> と書く"},
    {"'begin' was not declared *|invalid range expression *|use of undeclared identifier 'begin'",
     "for ( : ) の行なら、右に書けるのは、配列か、要素の並びである: n 回数えるなら for (int k = 0; k < n; k++) と書く"},
    {"static assertion ~: *|~is unavailable: *|~unavailable function '~': *|~with attribute error: *", "$1"},
    {"non-constant condition for static*|*variably modified type*|static assertion expression is not *|"
     "invalid application of 'sizeof' to *incomplete type *[]*",
     "共有メモリの配列の大きさは、コンパイルのときに決まる定数にする: 動かすときに決めるなら "
     "extern __shared__ 型 名前[]; と書き、<<< >>> の 3 つ目にバイト数を渡す"},
    {"*'void(*binary 'operator<<'*|*function type>' and *|invalid operands to binary expression ('void (*",
     "起動の < と > の数が違う: <<<ブロックの数, スレッドの数>>> と、3 つずつ書く"},
    {"* to ~'dim3'*|no matching * 'dim3'|no matching * 'dim3::dim3*|too many initializers for 'dim3'",
     "dim3 は、3 つまでの整数で作る: dim3 g(x, y, z)"},
    {"*'uint3'*|no match for call to '(uint3*|*'dim3'*",
     "threadIdx、blockIdx、blockDim、gridDim と、dim3 の変数は、3 つの数の組である: 後ろに .x (か .y、.z) を付ける"},
    {"*'launch(*|*'launchTyped(*|*call to 'launch*'*",
     "<<< >>> の中が合わない: <<<ブロックの数, スレッドの数>>>。3 つ目は共有メモリのバイト数、4 つ目はストリーム"},
    {"*allocateAs*|*firstArgument*|'cudaMalloc' was not *|use of undeclared identifier 'cudaMalloc'",
     "cudaMalloc、cudaMallocManaged に渡すのは、先に宣言したポインタ (float *p, *q;) のアドレス &p と、バイト数である"},
    {"*cpu::same<*|no ~ call to 'atomic*|operand type '*' is incompatible *|address argument to atomic *",
     "アトミック演算の引数が合わない: 1 つ目は書く所のアドレス (&x か p + i)、2 つ目は同じ型の値"},
    {"no matching function for call to 'shfl*",
     "シャッフルの引数が合わない: 1 つ目は加わるレーンのマスク (全員なら 0xffffffff)、2 つ目は渡す値、3 つ目は相手"},
    {"passing * as 'this' argument discards *|'this' argument to member function * but function is not *",
     "const の付いたものから呼べるのは、const の付いた関数である: 関数の ( ) の後ろに const を付ける"},
    {"class template placeholder *|use of class template *|invalid use of template-name *|missing template argument*",
     "テンプレートの型には、< > の中も書く: Array<T> や Array<int>"},
    {"invalid conversion from 'const *' to '*'|binding reference *discards *|*drops 'const' qualifier*",
     "型が合わない: const の付いたものを、const のない型で受けている。受ける方にも付けるか、元の const を外す"},
    {"'*' is not a ~'coop*|no ~ '*' in n~'coop*|'*' is not a ~'cg'*",
     "cg の $1 はない: 綴りを確かめ、#include <cooperative_groups/reduce.h> か、scan.h、memcpy_async.h を足す"},
    {"'*' is not a ~'cuda*|no ~ '*' in n~'cuda*", kRare},
    {"'*' is not a member of '*'*|no ~ named '*' in ~'*'*", "$2 に $1 という名前はない: 綴りと #include を確かめる"},
    {"@*", kUnknown},
    {"initializer in range-based *|expected ';' in 'for' statement *|expected ';' before ')' token",
     "for の ( ) の中は、2 つの ; で区切る: for (int k = 0; k < n; k++)"},
    {"expected parentheses around type name *|expected '(' for function-style cast *|unexpected type name *",
     "値を書く所に、型の名前がある: 型は書かないか、sizeof(型) のように ( ) で囲む"},
    {"expected initializer before '==*|invalid '==' at end of declaration*", "値を入れるのは = 1 つである"},
    {"expected ';'*|expected *';'* before *|expected initializer before *", kEnd},
    {"unable to find numeric ~\"\"f'*|unable to find numeric ~\"\"d'*|"
     "invalid digit 'f' in dec*|invalid digit 'd' in dec*",
     "整数に f や d は付かない: 小数は 2.0f (double なら 2.0) と書く"},
    {"expected unqualified-id before numeric constant|unable to find numeric literal *|invalid suffix *|"
     "too many decimal points *|invalid digit * in octal *|no matching literal *",
     "数の書き方が違う: 桁を , で区切れず (1,000 は 1000)、初めの 0 は 8 進数で、名前は数字から始められない"},
    {"expected '}'*|expected unqualified-id*|expected declaration*|expected constructor*|expected parameter declarator|"
     "extraneous closing brace*",
     "ここには書けない: 関数の外に文があるか、これより前の ; や { } が、余っているか足りない"},
    {"expected ')'*|unexpected ';' *|expected ',' or '...' *|variable has incomplete type 'void'|non-member function *",
     "( ) の中か前に、余分な語か ; があるか、, か演算子が足りない: "
     "綴りを確かめる (__restrict__、__launch_bounds__ など)"},
    {"expected ']'*|declaration of ~ as multidim*|array has incomplete element *|two consecutive *|an attribute list *",
     "[ ] の中に書けるのは、1 つの式である: 2 次元の配列は t[8][8]、1 次元なら a[i * n + j] と書く"},
    {"expected '(' after '*|expected '(' before *|expected identifier before '('*|expected identifier",
     "if や while の後ろの条件は、全体を ( ) で囲む: if ((…) && (…)) と書く"},
    {"expected '*'*|missing terminating * character", "$1 がない: 括弧や記号の対応を確かめる"},
    {"no match for call to '(std::*|* cannot be used as a f*|called object *|type * call operator",
     "関数ではないもの (同じ名前の変数など) の後ろに ( ) がある: 配列の要素は [ ] で、掛け算は * で書く"},
    {"ISO C++ forbids declar*|*a type specifier *|invalid parameter name*|expected identifier before '*' token",
     kNoType},
    {"two or more data types *|cannot combine with *|new types may *|'*' specified with *|'float' cannot *|'* float' *",
     "型が 2 つある: 前の struct や enum の } の後ろの ; がないか、型の名前が余っている"},
    {"*main' ~must *|cannot declare '::main'*|*main* declared as a variable*|variable named 'main'*", kMain},
    {"macro * arg*|too * arguments *|requires * arg*|allows *|expects ~ p*", kCount},
    {"undeclared ~ destr*|expected type-*|expected a type|expected ~class*", "ここには型の名前が要る (~ は、その前)"},
    {"incompatible types in assign*|invalid array a*|array type * is not a*|array ~must be *|initializer fails*",
     "配列は、まとめて写せない: 要素ごとに代入する。初めの値は { } で書く"},
    {"unterminated comment|unterminated /* comment", "この行の /* を閉じる */ がない"},
    {"expected primary-expression*|expected expression*|'else' without *|* not name a template but *",
     "ここには式が要る: 前の記号が余っているか、値を書き忘れている。else の前なら、対になる if がない"},
    {"*function*definition is not allowed here*", "関数の中に関数は書けない: 外に出す。これより前の } も確かめる"},
    {"unterminated #*|unterminated conditional *|#* without #if", "#if と #endif の数が合わない"},
    {"reference to '*' is a*", "$1 という名前が 2 つある: using namespace std; をやめて std:: と書くか、名前を変える"},
    {"invalid preprocessing directive*", "# で始まる行の綴りが違う。注釈なら // と書く"},
    {"*expect* \"FILENAME\" or*", "#include の後ろは、<名前> か \"名前\" と書く"},
    {"no matching ~ call to '*<~>(*|no matching ~ call to '*(*|no matching ~ call to '*'*|no matching constr~ of '*'|"
     "no match for call to '(*) (~|~call to object of type '*'~|'this' argument has type '*'~",
     "$1 を、この引数では呼べない: 引数の数、型、順番、< > の中、( ) の後ろの const を確かめる (make_float2 など)"},
    {"invalid type argument of unary '*' *|indirection requires pointer *|~'delete'*|cannot delete *",
     "前に * を付けられるのは、ポインタである: 要素は p[i] で、2 乗は x * x と書く"},
    {"need 'typename' before '*::*'*|missing 'typename' prior ~'*::*'*|'*::*' is not a type",
     "型の名前の前に typename が要る: typename $1::$2"},
    {"'*' is not captured|variable '*' cannot be implicitly captured *", "$1 が [ ] の中にない: [=] か [$1] と書く"},
    {"label '*' used but not defined|use of undeclared label '*'", "goto の行き先の $1: がない"},
    {"switch quantity not an integer|statement requires expression of int*", "switch の ( ) の中は、整数にする"},
    {"'*' is not a class*|~namespace~name~|~':' in nested*", "その名前空間はない: 綴り、#include、. と :: を確かめる"},
    {"storage class specified for parameter *|invalid storage class specifier in function declarator",
     "引数に __shared__ や static は付けられない: 普通のポインタで受け取る"},
    {"extended character *|unexpected character *|character <U+* not allowed in an identifier",
     "文字列と注釈の外に、半角でない記号がある: 半角の , . * / - <= >= != などで書く"},
    {"~break~ statement not *|~continue~ statement not *",
     "break と continue は、ループの中でだけ使える (break は switch の中でも): スレッドを終えるなら return"},
    {"uninitialized 'const *|default init*const type *|* as reference but *|declaration ~ no init*|*requires an init*",
     "const と auto の変数、参照には、宣言する所で値を入れる"},
    {"jump to *|cannot jump from *", "変数の宣言を飛び越している: case の中を { } で囲むか、宣言を goto より前に出す"},
    {"structured binding *|decomposition *|brackets are *|expected variable name *|expected identifier before num*|"
     "expected body of lambda *",
     "配列の大きさは名前の後ろの [ ] に、初めの値は { } に書く: int v[3] = {1, 2, 3}"},
    {"too many initializers *|scalar object * requires one *|excess elements *|expression list *",
     "初めの値が、入る所より多い"},
    {"narrowing ~ of '-*' ~ 'size_t'|*array with a negative size", "配列の大きさは、1 以上の整数にする"},
    {"narrowing ~ from '*' to '*'|type '*' cannot be narrowed to '*' *|~narrowed from type '*' to '*'*",
     "{ } の中では、$1 は $2 に変わらない: 型をそろえるか、( ) で書く"},
    {"*declared 'auto'|*array of 'auto'*|'auto' not *|unable to deduce *|*'auto[*", "ここに auto は使えない: 型を書く"},
    {"call of overloaded '*(*|call to '*' is a*", "$1 の引数の型が混ざっている: max(1.0f, x) のように、型をそろえる"},
    {"*constant expression*|call to non-'constexpr' *|*does not have a constant init*", kFixed},
    {"cannot pass ~object*", "クラスの値は printf に渡せない: std::string なら .c_str() を付ける"},
    {"*oper*'const char*|comparison *'const char*", "文字列は、つなげも比べもできない: printf(\"%g\", x) のように書く"},
    {"cast from '*' to '*' loses *|*on between pointer *", "ポインタは、数ではない: 指す所の値は、*p か p[i] と書く"},
    {"'*' is private within *|'*' is a private member *", "$1 は class の外から使えない: public: の後ろに置く"},
    {"invalid use of void *|~ type 'void'~|argument may not have 'void' *|void value not *|~'void' and *|"
     "return-statement with a value, *|void function ~ not return a value*",
     "void の関数 (カーネルも) は、値を返さない: 結果は引数の指す所に書き、起動はマクロで囲まない (void** の * も)"},
    {"invalid conversion from 'void*' to *|cannot initialize ~ of type 'void*'|assigning to ~ type 'void*'",
     "void* は、C と違って、ほかのポインタになるときに型が要る: (float*)malloc(…) のように書く"},
    {"~'std::vector<~>' to '*'*", "std::vector の中身は .data() である: カーネルには cudaMalloc した所を渡す"},
    {"cannot resolve overloaded function '*'*|reference to non-static member *|invalid use of *member function *|"
     "cannot convert '*::*' from type '*(*|base of member reference is a func*|request for member '*' in ~ type '*(*)'|"
     "~ '*(*)()' to '*'~|~ '* ()'~",
     "関数の後ろの ( ) がない: v.size() のように呼ぶ。変数なら、宣言の後ろに空の ( ) は付けない"},
    {"lvalue required as unary *|cannot take the addr*|~cannot bind *|expects an l*",
     "& と参照は、変数か要素にだけ使える: 計算した値なら、先に変数に入れるか、const を付ける"},
    {"~conver~ from ~'*' to ~'*'~|~convert ~'*' to ~'*'~|~e '*') to ~'*'~|~'*' is n~ to '*'~|~cast~ from ~'*' to ~'*'~",
     "型が合わない: $1 を $2 にはできない。引数の順番、& や * の付け忘れを確かめる"},
    {"~argument ('*') would lose const *", "型が合わない: $1 は、書き換える引数には渡せない"},
    {"cannot initialize ~ '*' with an ~'*'*|~assigning to '*' from ~'*'*|incompatible ~ initializing '*' with ~'*'*",
     "型が合わない: $2 を $1 にはできない。引数の順番、& や * の付け忘れを確かめる"},
    {"*of read-only *|cannot assign to *const*|read-only variable *",
     "const のものは書き換えられない (比べるなら = ではなく ==)"},
    {"request for member '*', which is of pointer *|member reference type '*' is *|base operand of '->' has *",
     ". と -> が逆である: ポインタのメンバは p->x、ほかのもののメンバは v.x と書く"},
    {"request for member *|member reference base type *",
     "メンバのあるものではない: . の前を確かめる (配列とポインタは長さを知らない: 個数は引数で渡す)"},
    {"conflicting *|*redefinition *|redeclaration of *|* shadows a parameter*|duplicate case value*",
     "同じ名前 (か case の値) が、もうある: どちらかを消すか、別の名前にする"},
    {"invalid types '*[float]'*|invalid types '*[double]'*|array subscript is not *", "[ ] の中の番号は、整数にする"},
    {"no match for 'operator[]*|type '*' does not provide a subscript operator|subscripted value *|invalid types '*",
     "[ ] は、配列かポインタに付ける: float* は 1 次元なので p[y * w + x]、float4 などの要素は .x .y .z .w"},
    {"no match for 'operator*|invalid operands *|no viable overloaded *|no 'operator*|cannot *crement *|*to unary *",
     "この型では計算できない: ポインタなら要素 p[i] を書く (% と & と ^ は整数だけ: 余りは fmodf、べき乗 powf)"},
    {"expression is not assign*|lvalue required as left*", "= の左には、変数か、配列の要素を書く (比べるなら ==)"},
    {"cuda/*: No *|'cuda/*' file *|cooperative_groups/*: No *|'cooperative_groups/*' file *",
     "libcu++ と cooperative_groups の、このヘッダは CPU デバイスにはない: 使わずに書くか、GPU で動かす"},
    {"'bits/*' file not found", "#include <bits/$1> は g++ だけのものである: 要る見出し (<vector> など) を取り込む"},
    {"*: No such file or directory|'*' file not found*",
     "#include の $1 が見つからない: 綴りと、置いた所 (INCLUDE=フォルダ で言う) を確かめる。要らなければ外す"},
    {"undefined reference to `main'*|*undefined symbol: *main", "main がない: プログラムは int main() から始まる"},
    {"undefined reference to `*'*|~undefined symbol: *",
     "$1 の中身がない: 宣言だけで、どのファイルにも { } がない。綴りと引数の型も確かめる"},
    {"*incomplete type*", "中身の分からない型である: その struct を先に書くか、ポインタにする"},
    {"*conver*|*cast*|*incompatible*|operands to *",
     "型が合わない: 値と、変数や引数の型を比べ、& や * の付け忘れを確かめる"},
    {"*argument*|*parameter*", "引数が合わない: 関数やカーネルの宣言と、数、型、順番、< > の中を比べる"},
    {"*expected *|*initializ*|*declar*|*keyword*|*specifi*|*invalid*|*can*|*only *",
     "書き方が違う: 型、名前、[大きさ] か = 値、; の順と、前の ; と { } を確かめる"}};
const char kComma[] =
    ", で並べた値は、最後のものだけになる: 添字は a[i][j] か a[i * n + j]、dim3 は dim3 b(x, y) と書く";
const char kQuote[] = "' ' で囲めるのは 1 文字である: 文字列は \" \" で囲む";
// 警告のうち、言うもの。文が空なら言わない: long と long long は、どちらも 64 ビットである
const Row warnings[] = {
    {"format * type 'long*', but ~long*|format * type 'size_t*', but ~long*|format specifies ~long* but ~long*", ""},
    {"division 'sizeof *|'sizeof * will return the size of the pointer*|~sizeof~ on array function parameter *",
     "ポインタの sizeof から、要素の数は分からない: 個数は引数で渡す"},
    {"format * expects * has type 'std::~::size_type'*", "書式と値の型が合わない: 個数 (.size()) は %zu と書く"},
    {"format * expects * has type 'std::*", "クラスの値は printf に渡せない: std::string なら .c_str() を付ける"},
    {"format * expects argument of type *|format specifies type *",
     "書式と値の型が合わない: int は %d、float と double は %f、long long は %lld、size_t は %zu、文字列は %s "
     "(scanf は、&x を受け取り、double は %lf)"},
    {"format * expects a matching *|more '%' conversions than *|too many arguments for format|data argument not used *",
     "書式の % の数と、渡した値の数が違う"},
    {"*operand of comma operator has no effect|top-level comma expression *", kComma},
    {"statement has no effect|*expression has no effect|value computed *|expression result unused*|*result unused",
     "求めた値を使っていない: 変数に入れるなら = や +=、返すなら return、関数を呼ぶなら後ろに ( ) と書く"},
    {"no return statement *|control reaches end of non-void *|non-void function does not return *",
     "値を返す関数が、return せずに終わることがある: 呼んだ側に渡る値は決まらない"},
    {"~ local variable '*' returned|~ stack memory associated with *|function returns address of local variable*",
     "関数の終わりで消える変数を返している: 番地や参照ではなく値を返すか、置く所を引数で受け取る"},
    {"division by zero*|remainder by zero*", "0 で割っている"},
    {"*shift count >= width of type", "ずらす数が、型のビットの数以上である: 1ull << 32 のように、64 ビットの型にする"},
    {"overflow in conversion from *|implicit conversion from * changes value from *",
     "値が、変数の型に入らない: 大きな整数なら long long、小数なら float にする"},
    {"* argument of 'int main(*|ISO C++ forbids declaration of 'main' with no type", kMain},
    {"integer overflow in expression *|overflow in expression; *", "int に入らない: 1ll * a * b のように計算する"},
    {"suggest parentheses around assignment *|using the result of an assignment as a condition *",
     "( ) の中の = は、比べるのではなく代入である: 比べるなら == と書く"},
    {"comparisons like ~ do not have *|chained comparison *", "a < b < c とは比べられない: a < b && b < c と書く"},
    {"multi-character character constant|character constant too long *", kQuote}};
using Strings = std::vector<std::string>;

bool fits(const char* pattern, const std::string& text, size_t at, Strings& found) {
    for (; *pattern && *pattern != '*' && *pattern != '~'; pattern++)
        if (*pattern == '^' ? !isupper(text[at]) : text[at++] != *pattern) return false;  // 終わりの次は '\0'
    if (!*pattern) return at == text.size();
    for (size_t end = at; end <= text.size(); end++) {
        const size_t known = found.size();
        if (*pattern == '*') found.push_back(text.substr(at, end - at));
        if (fits(pattern + 1, text, end, found)) return true;
        found.resize(known);
    }
    return false;
}
bool fitsAny(const char* patterns, const std::string& text, Strings& found) {
    std::istringstream all(patterns);
    for (std::string one; found.clear(), std::getline(all, one, '|');)
        if (fits(one.c_str(), text, 0, found)) return true;
    return false;
}
// most 字までを入れるか、除くか、変えると、同じになるか
bool near(const char* a, const char* b, int most) {
    while (*a && *a == *b) a++, b++;
    if (!*a || !*b) return int(strlen(a) + strlen(b)) <= most;
    if (most > 0 && *a == b[1] && a[1] == *b && near(a + 2, b + 2, most - 1)) return true;  // 入れ替わった 2 字
    return most > 0 && (near(a + 1, b + 1, most - 1) || near(a + 1, b, most - 1) || near(a, b + 1, most - 1));
}
// 名前に近いもの: コンパイラが言うか (said)、kNames のもの。なければ空。cudaMemcpy3D のような別の名前は、数字で分かる
std::string nearest(const std::string& name, const std::string& said) {
    const auto plain = [](const std::string& s) {
        std::string all;
        for (char c : s) all += c == '_' ? "" : std::string(1, char(tolower(c)));
        return all;
    };
    Strings none, hint;
    if (fitsAny("cu^*|__global|__kernel|atomicSum|print*", name, none)) return "";  // 別のもの: ドライバ API や OpenCL
    const int limit = plain(name).size() < 6 || name.find("atomic") == 0 ? 1 : 2;
    if (fitsAny("~; did you mean '*'*", said, hint) && hint[0].find_first_of("234") > hint[0].size() &&
        (hint[0].find("::") < hint[0].size() || plain(hint[0])[0] == plain(name)[0]) &&
        ((hint[0].find("std::") && hint[0].find("cpu::") && fitsAny(("~::" + name).c_str(), hint[0], none)) ||
         near(plain(name).data(), plain(hint[0]).data(), name.size() < 5 || fitsAny(kSeldom, name, none) ? 0 : limit)))
        return hint[0];
    for (int most = 0; most <= limit; most++) {
        std::istringstream all(most == 1 && name.size() > 3 ? std::string(kWords) + kNames : kNames);
        for (std::string one; all >> one;)
            if (name != one && (name.find_first_of("23") > name.size() || one == "dim3") &&
                (near(plain(name).c_str(), plain(one).c_str(), most) || one == name + "hronize"))
                return one;
    }
    return "";
}
bool listed(const std::string& s) { return (std::string(" ") + kWords + kNames + " ").find(" " + s + " ") + 1; }
struct Place {
    std::string file, text;
    int line = 0, column = 0;
    // 読者のもの。コンパイラと CPU デバイスの見出しではない
    bool own() const {
        return line > 0 && file.find("cpu/include/") == std::string::npos && file.compare(0, 9, "/usr/incl") != 0 &&
               file.compare(0, 8, "/usr/lib") != 0;
    }
};
// work/my.cu:12:5: error: 文
Place placeOf(const std::string& line) {
    Place p;
    size_t from = std::min(line.find(".cu"), line.find(':'));
    while ((from = line.find(':', from)) != std::string::npos && !isdigit(line[from + 1])) from++;
    if (from == std::string::npos) return p;
    p.file = line.substr(0, from);
    sscanf(line.c_str() + from, ":%d:%d", &p.line, &p.column);
    return p;
}
// 行の途中か: 前にも後ろにも、字句がある
bool inMiddle(const Place& at) {
    std::ifstream in(at.file);
    std::string text;
    for (int k = 0; k < at.line; k++) std::getline(in, text);
    const size_t left = text.find_first_not_of(" \t"), column = size_t(std::max(at.column - 1, 0));
    const size_t right = text.find_first_not_of(" \t\r:", column);
    return left < column && text[left] != '_' && right < text.size() && !strchr("/})", text[right]);
}
}  // namespace

// 括弧の合わない所。なければ tokens.size()
size_t unbalanced(const Source& s, std::string& sentence) {
    std::vector<size_t> open;
    const auto first = [&](size_t i) {  // その行の頭の、空白の数。行の途中なら -1
        const size_t before = i - 1;
        if (s.tokens[before].kind != Token::blank) return -1;
        const size_t k = s[before].rfind('\n');
        return k == std::string::npos ? -1 : int(s[before].size() - k);
    };
    const auto indent = [&](size_t i) {  // i のある文の行の頭の
        i = s.tokens[i].statement;
        while (i > 1 && first(i) < 0) i--;
        return i > 1 ? first(i) : 1;
    };
    size_t suspect = s.size(), extra = s.size(), head = s.size();  // 字下げの合わない { と }、{ のない関数の頭
    size_t cut = s.size();  // 括弧を閉じずに終わる #define の終わり
    int depth = 0;
    for (size_t i = 1; i < s.size(); i++) {
        const Token& t = s.tokens[i];
        if (t.kind == Token::directive && t.text.find("#el") == 0) return s.size();  // どちらかだけがコンパイルされる
        if (t.kind == Token::string && (t.text.back() == '\n' || t.text.size() == 1))
            return sentence = "文字列の終わりの引用符がない", i;
        if ((t.kind == Token::string && t.text.size() == 2 && s[i + 1][0] == t.text[0]) ||
            (!t.inDefine && (t.text == "#" || t.text == "`" || t.text == "@" || t.text == "\\")) ||
            (t.text == "*" && s[i + 1] == "/") ||
            (t.statement == i &&
             (strchr("<%", t.text[0]) || (strchr(t.scope ? ".~" : ".~*", t.text[0]) && s[i + 1] == t.text))))
            return sentence = t.text + " は、ここには書けない: 消すか、注釈は // で、文字列は \" \" で書く", i;
        if (t.inDefine && !s.tokens[i - 1].inDefine) depth = 0;
        if (t.inDefine) depth += (t.text == "{" || t.text == "(") - (t.text == "}" || t.text == ")");
        if (depth > 0 && t.inDefine && !s.tokens[i + 1].inDefine) cut = i;
        if (t.kind != Token::symbol || t.inDefine || t.text.size() != 1) continue;
        if (t.text == "(" || t.text == "[" || t.text == "{") open.push_back(i);
        const char* const mate = t.text == ")" ? "(" : t.text == "]" ? "[" : t.text == "}" ? "{" : nullptr;
        if (!mate) continue;
        if (open.empty() && cut < i)
            return sentence = "#define の続きを次の行に書くなら、この行の終わりに \\ を置く", cut;
        if (open.empty() && head < i) return sentence = "関数の頭の ( ) の後ろに { がない", head;
        if (open.empty())
            return sentence = t.text + " が余っている: 前に、" + mate + " の忘れもないか確かめる", std::min(i, extra);
        if (s[open.back()] != mate) {
            const size_t wrong = s[open.back()] == "{" ? i : open.back();
            return sentence = s[wrong] + " の相手がない: 括弧の対応を確かめる", wrong;
        }
        if (*mate == '{' && suspect == s.size() && first(i) > 0 && first(i) < indent(open.back()))
            suspect = open.back();
        if (*mate == '{' && first(i) > indent(open.back())) extra = std::min(extra, i);
        const size_t name = s.previous(open.back()), after = s.next(i), type = s.previous(name);
        open.pop_back();
        if (*mate == '(' && open.empty() && (s.word(after) || s[after] == ":") && s[after] != "noexcept" &&
            s[after][0] != '_' && s.word(name) && (kTypes.count(s[type]) || s[type] == "void" || s[type] == "def"))
            head = i;
    }
    if (open.empty()) return s.size();
    for (const size_t k : open)
        if (s[k] != "{") return sentence = s[k] + " の相手がない: 括弧の対応を確かめる", k;
    sentence = "この行の { を閉じる } がない: 括弧の対応を確かめる";
    return suspect < s.size() ? suspect : open.front();
}
std::string filled(const char* sentence, const Strings& words, char first) {
    std::string all;
    for (const char* c = sentence; *c; c++)
        if (*c == '$' && size_t(c[1] - first) < words.size()) all += words[size_t(*++c - first)];
        else all += *c;
    return all;
}
int explain(const std::string& log) {
    std::ifstream in(log);
    Strings lines;
    for (std::string line; std::getline(in, line); lines.push_back(line)) {
        for (const char* quote : {"\u2018", "\u2019"})  // g++ の引用符
            for (size_t k; (k = line.find(quote)) != std::string::npos;) line.replace(k, 3, "'");
        const size_t open = line.find(".cu(") + 3, close = line.find("): ", open);  // nvcc は my.cu(12): と書く
        if (open > 3 && close < line.size()) line.replace(close, 1, ""), line[open] = ':';
    }
    std::map<std::pair<std::string, int>, std::string> warned;  // 行の言葉。空なら、読者には言わない
    // n 行目の誤りがある #define の名前。行は、使った所にする
    const auto expanded = [&](size_t n, Place& at) {
        std::string macro;
        Strings found;
        while (++n < lines.size() && !fitsAny("~ error: ~|~ warning: ~", lines[n], found)) {
            if (!fitsAny("~ macro '*'~", lines[n], found)) continue;
            if (macro.empty()) macro = found[0];
            const Place p = fitsAny("~ in expansion ~", lines[n], found) ? placeOf(lines[n]) : Place();
            if (p.own()) at.file = p.file, at.line = p.line;
        }
        return macro;
    };
    for (size_t n = 0; n < lines.size(); n++) {
        const std::string& line = lines[n];
        const size_t said = line.find(" warning: "), own = line.find(" 警告: ");
        if (said == std::string::npos && own == std::string::npos) continue;
        Place p = placeOf(line);
        if (p.own() && said < line.size()) expanded(n, p);
        if (own < line.size()) warned[{p.file, p.line}] = line.substr(own + strlen(" 警告: "));
        for (const Row& row : warnings) {
            Strings name;
            const std::string text = said < line.size() ? line.substr(said + 10) : "";
            if (!p.own() || !fitsAny(row.pattern, text.substr(0, text.rfind(" [-")), name)) continue;
            warned.insert({{p.file, p.line}, filled(row.sentence, name)});
            break;
        }
        warned.insert({{"", 0}, ""});
    }
    Place at;
    size_t k = 0;
    for (; k < lines.size() && at.text.empty(); k++)
        for (const char* word : {" fatal error: ", " error: ", "undefined reference to", "undefined symbol: "}) {
            const size_t found = lines[k].find(word);
            if (found == std::string::npos || !at.text.empty() || lines[k].find("collect2") == 0) continue;
            Strings name;  // すぐ後に、わけを言う
            if (fitsAny("~'*' declared void*", lines[k], name) && nearest(name[0], "").empty()) continue;
            at = placeOf(lines[k]);
            at.text = lines[k].substr(*word == ' ' ? lines[k].find(": ", found) + 2 : found);
        }
    for (auto& [place, sentence] : warned)
        if (at.text.empty() && !sentence.empty())
            printf("%s:%d: 警告: %s\n", place.first.c_str(), place.second, sentence.c_str());
    if (at.text.empty()) return warned.empty();
    k--;
    // 見出しの中の誤りなら、そこへ来た読者の行。g++ は前に、clang++ は後に書く
    const auto look = [&](size_t i, const char* word) {
        const Place p = at.own() || lines[i].find(word) == std::string::npos ? Place() : placeOf(lines[i]);
        if (p.own()) at.file = p.file, at.line = p.line;
    };
    for (size_t i = 0; i < k; i++) look(i, " required from ");
    for (size_t i = k + 1; i < lines.size(); i++) look(i, " note: ");
    const std::string macro = expanded(k, at);
    const bool middle = macro.empty() && inMiddle(at);
    std::string text = at.text.substr(0, at.text.find(" [-")), sentence;
    if (!middle && text.find("found ':'") == 0) text = "expected ';'";
    Strings name, found;
    if (fitsAny("expected primary~ before '*'", text, found) && kTypes.count(found[0])) text = "unexpected type name ";
    if (fitsAny("~aka '*'} has no member ~'*|'*' has no member ~'*", text, found))
        text = filled("no member named '$2 in '$1'", found);
    // 引数の合わないわけは、候補ごとに言う。候補が 1 つなら、それを
    std::string reason;
    bool passed = false;  // 引数の話か
    int candidates = text.find("no match") == 0 && text.find("no match for 'op") != 0 ? 0 : 2;
    for (size_t i = k + 1; i < lines.size() && lines[i].find(" error: ") > lines[i].size(); i++) {
        passed = passed || lines[i].find("argument") < lines[i].size();
        candidates += fitsAny("~: candidate: ~|~: candidate ~", lines[i], found);
        if (fitsAny("~not viable: *|~note:   candidate *|~note:   no *|~note:   cannot *", lines[i], found))
            reason = found[0];
    }
    if (candidates == 1 && reason.size() && !fitsAny("*'launch*'|*'firstArgument*|*'atomic*|*'shfl*", text, found))
        text = reason;
    // shared.cpp が付けた名前、型の別名、clang++ の書き方 (const char *__restrict)
    std::istringstream cuts(
        "cpu_type_|||cpu_site_|||__restrict__|||__restrict|||'struct ||'|'class ||'| {aka '|}|| (aka '|')|| *||*|"
        "char[|]|char*|"
        "'long unsigned int||'size_t|__size_t||size_t|CUevent_st*||cudaEvent_t|CUstream_st*||cudaStream_t|"
        "long long unsigned int||unsigned long long|long long int||long long|<brace-enclosed initializer list>||{ }|");
    for (std::string from, end, to; getline(cuts, from, '|') && getline(cuts, end, '|') && getline(cuts, to, '|');)
        for (size_t i; (end.empty() || text.find("sizeof") > text.size()) && (i = text.find(from)) < text.size();)
            text.replace(i, end.empty() ? from.size() : text.find(end, i) + end.size() - i, to);
    const bool absent = fitsAny(kAbsent, text, name);
    std::string form;  // この行で呼ぶ関数の、引数の形
    if (at.own() && std::ifstream(at.file).peek() != EOF && text.find(" comment") > text.size()) {
        const Source s(at.file);
        const size_t wrong = unbalanced(s, sentence);
        for (size_t i = 1, end; macro.size() && (i = s.find(i, s.size(), "#define " + macro)) < s.size(); i = end) {
            for (end = i + 1; end < s.size() && s.tokens[end].inDefine;) end++;
            if (s[s.next(i)] == "=" || s[s.previous(end)] == ";")
                at.line = s.tokens[i].line, sentence = "#define の値には、= も終わりの ; も書かない";
        }
        for (size_t i = 1; i < s.size() && sentence.empty(); i++) {
            const std::string& before = s[s.previous(i)];
            if (s.word(i) && s.tokens[i].line == at.line && form.empty() && strchr("(<", s[s.next(i)][0])) {
                const size_t listed = std::string(kForms).find(" " + s[i] + "(") + 1;
                for (const Scope& f : s.scopes)
                    if (f.name < s.size() && f.name != i && s[f.name] == s[i]) form = s.text(f.name, f.open);
                if (listed)
                    form = std::string(kForms).substr(listed, std::string(kForms).find(") ", listed) + 1 - listed);
            }
            if (s[i].find("//") == 0 && s[i].find(';') < s[i].size() && text.find("';'") < text.size() &&
                !strchr(";{}", before[0]) && unsigned(at.line - s.tokens[i].line) < 2)
                at.line = s.tokens[i].line, text = "", sentence = "// から後ろは注釈である: 割り算は、/ を 1 つ書く";
            if (s[i] == "{" && before == ";" && s.tokens[i].line == at.line && s[s.previous(s.previous(i))] == ")" &&
                text.find("expected unqualified-id") == 0)
                at.line = s.tokens[s.previous(i)].line, sentence = "関数の頭の ( ) の後ろに ; が余っている";
            const size_t define = s.word(i) && s.tokens[i].line == at.line ? s.find(1, i, "#define " + s[i]) : i;
            if (define < i && !s.tokens[define + 1].inDefine && strchr("[=+-*/%<", before[0]))
                at.line = s.tokens[define].line, sentence = s[define] + " に値がない: 名前の後ろに書く";
            else if (define < i && s[s.next(i)] == "(" && s[define + 1][0] == ' ' && s[s.next(define)] == "(")
                at.line = s.tokens[define].line,
                sentence = s[define] + " のすぐ後ろに ( を書く: 間に空白があると、引数にならない";
            else if (s.tokens[i].line == at.line && s[i] == macro && kTypes.count(before))
                sentence = macro + " は、もう #define した名前である: 変数や引数には、別の名前を付ける";
            if (absent && s[i] == name[0] && s.tokens[i].line > at.line && !s.function(s.tokens[i].statement) &&
                s[s.next(i)] == "(")
                sentence = name[0] + " は、後の " + std::to_string(s.tokens[i].line) +
                           " 行目にある: 使う所より前に移すか、宣言する";
            if (!s.word(i) || s.tokens[s.find(1, i, s[i])].line != at.line) continue;  // この行で初めて書いた語
            const std::string lower = char(tolower(s[i][0])) + s[i].substr(1);
            const size_t after = s.next(i);
            const bool said = text.find("'" + s[i] + "'") < text.size();
            if (lower != s[i] && listed(lower)) sentence = s[i] + " は、小文字で " + lower + " と書く";
            else if ((s[i].size() > 2 && (s[i].end()[-3] & 0xff) >= 0xe3) ||  // 日本語か、知らない語だけの文
                     (said && s.tokens[i].statement == i && s.word(after) && s.word(s.next(after)) &&
                      !listed(s[after]) && !listed(s[s.next(after)])))
                sentence = s[i] + " という名前はない: 注釈なら、前に // を書く";
            else if (said && s[i + 1][0] == '"')
                sentence = s[i] + " が \" のすぐ前にある: printf(\"%g\", x) と書く。文字列の中の \" は \\\" と書く";
            else if (listed(s[i] + s[after])) sentence = s[i] + " と " + s[after] + " の間の空白を消す";
            else if (s[i] == "static_assert" && text.find("onstant") < text.size()) sentence = kFixed;
            else if (s.tokens[i].statement == i && listed(s[i]) && s[i].find("const") == 0 && s[s.next(after)] == "=")
                sentence = kNoType;
        }
        if (wrong < s.size()) at.line = s.tokens[wrong].line;
        else if (!middle && (text.find("';'") < text.find(" before ") || text.find("expected initializer") == 0)) {
            // g++ は、次の行の頭 (__device__ などは飛ばす) を言うことがある。起動の頭は、書き換えた :: である
            size_t i = 1;
            while (i < s.size() && (s.skipped(i) || s.tokens[i].line < at.line)) i++;
            const size_t before = s.previous(i);
            const bool mark = s[i].compare(0, 2, "__") == 0 && s[before] != ";" &&
                              (s[before] != "}" || text.find("';' after") < text.size());
            const bool next =
                text.find(" before '" + s[i] + "'") < text.size() || text.find("or ';' before '::'") < text.size();
            if (before < s.size() && (mark || next)) at.line = s.tokens[before].line;
        }
    }
    if (sentence.empty() && (absent || fitsAny("no member named '*'*|'*' is not a member of *", text, name)))
        if (const auto meant = nearest(name[0], text); meant.size()) sentence = filled(kNear, {name[0], meant});
    for (const Row& row : rows) {
        const bool at = *row.pattern == '@';
        if (!sentence.empty() || at > absent || !fitsAny(row.pattern + at, at ? name[0] : text, found)) continue;
        const bool rare = row.sentence == kUnknown && fitsAny(kSeldom, name[0], found);
        sentence = filled(rare ? kRare : row.sentence, at ? name : found);
    }
    if (middle && sentence == kEnd) sentence = kMiddle;
    if (form.size() && passed && sentence.find(" を const char* に") < sentence.size())
        sentence = kCount;  // 余った引数
    if (form.size() && (sentence.find("引数") == 0 || sentence.find("アトミック演算の引数") == 0 ||
                        (passed && sentence.find("型が合わない") == 0)))
        sentence += "。形は " + form + " である";
    const std::string& why = warned[{at.file, at.line}];  // 警告が、わけを言っている
    if (why == kQuote || (why == kComma && fitsAny("配列は~|この型では~", sentence, found))) sentence = why;
    if (sentence.empty() && text.find("\xE3\x81") < text.size()) sentence = text;  // 平仮名: CPU デバイスの文
    if (sentence.empty()) sentence = "コンパイルできない。コンパイラの言葉は次の通り\n  " + text;
    printf("%s%s\n", at.own() ? (at.file + ":" + std::to_string(at.line) + ": ").c_str() : "", sentence.c_str());
    return 0;
}
