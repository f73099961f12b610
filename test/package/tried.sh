# tried.sh, read in where there is a bare system around: uses programs there.
say() { echo "in the bare system: $*"; }
die() {
  echo "WRONG: $*"
  exit 1
}
# tried NAME BIN: the programs in the folder BIN of what is called NAME.
tried() {
  "$2/clrewrite" --version | grep -q '^clrewrite .* (LLVM' || die "$1"
  cp sum4.cl fixed.cl
  "$2/clrewrite" --target=gfx600 --only-target --only=serialise-vload --fix fixed.cl
  grep -q opencl_unroll_hint fixed.cl || die "the $1's program fixed nothing"
  "$2/clrewrite" devices | grep -q 'no OpenCL devices' || die "$1: devices"
  "$2/clrewrite" capture --quiet -o capture -- true || die "$1: capture"
  test -f capture/capture.json || die "$1: no capture"
  rm -rf capture
}
