#!/bin/sh
# Set up .venv: with an argument ("test") that extra of pyproject.toml too. Costs nothing when nothing changed.
set -eu
cd "$(dirname "$0")/.."

here=$(pwd -P)
extra=${1:-}
stamp=.venv/set-up-${extra:-lab}
wanted="$here $(cat pyproject.toml constraints.txt tools/set-up.sh | cksum)"

say() { echo "abviz: $*" >&2; }
give_up() { say "$*"; exit 1; }

find_python() {  # $1: what it must be able to import
    for name in ${PYTHON:-python3.14 python3.13 python3.12 python3.11 python3 python}; do
        if "$name" -c "import sys, $1; sys.exit(sys.version_info < (3, 11))" >/dev/null 2>&1; then
            command -v "$name"
            return
        fi
    done
    return 1
}

as_root() {
    if [ "$(id -u)" = 0 ]; then "$@"; else sudo -n "$@"; fi
}

apt_install() {
    command -v apt-get >/dev/null 2>&1 || return 1
    as_root true 2>/dev/null || return 1
    say "installing $* with apt-get ..."
    as_root env DEBIAN_FRONTEND=noninteractive apt-get update -qq >&2 &&
        as_root env DEBIAN_FRONTEND=noninteractive apt-get install -qq -y --no-install-recommends "$@" >&2
}

# Debian and Ubuntu keep ensurepip, without which venv makes no pip, in a package of its own.
make_venv_without_ensurepip() {
    version=$("$1" -c 'import sys; print("python%d.%d" % sys.version_info[:2])')
    if apt_install "$version-venv" && "$1" -m venv --clear .venv; then return; fi
    if "$1" -m virtualenv --quiet --clear .venv 2>/dev/null; then return; fi
    if "$1" -m venv --clear --without-pip .venv &&
        "$1" -m pip --python .venv/bin/python install --quiet --constraint constraints.txt pip 2>/dev/null; then return; fi
    rm -rf .venv
    give_up "$1 cannot make an environment: install its venv module (Debian and Ubuntu: sudo apt install $version-venv), then run make again."
}

make_venv() {
    rm -rf .venv
    if python=$(find_python "venv, ensurepip"); then
        "$python" -m venv .venv || give_up "$python -m venv .venv failed."
    elif python=$(find_python venv); then
        make_venv_without_ensurepip "$python"
    else
        give_up "Python 3.11 or newer is needed and was not found: install it, or name it (make lab PYTHON=/path/to/python3)."
    fi
}

# What is in .venv names its own path, so an environment does not survive a move of the checkout.
venv_is_usable() {
    [ "$(cat .venv/made-in 2>/dev/null || echo "$here")" = "$here" ] && .venv/bin/python -m pip --version >/dev/null 2>&1
}

pip_install() {
    .venv/bin/python -m pip --disable-pip-version-check install --quiet --constraint constraints.txt "$@"
}

if [ -x .venv/bin/python ] && [ "$(cat "$stamp" 2>/dev/null)" = "$wanted" ]; then exit 0; fi

venv_is_usable || make_venv
echo "$here" > .venv/made-in
say "installing into .venv (the first time this takes a minute) ..."
pip_install hatchling editables &&
    pip_install --no-build-isolation --editable ".${extra:+[$extra]}" ||
    give_up "the installation did not finish; pip says why above."
echo "$wanted" > "$stamp"
