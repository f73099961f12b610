#!/bin/sh
# fresh.sh FOLDER BUILD [RUNS [FILTER]]: runs the tests of editors and browsers
# where nobody has ever worked, beside a busy process: in a bare Debian of this
# machine's release, made in FOLDER/system unless it is there, by a user who has
# just been made, without a session, a D-Bus or a locale, in long paths. BUILD is
# the build that is tested (build/release). RUNS is 1, or how often; FILTER says
# which of lit's tests, and "vscode" is that of VS Code's editor. Prints how often
# each passed; what failed is in FOLDER/failed. The system has the LLVM that BUILD was
# built with, so that each LLVM needs a FOLDER of its own. Needs root, mmdebstrap and a
# network.
#
# Environment: NOFONTS=1 hides all fonts; BUSY is how many busy processes (1).
set -eu
here=$(cd "$(dirname "$0")" && pwd)
source=$(cd "$here/../.." && pwd)
mkdir -p "$1"
folder=$(cd "$1" && pwd)
build=$(cd "$2" && pwd)
runs=${3:-1}
filter=${4:-:: (editors|html)/}
system=$folder/system

. "$here/../package/bare.sh"
alone "$here/fresh.sh" "$@"

# What the build needs to run, lit's own, and the editors and browsers.
llvm=$(sed -n 's/^config.llvm_version = "\(.*\)"/\1/p' \
  "$build/test/lit/lit.site.cfg.py")
packages="clang-$llvm libclang-cpp$llvm llvm-$llvm llvm-$llvm-tools lld-$llvm
  libclc-$llvm rocm-device-libs ocl-icd-libopencl1 pocl-opencl-icd python3 diffutils
  vim neovim kakoune emacs-nox vim-ale elpa-eglot tmux kate xvfb xdotool
  chromium poppler-utils fonts-dejavu-core nodejs npm ca-certificates"
. /etc/os-release
[ -f "$folder/made" ] || archives "$folder"
# shellcheck disable=SC2086
kept "$folder" "$VERSION_CODENAME" --aptopt='APT::Install-Recommends "false"' \
  --include="$(echo $packages | tr ' ' ,)"

# The source and the build, at their paths; nobody writes there.
for each in "$source" "$build"; do
  mkdir -p "$system$each"
  mount --bind -o ro "$each" "$system$each"
  mount -o remount,bind,ro "$system$each"
done
[ -z "${NOFONTS:-}" ] || mount -t tmpfs tmpfs "$system/usr/share/fonts"

# Whom the network trusts.
certificates=/etc/ssl/certs/ca-certificates.crt
[ ! -f $certificates ] || cp $certificates "$system$certificates"

# The packages of LLVM before 22 have lit elsewhere (test/run.py looks there too).
lit=/usr/lib/llvm-$llvm/bin/lit
[ -e "$system$lit" ] || lit=/usr/lib/llvm-$llvm/build/utils/lit/lit.py

user=newcomer
chroot "$system" sh -c "id $user || useradd --create-home $user" >/dev/null 2>&1
home=/home/$user
long=a-folder-whose-name-is-long/below-which-there-is-another-with-a-long-name
long=$home/$long/so-that-no-socket-has-a-path-that-fits-into-its-address
chroot --userspec=$user "$system" mkdir -p "$long/tmp"
work=$(chroot --userspec=$user "$system" mktemp -d "$long/lit-XXXXXX")
rm -rf "$folder/failed"
mkdir -p "$folder/failed"
sed -e "s|^config.source_root = .*|config.source_root = \"$source\"|" \
  -e "s|^config.test_exec_root = .*|config.test_exec_root = \"$work/out\"|" \
  -e "s|^lit_config.load_config(.*|lit_config.load_config(config, \"$source/test/lit.cfg.py\")|" \
  "$build/test/lit/lit.site.cfg.py" >"$system$work/lit.site.cfg.py"

as_newcomer() {
  chroot --userspec=$user "$system" env -i HOME=$home TMPDIR="$long/tmp" \
    PATH=/usr/local/bin:/usr/bin:/bin LIMIT="${LIMIT:-300}" \
    NODE_EXTRA_CA_CERTS=$certificates "$@"
}

busy=0
while [ $busy -lt "${BUSY:-1}" ]; do
  chroot --userspec=$user "$system" sh -c 'while :; do :; done' &
  busy=$((busy + 1))
done

results=$folder/results
: >"$results"
run=1
while [ $run -le "$runs" ]; do
  log=$folder/log
  if [ "$filter" = vscode ]; then
    begun=$(date +%s)
    result=PASS
    as_newcomer sh -c "cd '$long' &&
      sh '$source/test/editors/vscode/extension.sh' '$long/vscode' &&
      sh '$source/test/editors/vscode/editor.sh' '$long/vscode' '$build/bin'" \
      >"$log" 2>&1 || result=FAIL
    echo "$result: vscode.editor $(($(date +%s) - begun)) s" | tee -a "$results"
  else
    as_newcomer sh -c "cd '$work' && exec /usr/bin/python3 $lit -v -j1 \
      '--filter=$filter' --time-tests ." >"$log" 2>&1 || :
    grep -E '^(PASS|FAIL|UNSUPPORTED|UNRESOLVED|TIMEOUT): ' "$log" |
      sed 's/ ([0-9]* of [0-9]*)$//' | tee -a "$results"
  fi
  ! grep -qE '^(FAIL|UNRESOLVED|TIMEOUT)|^not ok|^✖' "$log" ||
    cp "$log" "$folder/failed/$run"
  run=$((run + 1))
done
echo "== of $runs runs:"
sed 's/ [0-9]* s$//' "$results" | sort | uniq -c
! grep -qv '^PASS' "$results"
