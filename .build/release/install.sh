#!/bin/sh
# Installs Parley @VERSION@ as /usr/local/bin/parley, or in the folder that is given: sh install.sh [folder]
# Takes the archive and SHA256SUMS from its own folder if they are there, else from $PARLEY_DOWNLOAD_URL,
# and unpacks nothing whose sum is not the one in SHA256SUMS, or that is not signed with the key below.
set -eu

version='@VERSION@'
address="${PARLEY_DOWNLOAD_URL:-@URL@}"
folder="${1:-/usr/local/bin}"
# The public key of this release; empty: it is not signed.
key='@KEY@'

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

files=SHA256SUMS
if [ -n "$key" ]; then
  files='SHA256SUMS SHA256SUMS.sig'
  openssl pkeyutl -help 2>&1 | grep -q -- '-rawin' ||
    fail 'OpenSSL 3 is needed to check the signature: install openssl (macOS: brew install openssl@3, and put it first in PATH)'
fi

# The first line of a Parley that is there is "Parley VERSION".
is_newer() {
  awk -v a="$1" -v b="$2" 'BEGIN {
    split(a, x, "."); split(b, y, ".")
    for (i = 1; i <= 3; i++) if (x[i] + 0 != y[i] + 0) exit !(x[i] + 0 > y[i] + 0)
    exit 1
  }'
}
if [ -x "$folder/parley" ]; then
  present="$("$folder/parley" --version 2>/dev/null | sed -n '1s/^Parley \([0-9.]*\).*/\1/p')"
  ! is_newer "$present" "$version" || fail "$folder/parley is version $present, which is newer than $version"
fi

archive="parley-$version-$system-$processor.tar.gz"
work="$(mktemp -d)"
trap 'rm -rf "$work"' EXIT
trap 'exit 1' HUP INT TERM

own="$(dirname "$0")"
for name in "$archive" $files; do
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
if [ -n "$key" ]; then
  printf '%s\n' '-----BEGIN PUBLIC KEY-----' "$key" '-----END PUBLIC KEY-----' >key.pem
  openssl pkeyutl -verify -pubin -inkey key.pem -rawin -in SHA256SUMS -sigfile SHA256SUMS.sig >/dev/null 2>&1 ||
    fail 'SHA256SUMS is not signed with the key of this release: a file was changed, or someone else made it'
else
  echo 'This release is not signed: only its sum is checked.' >&2
fi
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
