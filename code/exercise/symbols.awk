# 答えのカーネルが呼ぶ関数は、CPU デバイスの関数、検査の関数、数学関数、printf などだけである。元のリストと同じものもよい。
# 読むのは、元のリストの nm -C、--、答えの nm -C、--、答えのファイル。ほかの名前があれば、その行を書いて 1 で終わる
BEGIN {
    abi = "__cxa_pure_virtual|__gxx_personality.*|_Unwind_Resume|__stack_chk_[a-z]*|__dso_handle|" \
        "_GLOBAL_OFFSET_TABLE_|__libc_single_threaded|__[a-z]*[sdt][if][234]|_*tls_get_addr|_*tlv_bootstrap|" \
        "(vtable|typeinfo) for .*|std::__(throw|glibcxx_assert)_.*"
    device = "(thread|block)(Idx|Dim)|gridDim|(clock(64)?|__trap)(\\(\\))?|cuda::details::.*|cpu::.*|cpu_park_.*|cooperative_groups::.*|__[a-z]*san_.*|__sanitizer_.*|operator (new|delete).*"
    print_ = "v?printf|__v?printf_chk|puts|putchar|__assert_(fail|rtn)|mem(cpy|move|set|cmp)|__mem[a-z]*_chk|strlen|malloc|free"
    math = "(fe[gs]etround|__exp10|r?sqrt|a?(sin|cos|tan)(h|pi)?|atan2|sincos(pi)?|exp(2|10|m1)?|log(2|10|1p|b)?|pow|cbrt|hypot|fmod|remainder|remquo|" \
        "fma|fmin|fmax|fdim|fabs|ceil|floor|trunc|l?l?round|l?l?rint|nearbyint|ldexp|frexp|modf|scalbl?n|ilogb|nextafter|" \
        "erfc?|[tl]gamma|copysign|nan|[jy][01n])f?"
    allowed = "^_?(" abi "|" device "|" print_ "|" math ")$"
}
$0 == "--" && part < 2 { part++; next }
part == 0 { known[name()] = 1 }
part == 1 && !(name() in known) {
    # 元のリストにない関数を作ってよいのは、answer の中だけ
    if ($0 ~ /^ +[Uw] / ? name() !~ allowed : $2 ~ /^[TDBRSGC]$/ && $3 !~ /^answer::/) wrong[++count] = name()
}
part == 2 {
    line++
    if ($0 ~ /--8<-- \[start:kernel\]/) start = line
    text = $0
    sub(/\/\/.*/, "", text)
    for (k = 1; k <= count; k++)
        if (start && !(k in at) && match(text, "(^|[^A-Za-z0-9_])" word(wrong[k]) "([^A-Za-z0-9_]|$)")) at[k] = line
}
# 記号の種類より後ろ
function name(s) {
    s = $0
    sub(/^[0-9a-f]* +[A-Za-z] /, "", s)
    if (s ~ /^_*cxa_(allocate_exception|throw|rethrow|begin_catch)/) return "throw"
    if (s ~ /^_*cxa_(atexit|guard_)/) return "static"  # 動かしてから初めの値を作るか、終わりにデストラクタを呼ぶもの
    return s
}
# std::ios_base::Init::Init() の Init
function word(s) {
    sub(/[(<@\[].*/, "", s)
    sub(/.*::/, "", s)
    gsub(/[^A-Za-z0-9_]/, "", s)
    return s
}
END {
    best = 1
    for (k = 1; k <= count; k++) if ((k in at) && !(best in at)) best = k
    if (count) {
        printf "%s:%d: %s はカーネルの中では使えない: 呼べるのは、__device__ の関数と CUDA の関数、数学関数、printf だけ\n",
            work, (best in at) ? at[best] : start, wrong[best]
        exit 1
    }
}
