#!/bin/sh
# make measure, bench の中身
. code/select.sh

# N= には、いくつも書ける。1 つずつ試す
sizes=
if given N; then sizes=$N OPTIONS=$(echo " $OPTIONS " | sed 's/ N / /'); fi

# 時間が N で決まるリストだけを残す。ほかの指定を変えて測るものは、バイト数では比べられない
by_length() {
    for l in $listings; do
        case $(tag 測定 "$l") in *--[!n]*) ;; *) ! grep -q '::run(' "code/$l.cu" || echo "$l" ;; esac
    done
}

# リストを測るたびに 1 行ずつ出す。CUB との比は、同じ長さの CUB (GPU だけのリスト) を先に測って求める。総和でなければ、比は出さない
bench() {
    select_listings
    listings=$(by_length)
    select_device
    repeat=
    [ $device = gpu ] || repeat='--repeat 5'
    first='' rest=''
    for l in $listings; do
        if ! gpu_only "$l"; then rest="$rest $l"; elif [ $device = gpu ]; then first="$first $l"; fi
    done
    listings="$first $rest"
    skip_unsupported
    build_listings $device
    head=
    for n in ${sizes:-1048576 4194304 16777216}; do
        cub=
        for l in $listings; do
            launcher "$l"
            # shellcheck disable=SC2086 # 何語かある
            line=$(execute "$programs/$device/$l" --n "$n" $repeat --json)
            [ $? -le 1 ] || exit 1
            if [ -z "$head" ]; then
                head=1
                [ $device = gpu ] || echo 'CPU デバイスの時間。GPU の速さではない'
                echo 'リスト                   要素数      時間 ms      GB/s  理論帯域  CUB比'
            fi
            ! gpu_only "$l" || cub=$(echo "$line" | sed 's/.*"kernel_ms": \([^,]*\),.*/\1/')
            echo "$line" | awk -v cub="$cub" -f code/bench.awk || exit 1
        done
    done
}

# 何で、いつ、何という命令で測ったか
machine() {
    cub=$(printf '#include <cub/version.cuh>\nCUB_MAJOR_VERSION\n' | "$NVCC" -E -x cu - 2>/dev/null | sed -n 's|^ *(\([0-9]*\) / 100000).*|\1|p' |
        awk '{ printf "%d.%d.%d", $1 / 100000, $1 / 100 % 1000, $1 % 100 }')
    nvidia-smi --query-gpu=name,driver_version --format=csv,noheader | head -n 1 | awk -F', ' -v cub="$cub" -v date="$(date -u +%F)" \
        -v cuda="$("$NVCC" --version | sed -n 's/.*release [^V]*V//p')" \
        '{ printf "{\"device\": \"%s\", \"driver\": \"%s\", \"cuda\": \"%s\", \"cub\": \"%s\", \"date\": \"%s\", \"command\": \"make measure\"}\n", $1, $2, cuda, cub, date }'
}

# リストに「// 測定: --iterations 1, --iterations 10」のような行があれば、N の代わりにそれで測る。「なし」なら出力だけを記録する。
# CH や EX を付ければ、ほかのリストの記録はそのまま残る
measure() {
    select_listings
    select_device
    if [ $device = cpu ]; then listings=$(for l in $listings; do gpu_only "$l" || echo "$l"; done); fi
    [ -n "$listings" ] || stop "$CH $EX は GPU でだけ動く: GPU のある計算機で測る"
    skip_unsupported
    { mkdir -p "$OUT" && [ -w "$OUT" ]; } 2>/dev/null || stop "OUT=$OUT に書けない: 書き込める場所にする"
    build_listings $device
    [ $device = cpu ] || machine > "$OUT/machine.json"
    new=$OUT/times.jsonl.$$
    trap 'rm -f "$new"' EXIT
    : > "$new"
    [ ! -f "$OUT/times.jsonl" ] || cat "$OUT/times.jsonl" > "$new"
    for l in $listings; do
        record=$(section_of "$l")-$(name_of "$l")
        echo "$record"
        (OPTIONS=''; run_listing "$l") > "$OUT/$record.txt.$$" || { s=$?; rm -f "$OUT/$record.txt.$$"; exit $s; }
        launcher "$l"
        mv -f "$OUT/$record.txt.$$" "$OUT/$record.txt"
        grep -v "^{\"listing\": \"$(section_of "$l") $(name_of "$l")\"" "$new" > "$new.rest"
        mv -f "$new.rest" "$new"
        cases=$(tag 測定 "$l")
        [ "$cases" != なし ] || continue
        [ -n "$cases" ] || cases=$(for n in ${sizes:-4194304 16777216 268435456}; do printf -- '--n %s, ' "$n"; done)
        echo "$cases" | tr ',' '\n' | while read -r arguments; do
            # shellcheck disable=SC2086 # 何語かある
            [ -z "$arguments" ] || execute "$programs/$device/$l" $arguments --json || [ $? = 1 ] || exit 1
        done >> "$new" || exit 1
    done
    mv -f "$new" "$OUT/times.jsonl"
}

"$1"
