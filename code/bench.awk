# make bench の 1 行: リストの JSON を読み、時間、帯域、理論帯域比、CUB との比にする。cub は同じ長さの CUB の時間 (なければ空) で、1 つの総和とだけ比べる
function get(key, s) {
    match($0, "\"" key "\": \"?[^,}\"]*")
    s = substr($0, RSTART, RLENGTH)
    sub(/^[^:]*: "?/, "", s)
    return s
}
{
    n = get("n"); ms = get("kernel_ms"); peak = get("peak_gbs")
    bytes = n * (get("type") ~ /64|double/ ? 8 : 4)
    gbs = ms > 0 ? bytes / ms / 1e6 : 0
    gpu = get("cpu_device") != "true"
    printf("%-20s %10d %12.4f %9s %9s %7s\n", get("listing"), n, ms, gpu ? sprintf("%.1f", gbs) : "-", \
        (gpu && peak > 0) ? sprintf("%.2f %%", 100 * gbs / peak) : "-", (cub > 0 && get("totals")) ? sprintf("%.2f", cub / ms) : "-")
}
