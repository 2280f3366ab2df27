#!/usr/bin/env bash
# Tests the tables in Spark on a cluster of two executors on this machine. Takes Java 17 or later.
#
#   tools/python/test-spark.sh [ARGUMENTS OF PYTEST]
#
# PySpark is large, so these tests have a virtual environment of their own, which is kept in target/python. The wheel is the
# one that test.sh has built; without one it is built here. PDN_SPARK_MASTER names another master, such as `local[2]`.
set -euo pipefail
cd "$(dirname "$0")"
root=$(cd ../.. && pwd)
venv=${PDN_SPARK_VENV:-$root/target/python/venv-spark}
export CARGO_TARGET_DIR=${PDN_PYTHON_TARGET:-$root/target/python/build}
export PYO3_PYTHON=$venv/bin/python

if ! command -v java > /dev/null && [[ -z ${JAVA_HOME:-} ]]; then
    echo "SKIPPED: there is no Java, the tables in Spark are not tested"
    exit 0
fi
if [[ ! -x $venv/bin/python ]]; then
    "${PYTHON:-python3}" -m venv "$venv"
fi
"$venv/bin/python" -m pip install --quiet --requirement requirements-spark.txt
wheels=("$root"/target/python/wheels/pdn-*.whl)
if [[ ! -f ${wheels[0]} ]]; then
    "$venv/bin/maturin" build --release --quiet --interpreter "$venv/bin/python" --out "$root/target/python/wheels"
    wheels=("$root"/target/python/wheels/pdn-*.whl)
fi
"$venv/bin/python" -m pip install --quiet --force-reinstall --no-deps "${wheels[@]}"
"$venv/bin/python" -m pytest --quiet tests/test_spark.py "$@"
