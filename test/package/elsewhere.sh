#!/bin/sh
# elsewhere.sh FOLDER SUITE TARBALL: unpacks a tarball of `./dev package tarball` in a bare
# system of another release, made in FOLDER/system by mmdebstrap unless it is there, and
# uses it: as a bare system has it, and with PoCL, from that release, as a device. SUITE is
# bullseye, bookworm, trixie or sid for Debian, bionic, focal, jammy or noble for Ubuntu.
# Needs root, mmdebstrap and a network.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
. "$here/bare.sh"
alone "$here/elsewhere.sh" "$@"
mkdir -p "$1"
folder=$(cd "$1" && pwd)
suite=$2 system=$folder/system
archives_of "$folder" "$suite"
kept "$folder" "$suite" --include=ca-certificates,git,python3
rm -rf "$system"/root/* "$system/opt/clrewrite"
mkdir "$system/opt/clrewrite"
tar -C "$system/opt/clrewrite" --strip-components=1 -xf "$3"
cp "$here/tried.sh" "$here/../Inputs/sum4.cl" "$system/root/"
cat >"$system/root/script" <<'TEXT'
set -eu
export DEBIAN_FRONTEND=noninteractive NO_COLOR=1
cd /root
. ./tried.sh
bin=/opt/clrewrite/bin
case $(ldd --version) in *GLIBC*) say "$(ldd --version | sed -n 1p)" ;; esac
# Without drivers that an earlier run installed; without HOME, where the system says what
# the user's home is, and with it.
rm -rf /etc/OpenCL
tried tarball $bin
export HOME=/root
tried tarball $bin
git init -q repository
if (cd repository && $bin/git-clrewrite --binary=$bin/clrewrite) 2>log; then
  say "the tarball works"
else # a system's Git or Python may be too old, and is told
  grep -q ' or newer' log || die "$(cat log)"
  say "the tarball works; $(cat log)"
fi
apt-get update -q >log 2>&1
apt-get install -q -y --reinstall --no-install-recommends \
  -o Dpkg::Options::=--force-confmiss pocl-opencl-icd clinfo >log 2>&1 || {
  tail -n 3 log
  die "there is no PoCL"
}
# Some releases have a PoCL that ends whatever asks it for devices.
clinfo -l >log 2>&1 || {
  say "PoCL of this release does not work, not even for clinfo"
  exit 0
}
$bin/clrewrite capture --quiet -o capture -- clinfo -l >log
say "clinfo was captured: $(grep -c Device log) device"
$bin/clrewrite devices
cp sum4.cl fixed.cl
$bin/clrewrite --target=gfx600 --only-target --only=serialise-vload --fix \
  --require-verified fixed.cl >log 2>&1 || die "$(cat log)"
say "$(sed -n 's/^ *\(verified: .*\)/\1/p' log)"
TEXT
chroot "$system" env -i PATH=/usr/sbin:/usr/bin:/sbin:/bin sh /root/script
