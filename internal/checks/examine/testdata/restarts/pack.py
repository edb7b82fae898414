#!/usr/bin/env python3
"""Pack records of real restarts into this folder.   pack.py RECORDS [NAME...]

RECORDS has a folder a record: checkpoint/, spec.yaml, record.json, and positions.json, source/, sink/ where the record has them.
Each NAME becomes NAME.tar.gz here; without a name, those that are here are packed again. Of record.json stays what a test compares, and
in words what was done. Archives are the same bytes at every run.
"""
import glob, json, os, sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
from archive import archive


def unlisted(folder):
    """Does the newest plan have a topic or a partition that positions.json does not list?"""
    plans = [n for n in os.listdir(os.path.join(folder, "checkpoint", "offsets")) if n.isdigit()]
    with open(os.path.join(folder, "checkpoint", "offsets", max(plans, key=int)), encoding="utf-8") as f:
        lines = f.read().split("\n")[2:]
    with open(os.path.join(folder, "positions.json"), encoding="utf-8") as f:
        sources = json.load(f)["sources"]
    return any(set(parts) - set(s["earliest"].get(topic, {})) for s in sources for topic, parts in json.loads(lines[s["index"]]).items())


def blind(record, folder):
    """Does nothing that is looked at show what was done?"""
    if record.get("blind") or record["area"] != "kafka":
        return bool(record.get("blind"))
    try:
        return unlisted(folder)
    except (OSError, ValueError, LookupError, TypeError, AttributeError):
        return False  # there is no plan, or its line is not one of Kafka


def slim(record, folder):
    failed = record.get("error") or record.get("later") or {}
    errors = failed.get("any", []) + [failed.get("key")] + [c["message"] for c in failed.get("chain", []) if "Python Proxy" not in c["message"]]
    want = {"outcome": record["outcome"], "batch": record["batch"], "errors": sorted({e for e in errors if e}), "later": "later" in record, "silent": record["silent"]}
    done = {k: record[k] for k in ("base", "mutation", "events", "trigger", "options", "rows") if record.get(k)}
    return {"kind": record["kind"], "spark": record["spark"], "want": want, "blind": blind(record, folder), "done": done}


def packed(folder):
    with open(os.path.join(folder, "record.json"), encoding="utf-8") as f:
        record = slim(json.load(f), folder)
    return archive(folder, {"record.json": (json.dumps(record, indent=1, sort_keys=True) + "\n").encode()})


def main():
    here = os.path.dirname(os.path.abspath(__file__))
    names = sys.argv[2:] or [os.path.basename(f)[:-len(".tar.gz")] for f in sorted(glob.glob(os.path.join(here, "*.tar.gz")))]
    for name in names:
        with open(os.path.join(here, name + ".tar.gz"), "wb") as f:
            f.write(packed(os.path.join(sys.argv[1], name)))


if __name__ == "__main__":
    main()
