#!/usr/bin/env bash
# Builds the module that answers the questions of the page from an index on a web space, and compares its answers with those of the
# server. PDN=PROGRAM is the command and MODULE=FILE the module; they are built if they are not given. Skipped, and said so, where the module cannot be built or run.
set -euo pipefail
target=wasm32-unknown-unknown
. "$(dirname "$0")/../../release/common.sh"
command -v node >/dev/null || { skip "no Node here; the module of the explorer is not tested"; exit 0; }
[[ -n ${MODULE:-} ]] || choose_cargo std,panic_abort || exit 0
if [[ -z ${MODULE:-} ]] && ((${#build_std[@]})); then
    linker=$(compgen -c wasm-ld- | sort -V | tail -1)
    [[ $linker ]] || { need wasm-ld-22 lld-22 && linker=wasm-ld-22; } || { skip "wasm-ld is missing"; exit 0; }
    export CARGO_TARGET_WASM32_UNKNOWN_UNKNOWN_LINKER=$linker
fi
[[ -n ${MODULE:-} ]] || CARGO_TARGET_DIR=target/wasm "${cargo[@]}" build "${build_std[@]}" --target $target --locked --manifest-path tools/explorer/module/Cargo.toml
if [[ -z ${PDN:-} ]]; then
    cargo build -p pdn-cli --features serve
    PDN=$root/target/debug/pdn
fi
tests=(tools/explorer/module/module.test.js)
if [[ -d tools/explorer/tests/page/node_modules/playwright-core ]] && { command -v chromium-headless-shell || command -v chromium; } >/dev/null; then
    tests+=(tools/explorer/module/browser.test.js)
else
    skip "no Chromium or no playwright-core here (tools/explorer/test.sh installs them); the module is tested in Node only"
fi
PDN=$(realpath "$PDN") MODULE=${MODULE:-$root/target/wasm/$target/debug/pdn_explorer_module.wasm} node --test --test-concurrency=1 "${tests[@]}"
