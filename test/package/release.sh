#!/bin/sh
# release.sh FOLDER SUITE [COMMAND]: runs COMMAND (./dev demo) of a clone of this
# repository in a bare system of another release, made in FOLDER/system by
# mmdebstrap unless it is there: SUITE is trixie, sid or bookworm for Debian, noble
# for Ubuntu 24.04. Says how long it took. Needs root, mmdebstrap and a network.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
source=$(git -C "$here" rev-parse --show-toplevel)
mkdir -p "$1"
folder=$(cd "$1" && pwd)
suite=$2
command=${3:-./dev demo}
system=$folder/system
. "$here/bare.sh"
alone "$here/release.sh" "$@"

archives_of "$folder" "$suite"
kept "$folder" "$suite" --include=ca-certificates
rm -rf "$system/root/clrewrite"
git clone -q "$source" "$system/root/clrewrite"
begun=$(date +%s)
code=0
chroot "$system" env -i HOME=/root PATH=/usr/sbin:/usr/bin:/sbin:/bin \
  sh -c "cd /root/clrewrite && $command" || code=$?
echo "== $suite: '$command' ended with $code after $(($(date +%s) - begun)) s"
exit $code
