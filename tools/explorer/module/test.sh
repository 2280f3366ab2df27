#!/usr/bin/env bash
# Builds the module that answers the questions of the page from an index on a web space, compares its answers with those of the server,
# and opens a site that has both in a browser. PDN=PROGRAM is the command and MODULE=FOLDER what `build` made; they are built if they are
# not given. Skipped, and said so, where the module cannot be built or run.
set -euo pipefail
# shellcheck disable=SC2034 # The functions of common.sh read it.
target=wasm32-unknown-unknown
# shellcheck source=tools/release/common.sh
. "$(dirname "$0")/../../release/common.sh"
command -v node >/dev/null || { skip "no Node here; the module of the explorer is not tested"; exit 0; }
if [[ -z ${MODULE:-} ]]; then
    MODULE=$root/target/module-of-tests
    choose_cargo std,panic_abort && choose_wasm_linker || exit 0
    PDN_PROFILE=${PDN_PROFILE:-dev} tools/explorer/module/build "$MODULE"
fi
if [[ -z ${PDN:-} ]]; then
    cargo build --quiet -p pdn-cli --features serve
    PDN=target/debug/pdn
fi
tests=(tools/explorer/module/module.test.js)
if [[ -d tools/explorer/tests/page/node_modules/playwright-core ]] && { command -v chromium-headless-shell || command -v chromium; } >/dev/null; then
    tests+=(tools/explorer/module/browser.test.js)
else
    echo "SKIPPED: no Chromium or no playwright-core here (tools/explorer/test.sh installs them); the module is tested in Node only"
fi
PDN=$(realpath "$PDN") MODULE=$(realpath "$MODULE") node --test --test-concurrency=1 "${tests[@]}"
