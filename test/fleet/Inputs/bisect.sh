# Makes a repository of eight commits, of which the fourth does not parse and the sixth takes
# more registers; and two nights. Then git finds the commit.
set -eu
export GIT_CONFIG_GLOBAL=/dev/null GIT_CONFIG_SYSTEM=/dev/null
export GIT_AUTHOR_NAME=n GIT_AUTHOR_EMAIL=e GIT_COMMITTER_NAME=n GIT_COMMITTER_EMAIL=e
git init -q -b main repo
cd repo
commit() {
  echo "// $1" | cat - ../text >k.cl
  git add k.cl
  git commit -q -m "commit $1"
}
text() {
  echo "kernel void k(global int *p) { __asm__ volatile(\"\" ::: \"v$1\"); p[0] = 1; }" >../text
}
measure="clrewrite measure --target=gfx906 --format=json k.cl"
night() {
  $measure >../night.json
  clrewrite history ../nights.db --add=../night.json --date="$1" \
    --commit="$(git rev-parse --short HEAD)"
}
text 9
commit 1
night d1
good=$(git rev-parse HEAD)
commit 2
commit 3
echo '}' >../text
commit 4
text 9
commit 5
text 99
commit 6
commit 7
commit 8
night d2
git bisect start HEAD "$good"
git bisect run sh -c "$measure | clrewrite history ../nights.db --bisect=k"
echo "found $(git log -1 --format=%s bisect/bad | sed 's/commit //')"
