#!/bin/sh
# Runs in the bare system: installs the package, uses it, removes it.
set -eu
export DEBIAN_FRONTEND=noninteractive HOME=/root NO_COLOR=1
say() { echo "in the bare system: $*"; }
die() {
  echo "WRONG: $*"
  exit 1
}
cd /root
# The tarball first, while the system has nothing of LLVM's.
tar -xzf clrewrite.tar.gz -C /opt
mv /opt/clrewrite-* "/opt/moved here"
bin="/opt/moved here/bin"
"$bin/clrewrite" --version | grep -q '^clrewrite .* (LLVM' || die tarball
cp sum4.cl fixed.cl
"$bin/clrewrite" --target=gfx600 --only=serialise-vload --fix fixed.cl
grep -q opencl_unroll_hint fixed.cl || die "the tarball's program fixed nothing"
"$bin/clrewrite" devices | grep -q 'no OpenCL devices' || die devices
"$bin/clrewrite" capture --quiet -o capture -- true || die capture
rm -rf "/opt/moved here" capture
say "the tarball, unpacked and moved, works without a package"

apt-get install -q -y --no-install-recommends ./clrewrite.deb
say "$(. /etc/os-release; echo "$PRETTY_NAME"), apt installed the package"

clrewrite --version
version=$(dpkg-query -W -f '${Version}' clrewrite)
clrewrite --version | grep -q "^clrewrite ${version%-*} (LLVM" || die version
clrewrite --version | grep -q ' /usr/lib/llvm-.*/include$' || die headers
clrewrite --version | grep -q ' /usr/lib/.*/opencl.bc$' || die libraries
clrewrite --version | grep -q ' /usr/bin/clrewrite-device$' || die device
say "version $version"

cp sum4.cl fixed.cl
clrewrite --target=gfx600 --only=serialise-vload --fix fixed.cl
grep -q opencl_unroll_hint fixed.cl || die "nothing was fixed"
say "--fix wrote an edit"

clrewrite devices | grep -q 'no OpenCL devices' || die devices
clrewrite capture --quiet -o capture -- true || die capture
test -f capture/capture.json || die "no capture"
say "the device program and the OpenCL layer work"

git-clrewrite -h | grep -q 'git clrewrite \[options\]' || die git-clrewrite
zcat /usr/share/man/man1/clrewrite.1.gz | grep -q '^.SH OPTIONS' || die man
bash -c '. /usr/share/bash-completion/completions/clrewrite;
  complete -p clrewrite' || die completion
say "manual page and completion are in place"

# What is said where a package that it needs was removed by force.
rm /usr/lib/llvm-*/lib/clang/*/include/opencl-c-base.h
if clrewrite --target=gfx600 fixed.cl 2>message; then die "no headers"; fi
grep -q 'libclang-common-[0-9]*-dev' message || die "$(cat message)"

apt-get purge -q -y clrewrite
for left in /usr/bin/clrewrite /usr/lib/clrewrite /usr/share/doc/clrewrite; do
  [ ! -e $left ] || die "$left is left"
done
say "removed without a trace"
