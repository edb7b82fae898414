#!/usr/bin/env python3
"""Holds the rows of a large real state store to Spark's own reader, and times both on the same machine.

    python state-at-scale.py TIDEMARK DIR [--key-column k] [--key user-000012345] [--runs 5]

DIR is a checkpoint that ../testdata/generators/state_big.py made; run this with the Python that made it (PySpark 4.3). Spark reads
the store and the Parquet file that `tidemark state --parquet` writes: each row of one must be in the other. Not part of run: Spark
and a million keys take minutes. Exit status 1 where the rows differ.
"""
import argparse
import json
import os
import subprocess
import sys
import tempfile
import time

T0 = time.time()


def ours(args, runs):
    """Wall clock of a command, the best and the median of some runs, and its output."""
    times, out = [], ""
    for _ in range(runs):
        t = time.perf_counter()
        out = subprocess.run(args, check=True, stdout=subprocess.PIPE, text=True).stdout
        times.append(time.perf_counter() - t)
    times.sort()
    return times[0], times[len(times) // 2], out


def main():
    p = argparse.ArgumentParser()
    p.add_argument("tidemark")
    p.add_argument("dir")
    p.add_argument("--key-column", default="k")
    p.add_argument("--key", default="user-000012345")
    p.add_argument("--runs", type=int, default=5)
    a = p.parse_args()
    base = [a.tidemark, "state", a.dir, "--operator", "0"]
    from pyspark.sql import SparkSession
    spark = SparkSession.builder.master("local[2]").config("spark.ui.enabled", "false").config("spark.driver.memory", "4g").getOrCreate()
    spark.sparkContext.setLogLevel("ERROR")
    session = time.time() - T0

    def timed(action):
        t = time.time()
        n = action()
        return time.time() - t, n

    def count():
        return spark.read.format("statestore").load(a.dir).count()

    def key():
        return len(spark.read.format("statestore").load(a.dir).where("key.%s = '%s'" % (a.key_column, a.key)).collect())

    first, n = timed(count)
    warm = min(timed(count)[0] for _ in range(a.runs))
    warm_key = min(timed(key)[0] for _ in range(a.runs))
    best, median, out = ours(base + ["--count"], a.runs)
    look_best, look_median, _ = ours(base + ["--key", json.dumps({a.key_column: a.key})], max(a.runs, 15))
    print("count     Spark: %6.2f s cold (JVM and session %.2f s), %6.2f s first query, %6.2f s warm" % (session + first, session, first, warm))
    print("          ours:  %6.3f s best, %6.3f s median: %.0f, %.1f and %.1f times faster" % (best, median, (session + first) / median, first / median, warm / median))
    print("look-up   Spark: %6.2f s cold with the first query as above, %6.2f s warm" % (session + first, warm_key))
    print("          ours:  %6.4f s best, %6.4f s median: %.0f, %.0f and %.0f times faster" % (look_best, look_median, (session + first) / look_median, first / look_median, warm_key / look_median))
    same = int(out) == n
    print("rows      Spark %d, ours %s" % (n, out.strip()))
    with tempfile.TemporaryDirectory() as scratch:
        file = os.path.join(scratch, "rows.parquet")
        dump = ours(base + ["--parquet", file], 1)[0]
        lines = ours(base + ["--ndjson"], 1)[0]
        print("full dump ours:  %6.2f s as Parquet, %6.2f s as NDJSON (%.0f rows a second)" % (dump, lines, n / lines))
        theirs, mine = spark.read.format("statestore").load(a.dir), spark.read.parquet("file://" + file)
        mine = mine.select(*theirs.columns)
        t, missing = timed(lambda: theirs.exceptAll(mine).count())
        _, extra = timed(lambda: mine.exceptAll(theirs).count())
        print("rows of Spark that ours lack: %d; rows of ours that Spark lacks: %d (%.0f s)" % (missing, extra, t))
        same = same and missing == 0 and extra == 0
    spark.stop()
    sys.exit(0 if same else 1)


if __name__ == "__main__":
    main()
