#!/bin/sh
# tarball.sh BUILD OUT [FORMAT]: OUT/clrewrite-VERSION-linux-ARCH.tar.xz, a folder
# that can be unpacked anywhere on a system whose C library is as new as this one's:
# it has the libraries of LLVM and Clang, the C++ library, an OpenCL ICD loader, and
# what these load in turn. FORMAT is xz (small) or gz (quickly made).
set -eu
build=$1 out=$2 format=${3:-xz}
case $format in
xz) pack="xz -T0 -4" ;;
gz) pack="gzip -1" ;;
*)
  echo "tarball.sh: FORMAT is xz or gz, not $format" >&2
  exit 2
  ;;
esac
version=$(sed -n 's/^CMAKE_PROJECT_VERSION:[A-Z]*=//p' "$build/CMakeCache.txt")
name=clrewrite-$version-linux-$(uname -m)
rm -rf "$out/$name"
mkdir -p "$out/$name"
cmake --install "$build" --prefix "$out/$name" --strip >/dev/null

# Of what the loader finds, the C library's parts stay the system's.
libraries=$out/$name/lib/clrewrite/shared
mkdir -p "$libraries"
ldd "$out/$name/bin/clrewrite" "$out/$name/bin/clrewrite-device" |
  sed -n 's/.* => \(\/[^ ]*\) (.*/\1/p' | sort -u |
  grep -Ev '/(libc|libm|libdl|librt|libpthread|libresolv)\.so' |
  while read -r library; do
    cp -L "$library" "$libraries/"
  done
chmod 755 "$libraries"/*
for file in "$libraries"/*; do
  patchelf --set-rpath '$ORIGIN' "$file"
done
for program in clrewrite clrewrite-device; do
  patchelf --set-rpath '$ORIGIN/../lib/clrewrite/shared' \
    "$out/$name/bin/$program"
done
# Under which terms they stand, where Debian says it.
for file in "$libraries"/*; do
  package=$(dpkg-query -S "*/${file##*/}" 2>/dev/null | head -n 1 | cut -d: -f1)
  [ -z "$package" ] || [ ! -f "/usr/share/doc/$package/copyright" ] ||
    cp "/usr/share/doc/$package/copyright" \
      "$out/$name/share/doc/clrewrite/licenses/$package"
done
tar -C "$out" --owner=0 --group=0 --sort=name -cf - "$name" |
  $pack >"$out/$name.tar.$format"
rm -rf "${out:?}/$name"
echo "$out/$name.tar.$format"
