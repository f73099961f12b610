#!/bin/sh
# chroot.sh FOLDER CPACK BUILD INPUTS: builds the tarball and Debian's package, and
# installs into a folder, as `./dev install` does; in a bare system of the same release
# as this one, made for that, unpacks the first, installs the second with apt, copies
# the folder there, and uses each. Exit code 77, with the reason, where there can be no
# such system.
set -eu
work=$1 cpack=$2 build=$3 inputs=$4

skip() {
  echo "SKIPPED: the package was not installed in a bare system: $1"
  exit 77
}
[ "$(id -u)" = 0 ] || skip "this needs root"
command -v mmdebstrap >/dev/null || skip "there is no mmdebstrap"
command -v apt-get >/dev/null || skip "there is no apt-get"
command -v patchelf >/dev/null || skip "there is no patchelf"
unshare --mount true 2>/dev/null || skip "mounting is not allowed here"

rm -rf "$work"
mkdir -p "$work"
(cd "$build" && "$cpack" -G DEB -B "$work" >"$work/cpack.log" 2>&1) || {
  cat "$work/cpack.log"
  exit 1
}
cp "$work"/clrewrite_*.deb "$work/clrewrite.deb"
sh "$(dirname "$0")/../../cmake/tarball.sh" "$build" "$work" gz >/dev/null
mv "$work"/clrewrite-*.tar.gz "$work/clrewrite.tar.gz"
cmake --install "$build" --prefix "$work/installed" --strip >/dev/null
cp "$inputs/sum4.cl" "$(dirname "$0")/in_chroot.sh" "$work"

. "$(dirname "$0")/bare.sh"
. /etc/os-release
archives "$work" || skip "apt knows no archive of Debian or Ubuntu"
bare "$work" "$VERSION_CODENAME" - --format=null \
  --customize-hook="copy-in $work/clrewrite.deb $work/clrewrite.tar.gz $work/sum4.cl \
    $work/in_chroot.sh $work/installed /root" \
  --customize-hook='chroot "$1" sh /root/in_chroot.sh' || {
  cat "$work/log"
  grep -q '^in the bare system: ' "$work/log" ||
    ! grep -q 'Failed to fetch\|apt-get update .* failed' "$work/log" ||
    skip "Debian's archive cannot be reached"
  exit 1
}
grep '^in the bare system: ' "$work/log" || {
  cat "$work/log"
  exit 1
}
