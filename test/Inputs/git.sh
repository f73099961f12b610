# For tests with git, to be sourced in an empty folder: nobody's settings count,
# and `repository NAME` makes one and goes there.
HOME=$PWD/home
XDG_CACHE_HOME=$HOME/cache PRE_COMMIT_HOME=$HOME/pre-commit
GIT_CONFIG_GLOBAL=$HOME/gitconfig GIT_CONFIG_NOSYSTEM=1
GIT_CEILING_DIRECTORIES=$(dirname "$PWD") # above is another repository
export HOME XDG_CACHE_HOME PRE_COMMIT_HOME GIT_CONFIG_GLOBAL GIT_CONFIG_NOSYSTEM
export GIT_CEILING_DIRECTORIES
mkdir -p "$HOME"
git config --global user.name tester
git config --global user.email tester@localhost
git config --global init.defaultBranch main

repository() {
  git init -q "$1"
  cd "$1"
}

# Runs a command that may fail, and tells its exit code.
code() {
  if "$@"; then echo "exit 0"; else echo "exit $?"; fi
}
