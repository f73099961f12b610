#!/bin/sh
# chroot.sh FOLDER BUILD INPUTS: takes the tarball and Debian's packages (made.sh), and
# installs into a folder, as `./dev install` does; in a bare system of the same release
# as this one, made for that, unpacks the first, installs the second with apt, copies
# the folder there, and uses each. Exit code 77, with the reason, where there can be no
# such system.
set -eu
work=$1 build=$2 inputs=$3

skip() {
  echo "SKIPPED: the packages were not installed in a bare system: $1"
  exit 77
}
[ "$(id -u)" = 0 ] || skip "this needs root"
command -v mmdebstrap >/dev/null || skip "there is no mmdebstrap"
command -v apt-get >/dev/null || skip "there is no apt-get"
command -v patchelf >/dev/null || skip "there is no patchelf"
unshare --mount true 2>/dev/null || skip "mounting is not allowed here"

rm -rf "$work"
mkdir -p "$work"
here=$(dirname "$0")
cp "$(sh "$here/made.sh" "$build" deb)"/clrewrite*.deb "$work"
cp "$(sh "$here/made.sh" "$build" tarball)"/clrewrite-*.tar.gz "$work/clrewrite.tar.gz"
cmake --install "$build" --prefix "$work/installed" --strip >/dev/null
cp "$inputs/sum4.cl" "$here/in_chroot.sh" "$here/tried.sh" "$here/../../packaging/Containerfile" "$work"

. "$here/bare.sh"
. /etc/os-release
archives "$work" || skip "apt knows no archive of Debian or Ubuntu"
bare "$work" "$VERSION_CODENAME" - --format=null \
  --customize-hook="copy-in $(echo "$work"/*.deb) $work/clrewrite.tar.gz \
    $work/sum4.cl $work/in_chroot.sh $work/tried.sh $work/Containerfile $work/installed /root" \
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
