#!/usr/bin/env bash
# Builds the modules of the npm package, assembles package and playground, and tests them in Node and in a browser.
#
#   tools/wasm/test.sh
#
# PDN names the command for this machine, whose answers are compared; PDN_CORPORA a folder with real archives. PDN_PROFILE is the profile of
# Cargo for the modules (default: dev, which is quick to build and not for measuring; `release` checks the sizes, too). With
# PDN_MODULES=FOLDER, the modules of that folder are tested instead: pdn_wasm.wasm and pdn_wasm_search.wasm.
#
# What the machine lacks is skipped, with the reason on a line that begins with `SKIPPED:`.
set -euo pipefail
cd "$(dirname "$0")/../.."
: "${PDN_PROFILE:=dev}"
if ! command -v node >/dev/null; then
    echo "SKIPPED: the npm package is not tested: Node is not here"
    exit 0
fi
if [[ -z ${PDN_MODULES:-} ]]; then
    PDN_MODULES=$PWD/target/wasm/modules
    rm -rf "$PDN_MODULES"
    PDN_PROFILE=$PDN_PROFILE tools/wasm/build "$PDN_MODULES" npm
    # What was in the way is said already.
    [[ -e $PDN_MODULES/pdn_wasm.wasm ]] || exit 0
fi
search=$PDN_MODULES/pdn_wasm_search.wasm
[[ -e $search ]] || search=
tools/wasm/package "$PDN_MODULES/pdn_wasm.wasm" ${search:+"$search"}
# Modules that are not optimised are large, and compressing them takes longer than all tests.
[[ $PDN_PROFILE != release ]] || node tools/wasm/sizes.js --check
if [[ -z ${PDN:-} ]]; then
    cargo build --quiet -p pdn-cli
    export PDN=$PWD/target/debug/pdn
fi
# The tests of the explorer's page have the browser and what drives it.
(cd tools/explorer/tests/page && { [[ -e node_modules/playwright-core ]] || npm install --no-audit --no-fund --no-package-lock; })
node --test --test-concurrency=1 tools/wasm/tests/*.test.js
