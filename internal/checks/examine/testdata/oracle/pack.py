#!/usr/bin/env python3
"""Pack the records of a restart oracle into this folder.   pack.py ORACLE

ORACLE/<spark>/<base>/ has checkpoint/, spec.yaml and records.jsonl. They become <spark>/<base>.tar.gz, the
checkpoint as that release wrote it, <spark>/<base>.out.tar.gz, where there is an out/, the log of its
output, <spark>/<base>.yaml, the query, and <spark>/<base>.jsonl: of each
record what was done to a copy (ops), what was changed in the query (spec: lines of <base>.yaml from one
number up to another, counted from 0, and what stands in their place), which release restarted it and what
it did (want). Archives are the same bytes at every run.
"""
import difflib, json, os, sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
from archive import archive


def edits(was, now):
    """How one text becomes another, line by line, last place first."""
    a, b = was.split("\n"), now.split("\n")
    ops = difflib.SequenceMatcher(None, a, b, autojunk=False).get_opcodes()
    return [[i, j, b[k:l]] for op, i, j, k, l in reversed(ops) if op != "equal"]


def main():
    here = os.path.dirname(os.path.abspath(__file__))
    for spark in sorted(os.listdir(sys.argv[1])):
        for base in sorted(os.listdir(os.path.join(sys.argv[1], spark)) if os.path.isdir(os.path.join(sys.argv[1], spark)) else []):
            folder = os.path.join(sys.argv[1], spark, base)
            os.makedirs(os.path.join(here, spark), exist_ok=True)
            with open(os.path.join(here, spark, base + ".tar.gz"), "wb") as f:
                f.write(archive(os.path.join(folder, "checkpoint")))
            if os.path.isdir(os.path.join(folder, "out")):
                with open(os.path.join(here, spark, base + ".out.tar.gz"), "wb") as f:
                    f.write(archive(os.path.join(folder, "out")))
            with open(os.path.join(folder, "spec.yaml"), encoding="utf-8") as f:
                spec = f.read()
            with open(os.path.join(here, spark, base + ".yaml"), "w", encoding="utf-8") as f:
                f.write(spec)
            with open(os.path.join(folder, "records.jsonl"), encoding="utf-8") as f, \
                    open(os.path.join(here, spark, base + ".jsonl"), "w", encoding="utf-8") as g:
                for line in f:
                    r = json.loads(line)
                    w = {k: v for k, v in r["want"].items() if k in ("restart", "error_any", "silent_damage") and v}
                    out = {"id": r["id"], "kind": r["kind"], "spark": r["spark"], "ops": r["ops"], "want": w,
                           "same": r["outcome"].get("result") == "same"}
                    if "spec" in r:
                        out["spec"] = edits(spec, r["spec"])
                    g.write(json.dumps(out, separators=(",", ":"), ensure_ascii=False) + "\n")


if __name__ == "__main__":
    main()
