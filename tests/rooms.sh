#!/bin/sh
# 手で書いた行を、部屋ごとに数える: sh tests/rooms.sh。記録、図、取り決めた版の一覧は数えない。上限を越えたら 1 で終わる
# 足すときは、何かを減らす。上限は、本の全部を 1 人で見ていられるように決めた
OWN=32000 TESTS=18000
git ls-files | grep -vE '^(docs/measured/.*/.*\.(jsonl?|txt|toml)|docs/[^/]*\.md|images/.*\.(svg|json)|LICENSE)|package-lock|requirements\.txt|\.(png|pdf)$' |
    tr '\n' '\0' | xargs -0 wc -l | awk -v own=$OWN -v tests=$TESTS '
        $2 == "total" { next }
        {
            n = split($2, p, "/")
            room = n == 1 ? "(一番上)" : p[1]
            if (p[1] == "code" && n > 2) room = p[2] ~ /^[0-9]/ ? "code/節" : p[2] == "cpu" && n > 3 ? "code/cpu/" p[3] : "code/" p[2]
            else if (n > 2) room = p[1] "/" p[2]
            files[room]++; lines[room] += $1
            if (p[1] == "tests") test += $1; else mine += $1
        }
        END {
            for (r in lines) printf "%6d %4d  %s\n", lines[r], files[r], r | "sort -k3"
            close("sort -k3")
            printf "%6d 本体 (上限 %d)\n%6d テスト (上限 %d)\n", mine, own, test, tests
            exit mine > own || test > tests
        }'
