#!/bin/sh
# rpm.sh FOLDER OUT MAINTAINER [LEVEL]: an RPM of a folder that folder.py has laid out, in
# the folder OUT. LEVEL is Zstandard's (9). Its bytes depend on the folder and on
# SOURCE_DATE_EPOCH alone.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
folder=$(cd "$1" && pwd)
mkdir -p "$2"
out=$(cd "$2" && pwd)
maintainer=$3 level=${4:-9}
: "${SOURCE_DATE_EPOCH:?}"
name=$(basename "$folder")
version=${name#clrewrite-}
glibc=$(cd "$here" && python3 -c 'import folder, pathlib, sys
print(*folder.needed_glibc(pathlib.Path(sys.argv[1])), sep=".")' "$folder")
work=$out/rpm
rm -rf "$work" "$out"/clrewrite-*.rpm
# Debian's rpmbuild knows no RPMs that it could check requirements of a build by.
rpmbuild -bb --quiet --nodeps --target "${name##*-}" \
  --define "_topdir $work" --define "_rpmdir $out" \
  --define '_rpmfilename %{name}-%{version}-%{release}.%{arch}.rpm' \
  --define "folder $folder" --define "version ${version%-linux-*}" \
  --define "glibc $glibc" --define "maintainer $maintainer" \
  --define '_buildhost localhost' --define "_binary_payload w$level.zstdio" \
  --define 'use_source_date_epoch_as_buildtime 1' \
  --define 'clamp_mtime_to_source_date_epoch 1' \
  "$here/clrewrite.spec" >"$out/rpm.log" 2>&1 || {
  cat "$out/rpm.log" >&2
  exit 1
}
rm -rf "$work" "$out/rpm.log"
ls "$out"/clrewrite-*.rpm
