# shellcheck shell=sh
# SPDX-License-Identifier: MIT
#
# Programs that build an emulator source this file: what they print, the digests that name what they keep,
# and the cache in which they keep it. They set $work to a folder for clean_up() to remove.

# Our own make has no say in how an emulator is made: without built-in rules, for one, nothing would be compiled.
unset MAKEFLAGS MFLAGS MAKELEVEL MAKEOVERRIDES
cache=${XDG_CACHE_HOME:-$HOME/.cache}/barecount
work=

say() { echo "${0##*/}: $*" >&2; }
give_up() { status=$1; shift; say "$*"; exit "$status"; }
clean_up() { [ -z "$work" ] || rm -rf "$work"; }
digest() { sha256sum | cut -c 1-16; }

# Prints the digest of the names and contents of all files in this folder, or of these files in it.
digest_of_files() {
    find "${@:-.}" -type f -print0 | LC_ALL=C sort -z | xargs -0 sha256sum | digest
}

digest_of_folder() (cd "$1" && digest_of_files)

# Removes all except the newest $1 of the other arguments, which need not exist.
prune() (
    kept=$1
    shift
    # shellcheck disable=SC2012  # our own names, without blanks in them
    cd "$cache" && ls -dt -- "$@" 2> /dev/null | tail -n "+$((kept + 1))" | xargs rm -rf
)

# Ends this program unless each argument is a path below the checkout that exists.
check_paths() {
    for path in "$@"; do
        case $path in /*|*..*) give_up 2 "$path is not a path below the checkout" ;; esac
        [ -e "$path" ] || give_up 2 "$path does not exist"
    done
}
