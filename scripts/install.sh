#!/usr/bin/env bash
# Afterwards .venv holds what the requirements file ($1) names. Where it already does, nothing happens.
set -euo pipefail
cd "$(dirname "$0")/.."

requirements=$1
python=${PYTHON:-python3}
stamp=.venv/installed-$requirements

fail() {
  echo "commonplace: $*" >&2
  exit 2
}

wanted() {
  cat requirements.txt "$requirements" | sha256sum | cut -d' ' -f1
}

current() {
  [[ -f $stamp && $(cat "$stamp") == "$(wanted)" ]] && .venv/bin/python -c '' 2>/dev/null
}

current && exit 0

command -v "$python" >/dev/null || fail "$python is missing: apt-get install python3 python3-venv"
"$python" -c 'import sys; sys.exit(sys.version_info < (3, 11))' \
  || fail "Python 3.11 or newer is needed, and $python is $("$python" -V | cut -d' ' -f2): set PYTHON=/path/to/python3.11"
touch .venv.lock 2>/dev/null || fail "$PWD cannot be written: clone the product into a folder of your own"

# Two makes at once would install into each other.
exec 9>.venv.lock
flock 9
current && exit 0

if ! .venv/bin/python -m pip --version >/dev/null 2>&1; then
  "$python" -c 'import ensurepip, venv' 2>/dev/null || fail "The venv module is missing: apt-get install python3-venv"
  echo "  making .venv with Python $("$python" -V | cut -d' ' -f2)"
  "$python" -m venv --clear .venv
fi

total=$(cat requirements.txt "$requirements" | grep -c '==' || true)
[[ $requirements == requirements.txt ]] && total=$(grep -c '==' requirements.txt)
echo "  installing $total packages into .venv (minutes the first time, and then never again)"
log=.venv/install.log
export PIP_DISABLE_PIP_VERSION_CHECK=1 PIP_ROOT_USER_ACTION=ignore PIP_NO_INPUT=1
if ! .venv/bin/python -m pip install --progress-bar off -r "$requirements" 2>&1 | tee "$log" \
  | awk -v total="$total" '/^(Collecting|Processing|Requirement already satisfied)/ && !seen[$2 $4]++ && ++n % 20 == 0 && n < total \
      { print "    " n " of " total; fflush() } /^Installing collected/ { print "    unpacking"; fflush() }'; then
  grep -m3 -i '^error' "$log" >&2 || tail -n 3 "$log" >&2
  fail "The packages could not be installed (see $log): check the connection to the package index and try again"
fi
# The larger set holds the smaller one.
wanted >"$stamp"
[[ $requirements == requirements.txt ]] || cat requirements.txt requirements.txt | sha256sum | cut -d' ' -f1 >.venv/installed-requirements.txt
