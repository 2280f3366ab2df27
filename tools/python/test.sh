#!/usr/bin/env bash
# Builds the wheel, installs it in a virtual environment of its own, and runs all tests of the module.
#
#   tools/python/test.sh [ARGUMENTS OF PYTEST]
#
# The environment is kept in target/python. PDN_COMMAND names the command `pdn` whose tables are compared with those of the
# module; by default it is built. PYTHON names the interpreter that makes the environment.
set -euo pipefail
cd "$(dirname "$0")"
root=$(cd ../.. && pwd)
venv=${PDN_VENV:-$root/target/python/venv}
export CARGO_TARGET_DIR=${PDN_PYTHON_TARGET:-$root/target/python/build}
export PYO3_PYTHON=$venv/bin/python

if [[ ! -x $venv/bin/python ]]; then
    "${PYTHON:-python3}" -m venv "$venv"
fi
"$venv/bin/python" -m pip install --quiet --requirement requirements-test.txt
rm -rf "$root/target/python/wheels"
# In several units, which all processors compile; tools/release/wheels builds the wheel that is published, and checks its size.
export CARGO_PROFILE_RELEASE_CODEGEN_UNITS=16
"$venv/bin/maturin" build --release --quiet --interpreter "$venv/bin/python" --out "$root/target/python/wheels"
"$venv/bin/python" -m pip install --quiet --force-reinstall --no-deps "$root"/target/python/wheels/pdn-*.whl
# The libraries that read tables come with the wheel, as in the installation that the notebook asks for.
"$venv/bin/python" -m pip install --quiet "$(echo "$root"/target/python/wheels/pdn-*.whl)[data]"

if [[ -z ${PDN_COMMAND:-} ]]; then
    # With every format, as .ci/run tests it.
    (cd "$root" && CARGO_TARGET_DIR=$root/target cargo build --quiet -p pdn-cli --features sqlite,arrow,parquet)
    export PDN_COMMAND=$root/target/debug/pdn
fi
cargo clippy --quiet --workspace --all-targets -- -D warnings
"$venv/bin/python" -m pytest --quiet "$@"
"$venv/bin/python" -m mypy --config-file pyproject.toml -p pdn
"$venv/bin/python" -m mypy.stubtest --mypy-config-file pyproject.toml pdn
