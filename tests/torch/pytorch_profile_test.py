"""Runs calib/pytorch_profile.py as a user would. Arguments: the script, the dbsim program."""
import json
import os
import subprocess
import sys
import tempfile
import time

SCRIPT, DBSIM = sys.argv[1:3]
HERE = os.path.dirname(os.path.abspath(__file__))


def check(condition, claim):
    if not condition:
        raise SystemExit(f"not so: {claim}")


def run(*words, folder):
    environment = dict(os.environ, PYTHONPATH=HERE, PYTHONDONTWRITEBYTECODE="1")
    result = subprocess.run(
        words, cwd=folder, env=environment, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
        universal_newlines=True, check=False,
    )
    check(result.returncode == 0, f"{words} succeeds: {result.stdout}")
    return result.stdout


def measure(model, folder):
    run(
        sys.executable, SCRIPT, f"tiny_models:{model}", "--input", "3x8x8", "--classes", "10",
        "--batches", "32,8,16", "--out", "p.json", "--device", "cpu", "--repetitions", "5",
        folder=folder,
    )
    shown = run(DBSIM, "profile", "show", "p.json", folder=folder)
    with open(os.path.join(folder, "p.json"), encoding="utf-8") as file:
        return json.load(file), shown


with tempfile.TemporaryDirectory() as place:
    profile, shown = measure("make_tiny", place)
    check([point["batch"] for point in profile["points"]] == [8, 16, 32], "batches rise")
    check("max_batch" not in profile, "no limit is claimed where all batch sizes fit")
    # 192 * 32 + 32 + 32 * 10 + 10 parameters of four bytes.
    check(profile["model"]["parameter_bytes"] == 4 * 6506, "parameters are counted")
    check("make_tiny" in shown and "26.02 kB" in shown, "dbsim shows the profile")
    for point in profile["points"]:
        parts = sum(point[part]["median"] for part in ("forward_s", "backward_s", "update_s"))
        check(0 < parts, "parts are timed")
        check(point["step_s"]["repetitions"] == 5, "repetitions are counted")
    check(os.listdir(place) == ["p.json"], "nothing else is left behind")

    profile, _ = measure("make_greedy", place)
    check([point["batch"] for point in profile["points"]] == [8, 16], "the rest is left out")
    check(profile["max_batch"] == 16, "out of memory is the limit")

    # A step whose length is known: sleeping takes at least as long as asked for.
    sys.path.insert(0, os.path.dirname(SCRIPT))
    from pytorch_profile import profile_steps

    points, limit = profile_steps(lambda batch: time.sleep(batch / 1000), [2, 8], 1, 3)
    check(limit is None, "no limit")
    for point in points:
        check(point["step_s"]["median"] >= point["batch"] / 1000, "a step is timed as a whole")
        check("forward_s" not in point, "parts that nobody marks are not claimed")
    check(points[1]["step_s"]["median"] > points[0]["step_s"]["median"], "a longer step is longer")
