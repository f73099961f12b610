#!/bin/sh
# deb.sh BUILD OUT [COMPRESSION]: Debian's packages clrewrite, clrewrite-device and
# clrewrite-layer in the folder OUT, of the components that `cmake --install` knows, with
# the fields of deb/control; and clrewrite-compile-NN where BUILD-llvmNN has that program
# (./dev helper). COMPRESSION is dpkg-deb's (xz; gzip is quicker). Their bytes
# depend on the build and on SOURCE_DATE_EPOCH alone.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
source=$(dirname "$here")
build=$(cd "$1" && pwd)
compression=${3:-xz}
mkdir -p "$2"
out=$(cd "$2" && pwd)
: "${SOURCE_DATE_EPOCH:?}"
cached() { sed -n "s/^$1:[A-Z]*=//p" "$build/CMakeCache.txt"; }
maintainer=$(cached CLREWRITE_MAINTAINER)

# dpkg's programs look for debian/control where they are started.
work=$out/deb
rm -rf "$work" "$out"/clrewrite*.deb
mkdir -p "$work/debian"
cp "$here/deb/control" "$work/debian/control"
cd "$work"
sh "$here/deb/changelog.sh" "$source/CHANGELOG.md" "$maintainer" >debian/changelog

# one PACKAGE COMPONENT BUILD
one() {
  root=$work/$1 doc=$work/$1/usr/share/doc/$1
  cmake --install "$3" --component "$2" --prefix "$root/usr" --strip >/dev/null
  mkdir -p "$doc" "$root/usr/share/lintian/overrides" "$root/DEBIAN"
  gzip -9nc debian/changelog >"$doc/changelog.Debian.gz"
  gzip -9nc "$source/CHANGELOG.md" >"$doc/changelog.gz"
  cp "$here/deb/copyright" "$doc/copyright"
  cp "$here/deb/lintian-overrides" "$root/usr/share/lintian/overrides/$1"
  if [ "$2" = program ]; then
    cmake --install "$3" --component system --prefix "$root/usr" --strip >/dev/null
    mkdir -p "$root/usr/share/zsh/vendor-completions"
    cp "$build/install/_clrewrite" "$root/usr/share/zsh/vendor-completions/"
  fi
  find "$root/usr" -type f -exec grep -l "^$(printf '\177')ELF" {} + >binaries
  # 3: not of libraries that are linked and not used, as the compiler links libm.
  # shellcheck disable=SC2046
  dpkg-shlibdeps --warnings=3 -S"$root" -Tsubstvars $(sed 's/^/-e/' binaries)
  dpkg-gencontrol -p"$1" -ldebian/changelog -Tsubstvars -P"$root" -fdebian/files \
    -Vmaintainer="$maintainer" -Vllvm="$(cached CLREWRITE_LLVM_MAJOR)"
  (cd "$root" && find usr -type f -print0 | LC_ALL=C sort -z |
    xargs -0 md5sum >DEBIAN/md5sums)
  chmod -R u=rwX,go=rX "$root"
  dpkg-deb -Z"$compression" --root-owner-group --build "$root" "$out" >/dev/null
}
one clrewrite program "$build"
one clrewrite-device device "$build"
one clrewrite-layer layer "$build"
for helper in "$build"-llvm*/bin/clrewrite-compile-*; do
  name=$(basename "$helper") version=${helper##*-}
  [ -x "$helper" ] && [ "$version" != "$(cached CLREWRITE_LLVM_MAJOR)" ] || continue
  sed "s/@NN@/$version/g" "$here/deb/control.compile" >>debian/control
  one "$name" compile "$(dirname "$(dirname "$helper")")"
done
rm -rf "$work"
ls "$out"/clrewrite*.deb
