# bare.sh, read in by what tries clrewrite where nobody has ever worked: a bare system
# that mmdebstrap makes. Needs root, mmdebstrap and a network.

# alone SCRIPT ARGUMENT...: runs it again where mounts are seen by it alone, and end
# with it.
alone() {
  [ "$(id -u)" = 0 ] || {
    echo "$(basename "$1"): this needs root" >&2
    exit 77
  }
  [ "${ALONE:-}" ] || ALONE=1 exec unshare --mount --pid --fork --kill-child sh "$@"
}

# archives FOLDER: FOLDER/sources.list has those that this machine's apt uses. Their
# origin is known once their lists are here.
archives() {
  for try in known fetched; do
    [ $try = known ] || apt-get update -q >"$1/log" 2>&1 || return 1
    apt-get indextargets --format \
      'deb $(REPO_URI) $(RELEASE) $(COMPONENT)|$(ORIGIN)' 'Created-By: Packages' |
      sed -nE 's/\|(Debian|Ubuntu)$//p' | sort -u >"$1/sources.list"
    [ ! -s "$1/sources.list" ] || return 0
  done
  return 1
}

# archives_of FOLDER SUITE: FOLDER/sources.list has those of another release, Debian's or
# Ubuntu's. Debian 12 has no keys of Ubuntu's; where the package ubuntu-keyring is
# missing, its archives are taken unsigned, which is for trying alone.
archives_of() {
  case $2 in
  bionic | focal | jammy | noble)
    keys=/usr/share/keyrings/ubuntu-archive-keyring.gpg trust=trusted=yes
    [ ! -f $keys ] || trust=signed-by=$keys
    lines=$(for suite in "$2" "$2-updates"; do
      echo "deb [$trust] http://archive.ubuntu.com/ubuntu $suite main universe"
    done)
    ;;
  *)
    lines="deb http://deb.debian.org/debian $2 main"
    [ "$2" != bookworm ] || lines="$lines
deb http://deb.debian.org/debian-security $2-security main"
    ;;
  esac
  echo "$lines" >"$1/sources.list"
}

# bare FOLDER SUITE TARGET OPTION...: makes the system TARGET of the archives in
# FOLDER/sources.list, which it reaches as this machine's apt does; FOLDER/log tells.
# Without being asked, mmdebstrap installs apt in Debian's systems, and not in Ubuntu's.
bare() {
  folder=$1 suite=$2 target=$3
  shift 3
  apt-config dump Acquire |
    grep -E '^Acquire::(https?::Proxy|Check-|Retries)' >"$folder/apt.conf" || :
  mmdebstrap --variant=minbase --include=apt --aptopt="$folder/apt.conf" \
    --dpkgopt=force-unsafe-io "$@" "$suite" "$target" "$folder/sources.list" \
    >"$folder/log" 2>&1
}

# kept FOLDER SUITE OPTION...: the system FOLDER/system, made unless it is there, with
# what programs expect of a running one.
kept() {
  folder=$1 suite=$2
  shift 2
  if [ ! -f "$folder/made" ]; then
    rm -rf "$folder/system"
    bare "$folder" "$suite" "$folder/system" "$@" || {
      tail -n 20 "$folder/log"
      exit 1
    }
    cp "$folder/apt.conf" "$folder/system/etc/apt/apt.conf.d/99here"
    touch "$folder/made"
  fi
  # What is no place of a mount can't be the root of programs that mount.
  mount --bind "$folder/system" "$folder/system"
  mount -t proc proc "$folder/system/proc"
  mount --rbind /dev "$folder/system/dev"
  mount --rbind /sys "$folder/system/sys"
  mount -t tmpfs -o mode=1777 tmpfs "$folder/system/tmp"
  cp /etc/resolv.conf /etc/hosts "$folder/system/etc/"
}
