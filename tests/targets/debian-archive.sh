# shellcheck shell=sh
# SPDX-License-Identifier: MIT
#
# Programs that fetch packages from Debian's archive source this file. It makes an apt of its own in a
# folder of its own, so that the apt of this machine does not change.

KEYRING=/usr/share/keyrings/debian-archive-keyring.gpg

# Prints the archive from which this machine's own apt takes Debian: the first that offers Debian's
# `main` or, if apt has no lists yet, the first whose address ends like that of a Debian archive.
debian_mirror() {
    {
        # shellcheck disable=SC2016  # apt's own variables
        apt-get indextargets --format '$(ORIGIN) $(COMPONENT) $(SITE)' || true
        apt-get update --print-uris | sed -n "s#^'\(.*/debian\)/*/dists/.*#Debian main \1#p"
    } 2> /dev/null | awk '$1 == "Debian" && $2 == "main" && $3 !~ /security/ { print $3; exit }'
}

# Makes such a folder $1: for packages of kind $2 (deb, deb-src) of the distributions $3 from mirror $4, as a
# machine of architecture $5 takes them.
make_private_apt() {
    mkdir -p "$1/lists/partial" "$1/cache/archives/partial"
    signed_by=
    [ ! -e "$KEYRING" ] || signed_by=" signed-by=$KEYRING"
    for distribution in $3; do
        echo "$2 [arch=$5$signed_by] $4 $distribution main"
    done > "$1/sources.list"
    echo "$5" > "$1/architecture"
    : > "$1/status"
}

# Runs apt's tool $2 in such a folder $1, with the other arguments.
private_apt() (
    tool=$2
    cd "$1"
    shift 2
    exec "$tool" -q -o Dir::Etc::SourceList="$PWD/sources.list" -o Dir::Etc::SourceParts=/dev/null \
        -o Dir::State::Lists="$PWD/lists" -o Dir::Cache="$PWD/cache" \
        -o Dir::State::status="$PWD/status" -o APT::Architecture="$(cat architecture)" \
        -o APT::Architectures="$(cat architecture)" -o APT::Sandbox::User= \
        -o APT::Get::List-Cleanup=0 -o Acquire::Languages=none "$@"
)
