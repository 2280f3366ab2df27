# shellcheck shell=bash disable=SC2034,SC2154
# What the scripts of this folder share. They set `target` before they call a function.

root=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
cd "$root" || exit
export CARGO_TERM_COLOR=never CARGO_INCREMENTAL=0
# Zig links for other C libraries than this machine's.
zig_version=0.17.1
# Where all files of a release are put.
dist=${PDN_DIST:-$root/target/dist}
version=$(tools/release/dist version)
# What is packed carries the time of the last commit, so that two builds of it are the same bytes.
SOURCE_DATE_EPOCH=${SOURCE_DATE_EPOCH:-$(git log -1 --format=%ct 2>/dev/null || echo 0)}
export SOURCE_DATE_EPOCH

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
    local needed found
    needed=$(sed -n 's/^rust-version = "\(.*\)"$/\1/p' "$root/Cargo.toml")
    found=$(/usr/bin/rustc --version | cut -d' ' -f2)
    if [[ $(printf '%s\n' "$needed" "$found" | sort -V | head -1) != "$needed" ]]; then
        skip "the compiler of the system is $found, and $needed is needed; \`rustup target add $target\` installs its standard library"
        return 1
    fi
    # Building the standard library is an unstable option of Cargo; the variable lets a stable one use it.
    cargo=(env RUSTC=/usr/bin/rustc RUSTDOC=/usr/bin/rustdoc RUSTC_BOOTSTRAP=1 /usr/bin/cargo)
    build_std=("-Zbuild-std=$1")
}

# Sets `run` to the words that run a command which was built for the target, before its own path: none on this machine, an emulator for
# another one. Fails if there is no emulator.
choose_runner() {
    run=()
    case $target in
    "$(uname -m)"-*-linux-* | *-apple-darwin | *-windows-msvc) return ;;
    *-windows-gnu) need wine wine wine64 && run=(tools/release/wine) ;;
    *) need "qemu-${target%%-*}-static" qemu-user-static && run=("$(command -v "qemu-${target%%-*}-static")") ;;
    esac
}

# Writes the manual pages and the completions of a command: write_documents FOLDER COMMAND...
write_documents() {
    local folder=$1
    mkdir -p "$folder/completions"
    "${@:2}" man --output "$folder/man"
    "${@:2}" completions bash >"$folder/completions/pdn.bash"
    "${@:2}" completions zsh >"$folder/completions/_pdn"
    "${@:2}" completions fish >"$folder/completions/pdn.fish"
    "${@:2}" completions powershell >"$folder/completions/_pdn.ps1"
}

# Makes sure that a tool of Cargo is here, of this very version; it is installed below target/tools. cargo_tool NAME
cargo_tool() {
    local -A versions=([cargo-auditable]=0.7.7 [cargo-cyclonedx]=0.5.9)
    local tools=$root/target/tools
    [[ :$PATH: == *":$tools/bin:"* ]] || PATH=$tools/bin:$PATH
    # Unoptimised: they run for a second, and take minutes to compile.
    env -u RUSTC -u RUSTC_BOOTSTRAP -u CARGO_ENCODED_RUSTFLAGS -u CARGO_TARGET_DIR cargo install --quiet --locked --profile dev \
        --root "$tools" --target-dir "$tools/build" "$1@${versions[$1]}" >/dev/null 2>&1
}

# Sets `linker` to the linker for WebAssembly of the system, which a compiler of the system needs; the toolchains of rustup bring their own.
choose_wasm_linker() {
    ((${#build_std[@]})) || return 0
    linker=$(compgen -c wasm-ld- | sort -V | tail -1)
    [[ $linker ]] || { need wasm-ld-22 lld-22 && linker=wasm-ld-22; } || { skip "wasm-ld is missing"; return 1; }
}

# Sets `wrapper` to a compiler that names the symbols of the module's own crates by the crate alone. Their workspace is a folder of the
# repository, so that Cargo would make the absolute path of the library part of these names.
choose_wrapper() {
    wrapper=$CARGO_TARGET_DIR/tools/rustc
    mkdir -p "${wrapper%/*}"
    cat >"$wrapper" <<'WRAPPER'
#!/usr/bin/env bash
crate=$(printf '%s\n' "$@" | sed -n '/^--crate-name$/{n;p;}')
args=()
for arg; do
    case $crate:$arg in pdn*:metadata=*) arg=metadata=$crate ;; esac
    args+=("$arg")
done
exec "${args[@]}"
WRAPPER
    chmod +x "$wrapper"
}
