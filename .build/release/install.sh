#!/bin/sh
# Installs Parley @VERSION@ as /usr/local/bin/parley, or in the folder that is given: sh install.sh [folder]
# Takes the archive and SHA256SUMS from its own folder if they are there, else from $PARLEY_DOWNLOAD_URL,
# and unpacks nothing whose sum is not the one in SHA256SUMS.
set -eu

version='@VERSION@'
address="${PARLEY_DOWNLOAD_URL:-@URL@}"
folder="${1:-/usr/local/bin}"

fail() {
  echo "install.sh: $*" >&2
  exit 1
}

case "$(uname -s)" in
  Linux) system=linux ;;
  Darwin) system=macos ;;
  *) fail "there is no archive for $(uname -s) here; on Windows, unpack the .zip" ;;
esac
case "$(uname -m)" in
  x86_64 | amd64) processor=x64 ;;
  aarch64 | arm64) processor=arm64 ;;
  *) fail "there is no executable for $(uname -m)" ;;
esac
if [ "$system" = linux ] && ldd --version 2>&1 | grep -qi musl; then
  fail 'the executable needs glibc; with musl, install the npm package with Node 22 or newer'
fi

archive="parley-$version-$system-$processor.tar.gz"
work="$(mktemp -d)"
trap 'rm -rf "$work"' EXIT
trap 'exit 1' HUP INT TERM

own="$(dirname "$0")"
for name in "$archive" SHA256SUMS; do
  if [ -f "$own/$archive" ] && [ -f "$own/SHA256SUMS" ]; then
    cp "$own/$name" "$work/$name"
  elif [ -z "$address" ]; then
    fail "$archive and SHA256SUMS are not beside this script: put them there, or set PARLEY_DOWNLOAD_URL"
  elif command -v curl >/dev/null 2>&1; then
    curl -fsSL --proto '=https,http' -o "$work/$name" "${address%/}/$name" || fail "no download of $name"
  else
    wget -qO "$work/$name" "${address%/}/$name" || fail "no download of $name"
  fi
done

cd "$work"
grep "  $archive\$" SHA256SUMS >sum || fail "SHA256SUMS does not name $archive"
if command -v sha256sum >/dev/null 2>&1; then
  sha256sum -c sum >/dev/null 2>&1 || fail "$archive is damaged: its sum is not the one in SHA256SUMS"
else
  shasum -a 256 -c sum >/dev/null 2>&1 || fail "$archive is damaged: its sum is not the one in SHA256SUMS"
fi
tar -xzf "$archive"
cd "$OLDPWD"

mkdir -p "$folder" 2>/dev/null || true
[ -w "$folder" ] || fail "no permission to write to $folder: run as root, or name a folder: sh install.sh ~/.local/bin"
# By a rename, which leaves a server that runs from the old one undisturbed.
cp "$work/parley-$version-$system-$processor/parley" "$folder/.parley-$$"
chmod 755 "$folder/.parley-$$"
mv -f "$folder/.parley-$$" "$folder/parley"
"$folder/parley" --version
echo "Installed as $folder/parley. Start it, and open the link that it prints."
