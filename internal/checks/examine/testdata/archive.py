"""An archive of a folder that is the same bytes at every run; the pack.py of each folder here uses it."""
import gzip, io, os, tarfile


def archive(folder, replaced=None):
    """The bytes of a .tar.gz of folder. replaced has the bytes of files, by their names in the folder, that stand for those on disk."""
    out = io.BytesIO()
    with tarfile.open(fileobj=out, mode="w", format=tarfile.USTAR_FORMAT) as tar:
        for root, dirs, files in os.walk(folder):
            dirs.sort()
            for name in sorted(files) + [d + "/" for d in dirs]:
                path = os.path.join(root, name)
                info = tarfile.TarInfo(os.path.relpath(path, folder))
                info.mtime = 0
                if name.endswith("/"):
                    info.type, info.mode = tarfile.DIRTYPE, 0o755
                    tar.addfile(info)
                    continue
                data = (replaced or {}).get(info.name)
                if data is None:
                    with open(path, "rb") as f:
                        data = f.read()
                info.size, info.mode = len(data), 0o644
                tar.addfile(info, io.BytesIO(data))
    return gzip.compress(out.getvalue(), 9, mtime=0)
