#!/usr/bin/env python3
"""Packs checkpoint folders into the archives beside this file: one .tar.gz a folder, its expectations beside it as text.

  python3 pack.py FROM INTO [NAME-SUBSTRING ...]

FROM holds a folder per checkpoint (checkpoint/, perhaps sink/, source/, spec.yaml, positions.json; want.json, expect.md or expect.json).
The archives are a pure function of the files: no times, no owners. Progress reports and stores of object versions stay out. The rows that
Spark's own reader gave of a state go into an archive of their own, NAME.rows.tar.gz.
"""
import gzip, io, os, shutil, sys, tarfile

LEFT_OUT = ("want.json", "expect.md", "expect.json", "query.md", "progress.jsonl", "requests.jsonl", "objects.json", "blobs", "changes.jsonl")
BESIDE = ("want.json", "expect.md")


def members(folder):
    for root, dirs, files in os.walk(folder):
        dirs.sort()
        top = root == folder
        for d in list(dirs):
            if top and d in LEFT_OUT:
                dirs.remove(d)
            else:
                yield os.path.join(root, d)
        for f in sorted(files):
            if not (top and (f in LEFT_OUT or f.startswith("rows-"))):
                yield os.path.join(root, f)


def rows(folder):
    return [os.path.join(folder, f) for f in sorted(os.listdir(folder)) if f.startswith("rows-") or f == "changes.jsonl"]


def pack(folder, paths, out):
    raw = io.BytesIO()
    with tarfile.open(fileobj=raw, mode="w", format=tarfile.PAX_FORMAT) as tar:
        for path in paths:
            info = tarfile.TarInfo(os.path.relpath(path, folder))
            if os.path.isdir(path):
                info.type, info.mode = tarfile.DIRTYPE, 0o755
                tar.addfile(info)
            else:
                info.size, info.mode = os.path.getsize(path), 0o644
                with open(path, "rb") as f:
                    tar.addfile(info, f)
    with open(out, "wb") as f, gzip.GzipFile(filename="", mode="wb", fileobj=f, mtime=0, compresslevel=9) as z:
        z.write(raw.getvalue())


def main():
    if len(sys.argv) < 3:
        sys.exit(__doc__)
    src, into = sys.argv[1:3]
    for name in sorted(os.listdir(src)):
        folder = os.path.join(src, name)
        if not os.path.isfile(os.path.join(folder, "want.json")) or not all(s in name for s in sys.argv[3:]):
            continue
        pack(folder, members(folder), os.path.join(into, name + ".tar.gz"))
        if rows(folder):
            pack(folder, rows(folder), os.path.join(into, name + ".rows.tar.gz"))
        for f in BESIDE:
            if os.path.isfile(os.path.join(folder, f)):
                shutil.copyfile(os.path.join(folder, f), os.path.join(into, name + "." + f))


if __name__ == "__main__":
    main()
