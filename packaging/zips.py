"""Zip files whose bytes depend on their content and on a time alone."""
import time
import zipfile


def write(path, members, seconds, level=6):
    """Writes names, bytes and permissions as a zip file, all with one time (in seconds
    since 1970; zip knows none before 1980). The level is zlib's; 0 stores."""
    date = max(time.gmtime(seconds)[:6], (1980, 1, 1, 0, 0, 0))
    with zipfile.ZipFile(path, "w") as archive:
        for name, data, mode in members:
            entry = zipfile.ZipInfo(name, date)
            entry.external_attr = (0o100000 | mode) << 16
            entry.compress_type = zipfile.ZIP_DEFLATED if level else zipfile.ZIP_STORED
            archive.writestr(entry, data, compresslevel=level)
