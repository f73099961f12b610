#!/bin/sh
# release.sh BUILD EXTENSION: makes all packages of the commit that BUILD was built from, and
# of the extension for VS Code in the folder EXTENSION (vsix.py), in build/packages-VERSION,
# and again in another folder, which must give the same bytes; tries each; and adds the bill
# of materials and SHA256SUMS. RELEASING.md says what comes next.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
build=$(cd "$1" && pwd) extension=$(cd "$2" && pwd)
: "${SOURCE_DATE_EPOCH:?}"
cd "$here/.."
say() { echo "release: $*"; }
die() {
  echo "release: $*" >&2
  exit 1
}
changed=$(git status --porcelain)
[ -z "$changed" ] || die "files differ from the commit; commit them first: $changed"
version=$(sed -n 's/^CMAKE_PROJECT_VERSION:[A-Z]*=//p' "$build/CMakeCache.txt")
newest=$(sed -n 's/^## //p' CHANGELOG.md | head -n 1)
[ "${newest%% *}" = "$version" ] ||
  die "CHANGELOG.md begins with $newest, and CMakeLists.txt has $version"
[ "$newest" = "$version" ] || say "CHANGELOG.md still says: $newest"

out=$PWD/build/packages-$version again=$PWD/build/packages-again
rm -rf "$out" "$again"
for folder in "$out" "$again"; do
  for kind in deb folder tarball wheel rpm; do
    sh packaging/make.sh "$build" "$folder" $kind >/dev/null
  done
  cp "$folder"/clrewrite-*-linux-*/share/doc/clrewrite/clrewrite.cdx.json \
    "$folder/clrewrite-$version.cdx.json"
  python3 packaging/vsix.py "$extension" "$folder/clrewrite-$version.vsix" \
    "$folder/clrewrite-$version.cdx.json" >/dev/null
  rm -rf "$folder"/clrewrite-*-linux-*/
done
diff -rq "$out" "$again" || die "two packagings of one build differ"
say "packed twice, with the same bytes"

# Each package is unpacked into a folder of its own, and works there.
try() { # try NAME BIN
  cp examples/box-sum/box_sum.cl "$again/k.cl"
  env -i PATH=/usr/bin:/bin CLREWRITE_CACHE_DIR= "$2/clrewrite" --target=gfx600 \
    --verify=off --fix "$again/k.cl" >"$again/log" 2>&1 &&
    grep -q 'written$' "$again/log" || {
    cat "$again/log" >&2
    die "the $1 does not work"
  }
  say "the $1 works: $("$2/clrewrite" --version | head -n 1)"
}
rm -rf "$again"
mkdir -p "$again/tarball" "$again/deb" "$again/rpm"
tar -C "$again/tarball" -xJf "$out"/*.tar.xz
try tarball "$again"/tarball/*/bin
lintian --allow-root --fail-on error,warning "$out"/*.deb
for deb in "$out"/*.deb; do
  dpkg-deb -x "$deb" "$again/deb"
done
try "set of Debian's packages" "$again/deb/usr/bin"
rpm -K "$out"/*.rpm >/dev/null
(cd "$again/rpm" && rpm2cpio "$out"/*.rpm | cpio -id --quiet)
try RPM "$again/rpm/usr/bin"
python3 -m venv --without-pip "$again/wheel"
python3 -m pip --python "$again/wheel/bin/python" install -q --no-index \
  "$out"/*.whl
try wheel "$again/wheel/bin"
rm -rf "$again"
say "the extension holds what registries ask for: $(basename "$out"/*.vsix)"

(cd "$out" && sha256sum -- * >SHA256SUMS && sha256sum --quiet -c SHA256SUMS)
say "commit $(git rev-parse HEAD), of $(date -u -d "@$SOURCE_DATE_EPOCH" +%F), in $out:"
cat "$out/SHA256SUMS"
