#!/bin/sh
# Installs the command `pdn`, version {{version}}, for Linux or macOS, without the rights of an administrator:
#
#   sh install.sh [FOLDER]          by default ~/.local/bin
#
# The archive is fetched from {{url}}, compared with the SHA-256 that stands below, and unpacked.
set -eu

folder=${1:-$HOME/.local/bin}
case "$(uname -s) $(uname -m)" in
"Linux x86_64")
    file={{file x86_64-unknown-linux-musl}} sum={{sha256 x86_64-unknown-linux-musl}} ;;
"Linux aarch64" | "Linux arm64")
    file={{file aarch64-unknown-linux-musl}} sum={{sha256 aarch64-unknown-linux-musl}} ;;
"Darwin x86_64")
    file={{file x86_64-apple-darwin}} sum={{sha256 x86_64-apple-darwin}} ;;
"Darwin arm64")
    file={{file aarch64-apple-darwin}} sum={{sha256 aarch64-apple-darwin}} ;;
*)
    echo "install.sh: no build for $(uname -s) on $(uname -m); \`cargo install pdn-cli\` compiles one" >&2
    exit 1
    ;;
esac

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
if command -v curl >/dev/null; then
    curl --fail --silent --show-error --location --output "$work/$file" "{{url}}/$file"
else
    wget -q -O "$work/$file" "{{url}}/$file"
fi
if command -v sha256sum >/dev/null; then
    found=$(sha256sum "$work/$file")
else
    found=$(shasum -a 256 "$work/$file")
fi
if [ "${found%% *}" != "$sum" ]; then
    echo "install.sh: $file has the SHA-256 ${found%% *}, not $sum; nothing was installed" >&2
    exit 1
fi
tar -xzf "$work/$file" -C "$work"
mkdir -p "$folder"
# Renamed into place, so that a command that is running is not written over.
cp "$work/${file%.tar.gz}/pdn" "$folder/.pdn.new"
mv "$folder/.pdn.new" "$folder/pdn"
# What `pdn export-site` publishes.
if [ -d "$work/${file%.tar.gz}/module" ]; then
    mkdir -p "$folder/../share/pdn/module"
    cp "$work/${file%.tar.gz}/module/"* "$folder/../share/pdn/module"
fi
"$folder/pdn" --version
case ":$PATH:" in
*":$folder:"*) ;;
*) echo "$folder is not in PATH" ;;
esac
