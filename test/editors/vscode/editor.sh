#!/bin/sh
# editor.sh OUT BIN [SCRIPT]: runs SCRIPT of this folder (editor.test.mjs) with a
# real editor, the extension OUT/clrewrite.vsix, and clrewrite of BIN.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
out=$1
bin=$2
script=${3:-editor.test.mjs}
for tool in npm chromium; do
  command -v $tool >/dev/null || {
    echo "no $tool: the extension for VS Code is not tried in an editor"
    exit 77
  }
done
"$bin/clrewrite" --version | grep -q '(LLVM 22' || {
  echo "what it expects to see in the editor are figures of LLVM 22"
  exit 77
}
mkdir -p "$out/editor" "$out/work"
cp "$here/package.json" "$here/package-lock.json" "$out/editor"
sh "$here/install.sh" "$out/editor"
# The editor wants a newer Node.js than Debian 12 has.
MODULES=$out/editor/node_modules
for node in "$MODULES"/node-linux-*/bin/node; do
  [ -x "$node" ] && break
done
WORK=$out/work VSIX=$out/clrewrite.vsix BIN=$bin
KERNELS=$here/../../../examples/box-sum
CHROMIUM=$(command -v chromium)
# The sockets of editor and browser lie here: a socket's path has room for 107
# bytes, which a deep TMPDIR would fill.
TMPDIR=$(mktemp -d)
[ ${#TMPDIR} -le 40 ] || {
  rmdir "$TMPDIR"
  TMPDIR=$(mktemp -d /tmp/clrXXXXXX)
}
trap 'rm -rf "$TMPDIR"' EXIT
trap 'exit 1' INT TERM
export MODULES WORK VSIX BIN KERNELS CHROMIUM TMPDIR
case $script in
*.test.mjs) "$node" --test --test-reporter=spec "$here/$script" ;;
*) "$node" "$here/$script" ;;
esac
