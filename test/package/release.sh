#!/bin/sh
# release.sh FOLDER SUITE [COMMAND]: runs COMMAND (./dev demo) of a clone of this
# repository in a bare system of another release, made in FOLDER/system by
# mmdebstrap unless it is there: SUITE is trixie, sid or bookworm for Debian, noble
# for Ubuntu 24.04. Says how long it took. Needs root, mmdebstrap and a network; for
# Ubuntu the keys in the package ubuntu-keyring, too.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
source=$(git -C "$here" rev-parse --show-toplevel)
mkdir -p "$1"
folder=$(cd "$1" && pwd)
suite=$2
command=${3:-./dev demo}
system=$folder/system
[ "$(id -u)" = 0 ] || {
  echo "release.sh: this needs root" >&2
  exit 77
}
[ "${ALONE:-}" ] || ALONE=1 exec unshare --mount --pid --fork --kill-child \
  sh "$here/release.sh" "$@"

case $suite in
noble)
  archive=http://archive.ubuntu.com/ubuntu
  keys=/usr/share/keyrings/ubuntu-archive-keyring.gpg
  lines="deb [signed-by=$keys] $archive $suite main universe
deb [signed-by=$keys] $archive $suite-updates main universe"
  ;;
*)
  archive=http://deb.debian.org/debian
  lines="deb $archive $suite main"
  [ "$suite" != bookworm ] || lines="$lines
deb http://deb.debian.org/debian-security $suite-security main"
  ;;
esac
apt-config dump Acquire |
  grep -E '^Acquire::(https?::Proxy|Check-|Retries)' >"$folder/apt.conf" || :
if [ ! -f "$folder/made" ]; then
  rm -rf "$system"
  echo "$lines" | mmdebstrap --variant=minbase --aptopt="$folder/apt.conf" \
    --dpkgopt=force-unsafe-io --include=ca-certificates \
    "$suite" "$system" - >"$folder/log" 2>&1 || {
    tail -n 20 "$folder/log"
    exit 1
  }
  cp "$folder/apt.conf" "$system/etc/apt/apt.conf.d/99here"
  touch "$folder/made"
fi
mount -t proc proc "$system/proc"
mount --rbind /dev "$system/dev"
mount --rbind /sys "$system/sys"
mount -t tmpfs -o mode=1777 tmpfs "$system/tmp"
cp /etc/resolv.conf /etc/hosts "$system/etc/"
rm -rf "$system/root/clrewrite"
git clone -q "$source" "$system/root/clrewrite"
begun=$(date +%s)
code=0
chroot "$system" env -i HOME=/root PATH=/usr/sbin:/usr/bin:/sbin:/bin \
  sh -c "cd /root/clrewrite && $command" || code=$?
echo "== $suite: '$command' ended with $code after $(($(date +%s) - begun)) s"
exit $code
