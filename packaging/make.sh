#!/bin/sh
# make.sh BUILD OUT KIND [quick]: makes packages in OUT of what BUILD has built, and prints
# their paths. KIND is deb, folder, or what holds the folder and needs it in OUT: tarball,
# wheel, rpm. quick compresses little, or not at all, for tests.
set -eu
here=$(dirname "$0")
build=$1 out=$2 kind=$3
case ${4:-} in
quick) deb=gzip tar=gz zip=0 rpm=1 ;;
*) deb=xz tar=xz zip=6 rpm=9 ;;
esac
mkdir -p "$out"
[ "$kind" = deb ] || [ "$kind" = folder ] ||
  folder=$(ls -d "$out"/clrewrite-*-linux-*/)
case $kind in
deb) sh "$here/deb.sh" "$build" "$out" $deb ;;
folder) python3 "$here/folder.py" "$build" "$out" ;;
tarball) sh "$here/tarball.sh" "$folder" "$out" $tar ;;
wheel) python3 "$here/wheel.py" "$folder" "$out" $zip ;;
rpm)
  sh "$here/rpm.sh" "$folder" "$out" "$(sed -n \
    's/^CLREWRITE_MAINTAINER:[A-Z]*=//p' "$build/CMakeCache.txt")" $rpm
  ;;
*)
  echo "make.sh: KIND is deb, folder, tarball, wheel or rpm, not $kind" >&2
  exit 2
  ;;
esac
