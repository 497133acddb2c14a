#!/usr/bin/env bash
# The demonstration: build a verifier, find an error, find a shortest one, show it.
# The argument is the folder that hsfpy was installed into; without it, hsfpy is taken from PATH.
set -euo pipefail
[ $# -eq 0 ] || PATH="$1:$PATH"
models=$(cd "$(dirname "$0")" && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cp "$models/philosophers.pml" "$work"
cd "$work"

say() { printf '\n\033[1m$ %s\033[0m\n' "$*"; "$@"; }
say hsfpy -a philosophers.pml
say ./pan -n
say ./pan -n --astar
say ./pan -r
