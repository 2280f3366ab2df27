# What the scripts of this folder share. They set `target` before they call a function.

root=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
cd "$root"
export CARGO_TERM_COLOR=never CARGO_INCREMENTAL=0

say() { printf '\n== %s\n' "$*"; }
skip() { echo "SKIPPED: $target: $1"; }
fail() { echo "FAILED: $target: $1" >&2; exit 1; }

# Makes sure that a program is here: need PROGRAM PACKAGE...
need() {
    command -v "$1" >/dev/null && return
    [[ $(id -u) == 0 ]] && command -v apt-get >/dev/null || return
    { apt-get install -y -qq --no-install-recommends "${@:2}" \
        || { apt-get update -qq && apt-get install -y -qq --no-install-recommends "${@:2}"; }; } >/dev/null 2>&1
    command -v "$1" >/dev/null
}

# Sets `cargo` to the command that builds for the target, and `build_std` to its options: the toolchain in use if it has the target's
# standard library, otherwise one of the system that compiles it from its sources. choose_cargo CRATES-OF-THE-STANDARD-LIBRARY
choose_cargo() {
    cargo=(cargo) build_std=()
    [[ -d $(rustc --print sysroot)/lib/rustlib/$target/lib ]] && return
    local sources=/usr/lib/rustlib/src/rust/library
    [[ -d $sources && -x /usr/bin/cargo ]] || need /usr/bin/cargo rustc-web cargo-web libstd-rust-web-dev rust-web-src || true
    if [[ ! -d $sources || ! -x /usr/bin/cargo ]]; then
        skip "its standard library is not here; \`rustup target add $target\` installs it"
        return 1
    fi
    # Building the standard library is an unstable option of Cargo; the variable lets a stable one use it.
    cargo=(env RUSTC=/usr/bin/rustc RUSTDOC=/usr/bin/rustdoc RUSTC_BOOTSTRAP=1 /usr/bin/cargo)
    build_std=("-Zbuild-std=$1")
}
