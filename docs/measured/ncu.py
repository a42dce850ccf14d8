"""Nsight Compute (ncu) で、動いたカーネルごとの値を読む。record_gpu.py と record_experiments.py が使う"""

import csv
import io

from recorder import run

METRICS = {  # 足し合わせられるもの
    "conflicts_ld": "l1tex__data_bank_conflicts_pipe_lsu_mem_shared_op_ld.sum",
    "conflicts_st": "l1tex__data_bank_conflicts_pipe_lsu_mem_shared_op_st.sum",
    "global_ld_requests": "l1tex__t_requests_pipe_lsu_mem_global_op_ld.sum",
    "global_ld_sectors": "l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum",
    "global_st_requests": "l1tex__t_requests_pipe_lsu_mem_global_op_st.sum",
    "global_st_sectors": "l1tex__t_sectors_pipe_lsu_mem_global_op_st.sum",
    "shared_ld": "smsp__inst_executed_op_shared_ld.sum",
    "shared_st": "smsp__inst_executed_op_shared_st.sum",
    "instructions": "smsp__inst_executed.sum",
    "thread_instructions": "smsp__thread_inst_executed_pred_on.sum",
    "divergent_branches": "smsp__sass_branch_targets_threads_divergent.sum",
    "ns": "gpu__time_duration.sum",
}


def number(text):
    try:
        return float(text.replace(",", ""))
    except ValueError:
        return None


def profile(command, metrics):
    """command が動かしたカーネルを、順に {"kernel": 名前, 値の名前: 値} で返す"""
    try:
        flags = ["--clock-control", "none", "--csv", "--page", "raw", "--metrics", ",".join(metrics.values())]
        done = run("ncu", *flags, *command)
    except FileNotFoundError as e:
        raise RuntimeError(f"ncu: {e}") from e
    rows = csv.DictReader(io.StringIO("\n".join(line for line in done.stdout.splitlines() if line.startswith('"'))))
    found = [
        {"kernel": r["Kernel Name"], **{name: number(r[metric]) for name, metric in metrics.items() if r.get(metric)}}
        for r in rows
        if r.get("ID")
    ]
    if not found or not any("ns" in r for r in found):
        raise RuntimeError(f"ncu が何も数えなかった: {(done.stdout + done.stderr)[-1500:]}")
    return found
