#!/bin/sh
# extension.sh OUT: builds editors/vscode in OUT, runs its unit tests, and packs
# OUT/clrewrite.vsix. The source tree stays as it is.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
source=$here/../../../editors/vscode
out=$1
command -v npm >/dev/null || {
  echo "no npm: the extension for VS Code is not built"
  exit 77
}
mkdir -p "$out/extension"
cd "$out/extension"
# What was there from before goes, but for the packages.
find . -mindepth 1 -maxdepth 1 ! -name node_modules ! -name installed.json \
  -exec rm -rf {} +
(cd "$source" && find . -name node_modules -prune -o -type f -print |
  tar -cf - -T -) | tar -xf -
cp "$here/../../../LICENSE" "$here/../../../docs/config.schema.json" .
sh "$here/install.sh" .
npm test
python3 "$here/../../../packaging/vsix.py" . ../clrewrite.vsix
