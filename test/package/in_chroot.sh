#!/bin/sh
# Runs in the bare system: installs the packages, uses them, removes them.
set -eu
export DEBIAN_FRONTEND=noninteractive HOME=/root NO_COLOR=1
. /root/tried.sh
cd /root
# The tarball first, while the system has nothing of LLVM's.
tar -xzf clrewrite.tar.gz -C /opt
mv /opt/clrewrite-* "/opt/moved here"
tried tarball "/opt/moved here/bin"
rm -rf "/opt/moved here"
say "the tarball, unpacked and moved, works without a package"

# A program that is linked with LLVM's libraries does not start where these are not: the
# loader names what is missing, and the page has its message with what to install.
dpkg-deb -x clrewrite_*.deb unpacked
if unpacked/usr/bin/clrewrite --version 2>message; then die "no LLVM"; fi
loader='error while loading shared libraries'
grep -q "$loader: lib\(LLVM\|clang-cpp\).*cannot open" message || die "$(cat message)"
grep -q "$loader: libLLVM" /root/installed/share/doc/clrewrite/docs/faq.md ||
  die "the page does not tell the loader's message"
rm -r unpacked
say "without LLVM's libraries the loader says which one is missing"

# A machine with a GPU that is reached over ssh needs no LLVM.
apt-get install -q -y --no-install-recommends ./clrewrite-device_*.deb
echo '{"v": 1, "id": 1, "job": "devices"}' | clrewrite-device | grep -q '"devices"' ||
  die "clrewrite-device alone"
! dpkg-query -W 'libllvm*' 'libclang*' 2>/dev/null | grep . || die "LLVM was installed"
say "clrewrite-device works alone, without LLVM"

apt-get install -q -y --no-install-recommends ./clrewrite_*.deb ./clrewrite-layer_*.deb
say "$(. /etc/os-release; echo "$PRETTY_NAME"), apt installed the packages"

clrewrite --version
version=$(dpkg-query -W -f '${Version}' clrewrite)
clrewrite --version | grep -q "^clrewrite ${version%-*} (LLVM" || die version
clrewrite --version | grep -q ' /usr/lib/llvm-.*/include$' || die headers
clrewrite --version | grep -q ' /usr/lib/.*/opencl.bc$' || die libraries
clrewrite --version | grep -q ' /usr/bin/clrewrite-device$' || die device
say "version $version"

tried package /usr/bin
say "--fix wrote an edit; the device program and the OpenCL layer work"

# The program of another LLVM, where one was packed.
for deb in clrewrite-compile-*.deb; do
  [ -e "$deb" ] || continue
  version=${deb#clrewrite-compile-} version=${version%%_*}
  apt-get install -q -y --no-install-recommends "./$deb"
  clrewrite measure --target="gfx906@$version,gfx906" fixed.cl |
    grep -q "gfx906@$version  *VGPRs" || die "measuring with LLVM $version"
  apt-get purge -q -y --auto-remove "clrewrite-compile-$version"
  say "measures with LLVM $version too"
done

git-clrewrite -h | grep -q 'git clrewrite \[options\]' || die git-clrewrite
zcat /usr/share/man/man1/clrewrite.1.gz | grep -q '^.SH OPTIONS' || die man
bash -c '. /usr/share/bash-completion/completions/clrewrite;
  complete -p clrewrite' || die completion
say "manual page and completion are in place"

# What is said where a package that it needs was removed by force.
header=$(echo /usr/lib/llvm-*/lib/clang/*/include/opencl-c-base.h)
mv "$header" header
if clrewrite --target=gfx600 fixed.cl 2>message; then die "no headers"; fi
mv header "$header"
grep -q 'libclang-common-[0-9]*-dev' message || die "$(cat message)"

apt-get purge -q -y clrewrite clrewrite-device clrewrite-layer
for left in /usr/bin/clrewrite /usr/bin/clrewrite-device /usr/lib/clrewrite \
  /usr/share/doc/clrewrite*; do
  [ ! -e $left ] || die "$left is left"
done
say "removed without a trace"

# The libraries that it needed are still there.
tried "folder of a prefix" /root/installed/bin
say "the folder of ./dev install works beside the packages' libraries"

# The steps of the Containerfile, as podman, buildah and docker run them.
mkdir /packages
cp clrewrite_*.deb clrewrite-device_*.deb clrewrite-layer_*.deb /packages
sed -n '/^RUN /,/[^\\]$/p' Containerfile | sed '1s/^RUN //' >steps.sh
grep -q apt-get steps.sh || die "the Containerfile has no steps"
sh -eu steps.sh
[ ! -e /packages ] || die "the image would hold the packages"
cp sum4.cl fixed.cl
clrewrite --target=gfx600 --only-target --only=serialise-vload --fix \
  --require-verified fixed.cl
grep -q opencl_unroll_hint fixed.cl || die "the image's program fixed nothing"
say "the steps of the Containerfile work; its device checks kernels"
