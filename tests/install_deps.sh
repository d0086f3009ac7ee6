#!/bin/sh
# install_deps.sh PACKAGE...: installs those Debian packages that are missing, and does nothing (and
# needs no rights) where all are there. As an ordinary user it asks sudo.
set -eu

if ! command -v dpkg-query >/dev/null; then
    echo "not a Debian system; needed are what Debian calls: $*" >&2
    exit 0
fi
missing=
for package in "$@"; do
    # shellcheck disable=SC2016 # the format is dpkg's
    [ "$(dpkg-query -W -f='${db:Status-Status}' "$package" 2>/dev/null)" = installed ] ||
        missing="$missing $package"
done
[ -n "$missing" ] || exit 0

echo "installing:$missing"
sudo=
[ "$(id -u)" = 0 ] || sudo=sudo
export DEBIAN_FRONTEND=noninteractive
# Servers that come with a package (sshd, databases) are not started: the tests start their own.
policy=/usr/sbin/policy-rc.d
if [ ! -e "$policy" ]; then
    trap '$sudo rm -f "$policy"' EXIT
    printf '#!/bin/sh\nexit 101\n' | $sudo tee "$policy" >/dev/null
    $sudo chmod 755 "$policy"
fi
install() {
    # shellcheck disable=SC2086 # a list of words
    $sudo apt-get install -y -qq --no-install-recommends $missing
}
# Lists may be missing or old: fetch them only where they are needed.
install || { $sudo apt-get update -qq && install; }
