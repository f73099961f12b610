#!/bin/sh
# made.sh BUILD KIND: prints where BUILD has its packages for tests, and makes those of
# KIND there (packaging/make.sh), unless they are there already and nothing that they are
# made of has changed. So tests that look at the same package make it once, and quickly.
set -eu
build=$1 kind=$2
source=$(cd "$(dirname "$0")/../.." && pwd)
out=$build/test/packages
mkdir -p "$out"
export SOURCE_DATE_EPOCH=1700000000
exec 9>"$out/$kind.lock"
flock 9
cd "$source"
key=$(find README.md CHANGELOG.md LICENSE docs examples editors cmake packaging python \
  "$build/CMakeCache.txt" "$build/bin" "$build/install" \
  "$build/lib/libclrewrite-layer.so" "$build/portable" $(ls -d "$build"-llvm*/bin 2>/dev/null) -name node_modules -prune -o \
  -name __pycache__ -prune -o -type f -printf '%p %s %T@\n' | sort | sha256sum)
if [ "$(cat "$out/$kind.key" 2>/dev/null)" != "$key" ]; then
  rm -f "$out/$kind.key"
  [ "$kind" = deb ] || [ "$kind" = folder ] || sh "$0" "$build" folder >/dev/null
  sh packaging/make.sh "$build" "$out" "$kind" quick >"$out/$kind.log" 2>&1 9>&- || {
    cat "$out/$kind.log" >&2
    exit 1
  }
  echo "$key" >"$out/$kind.key"
fi
echo "$out"
