#!/bin/sh
# Set up .venv: with an argument ("test", "check" or "site") that extra of pyproject.toml too. Costs nothing when nothing changed.
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

make_venv() {
    if python=$(find_python "venv, ensurepip") && "$python" -m venv --clear .venv >/dev/null 2>&1; then return; fi
    python=$(find_python venv) ||
        give_up "Python 3.11 or newer is needed and was not found: install it, or name it (make lab PYTHON=/path/to/python3)."
    make_venv_without_ensurepip
}

# Debian and Ubuntu keep ensurepip, from which venv takes pip, in a package of its own.
# The system is changed last of all: apt may upgrade Python itself along with that package.
make_venv_without_ensurepip() {
    package=$("$python" -c 'import sys; print("python%d.%d-venv" % sys.version_info[:2])')
    if "$python" -m virtualenv --quiet --clear .venv >/dev/null 2>&1; then return; fi
    if "$python" -m venv --clear --without-pip .venv >/dev/null 2>&1 && borrow_pip; then return; fi
    if apt_install "$package" && "$python" -m venv --clear .venv >/dev/null 2>&1; then return; fi
    rm -rf .venv
    give_up "$python cannot make an environment: install its venv module (Debian, Ubuntu: sudo apt install $package), then run make again."
}

borrow_pip() {
    "$python" -m pip --python .venv/bin/python install --quiet --constraint constraints.txt pip >/dev/null 2>&1
}

apt_install() {
    [ "$(id -u)" = 0 ] && command -v apt-get >/dev/null 2>&1 || return 1
    say "installing $1 with apt-get ..."
    export DEBIAN_FRONTEND=noninteractive
    apt-get update -qq >&2 && apt-get install -qq -y --no-install-recommends "$1" >&2
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
echo "$wanted" > .venv/set-up-lab
# Those extras are part of these.
case $extra in
    check) echo "$wanted" > .venv/set-up-test && echo "$wanted" > .venv/set-up-site ;;
    test) echo "$wanted" > .venv/set-up-site ;;
esac
