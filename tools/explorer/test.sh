#!/usr/bin/env bash
# Checks the types of the page's modules and lints them, and tests the page in a browser: user stories by mouse and by keyboard,
# accessibility, and pictures in `tests/page/shots`. Then puts half a minute of mixed load on the server and kills it several times.
# Installs Node.js, a Chromium without a window and the test packages if they are missing, and builds the command.
#
# With PDN=PROGRAM a built command is tested; SHOTS=FOLDER says where the pictures go.
set -euo pipefail
cd "$(dirname "$0")"

missing=()
command -v node > /dev/null || missing+=(nodejs npm)
command -v python3 > /dev/null || missing+=(python3)
command -v chromium-headless-shell > /dev/null || command -v chromium > /dev/null || missing+=(chromium-headless-shell fonts-dejavu-core)
if [ ${#missing[@]} -gt 0 ]; then
    if [ "$(id -u)" = 0 ] && command -v apt-get > /dev/null; then
        apt-get update -q
        apt-get install -y -q --no-install-recommends "${missing[@]}"
    else
        echo "SKIPPED: the tests of the page need ${missing[*]}"
        exit 0
    fi
fi

if [ -z "${PDN:-}" ]; then
    cargo build -p pdn-cli --features serve
    target=$(cargo metadata --no-deps --format-version 1 | sed 's/.*"target_directory":"\([^"]*\)".*/\1/')
    export PDN="$target/debug/pdn"
fi

cd tests/page
{ [ -e node_modules/playwright-core ] && [ -e node_modules/typescript ]; } || npm install --no-audit --no-fund --no-package-lock
node_modules/.bin/tsc -p .
node_modules/.bin/biome lint --config-path=. --error-on-warnings ../../page .
node --test times.test.js
# These measure no times, so that two may run at once.
shopt -s extglob
node --test --test-concurrency=2 !(times).test.js

# Half a minute of mixed load and kills; every answer is compared.
if command -v python3 > /dev/null; then
    ../load.py --pdn "$PDN" --minutes 0.5
else
    echo "SKIPPED: the load test needs python3"
fi
