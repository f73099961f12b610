#!/bin/sh
# tarball.sh FOLDER OUT [FORMAT]: packs a folder that folder.py has laid out, with its
# name, as OUT/NAME.tar.xz, whose bytes depend on the folder's and on SOURCE_DATE_EPOCH
# alone. FORMAT is xz (small) or gz (quickly made).
set -eu
folder=$1 out=$2 format=${3:-xz}
case $format in
# The number of threads would change the bytes between one and several.
xz) pack="xz -T4 -4" ;;
gz) pack="gzip -1n" ;;
*)
  echo "tarball.sh: FORMAT is xz or gz, not $format" >&2
  exit 2
  ;;
esac
name=$(basename "$folder")
tar -C "$(dirname "$folder")" --format=gnu --owner=0 --group=0 --numeric-owner \
  --mode=u=rwX,go=rX --sort=name --mtime="@${SOURCE_DATE_EPOCH:?}" -cf - "$name" |
  $pack >"$out/$name.tar.$format"
echo "$out/$name.tar.$format"
