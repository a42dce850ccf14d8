# リストの頭の注釈 (初めの // の行の続き) にある「// 名前: 値」の値。使うのは select.sh と build.mk: awk -v name=必要 -f code/tag.awk ファイル
!/^\/\// { exit }
index($0, "// " name ": ") == 1 { print substr($0, length("// " name ": ") + 1) }
