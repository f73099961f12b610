# Sourced by the tests of `clrewrite fleet`, in a folder of their own: files, what one
# run over them gives, and a program `driver` whose shards do what the tests say.
#
# `driver` is clrewrite. Beside it stands a script `clrewrite`, which is what the shards
# are run by: where there is a file event.I, shard I does what it says, once. Each line
# of the file `runs` is a shard that was begun.
set -eu
real=$(command -v clrewrite)
export CLREWRITE_CACHE_DIR="$PWD/cache"
mkdir -p src bin
for i in 1 2 3 4 5 6; do
  sed "s/sum4/sum4_$i/" "$INPUTS/sum4.cl" >"src/s$i.cl"
done
# A name that would do something if a shell read it.
cp src/s1.cl "src/a 'b' \"c\" \$(touch owned) %a;touch owned.cl"
command='measure --target=gfx600 --format=json src'
clrewrite $command >whole.json

ln "$real" bin/driver 2>/dev/null || cp "$real" bin/driver
[ ! -e "$real-device" ] || ln -s "$real-device" bin/
cat >bin/clrewrite <<TEXT
#!/bin/sh
shard=
for word; do
  case \$word in --shard=*) shard=\${word#--shard=} shard=\${shard%/*} ;; esac
done
[ -z "\$shard" ] || echo "\$shard" >>'$PWD/runs'
cd0=\$PWD
cd '$PWD'
if [ -e "event.\$shard" ]; then
  mv "event.\$shard" "happened.\$shard"
  . "./happened.\$shard"
fi
cd "\$cd0"
exec '$real' "\$@"
TEXT
chmod +x bin/clrewrite

# code N COMMAND...: it must exit with N.
code() {
  wanted=$1 is=0
  shift
  "$@" >log 2>&1 || is=$?
  [ $is = "$wanted" ] || {
    echo "exit code $is, not $wanted: $*"
    cat log
    exit 1
  }
}

# whole: the merged document is that of one run, and nothing is left beside it.
whole() {
  cmp whole.json out.json
  rm out.json
  [ ! -e out.json.fleet ] && [ ! -e owned ]
}

# ran "N I...": which shards were begun, how often, since it was last asked.
ran() {
  sort -n runs | uniq -c | sed 's/^ *//' | paste -sd, - >counts
  rm runs
  [ "$(cat counts)" = "$1" ] || {
    echo "shards that ran, how often: $(cat counts), not $1"
    exit 1
  }
}
