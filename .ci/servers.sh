#!/usr/bin/env bash
# Installs two S3 servers (versitygw, which checks users and policies; moto, which follows AWS closely), starts both on loopback, runs
# the storage tests against them and stops them. Needs Go and Python 3 with pip. What is installed stays in the user's cache folder.
set -euo pipefail
cd "$(dirname "$0")/.."

versitygw_version=v1.8.0
moto_version=5.2.5
cache=${XDG_CACHE_HOME:-$HOME/.cache}/tidemark-ci
mkdir -p "$cache"

gateway=$cache/versitygw-$versitygw_version/versitygw
[ -x "$gateway" ] || GOBIN=$(dirname "$gateway") go install "github.com/versity/versitygw/cmd/versitygw@$versitygw_version"

moto=$cache/moto-$moto_version
if ! [ -e "$moto/complete" ]; then
	rm -rf "$moto"
	python3 -m venv "$moto"
	"$moto/bin/pip" install --quiet --disable-pip-version-check "moto[server]==$moto_version"
	touch "$moto/complete"
fi

work=$(mktemp -d)
started=()
stop() {
	for pid in "${started[@]}"; do kill "$pid" 2>/dev/null || true; done
	for pid in "${started[@]}"; do wait "$pid" 2>/dev/null || true; done
	rm -rf "$work"
}
trap stop EXIT

free_port() { python3 -c 'import socket; s = socket.socket(); s.bind(("127.0.0.1", 0)); print(s.getsockname()[1])'; }

# wait_for PORT PID LOG: until the server takes connections, but half a minute at most, and no longer than it lives.
wait_for() {
	for _ in $(seq 150); do
		if (exec 3<>"/dev/tcp/127.0.0.1/$1") 2>/dev/null; then return 0; fi
		kill -0 "$2" 2>/dev/null || break
		sleep 0.2
	done
	echo "the server on port $1 does not answer:" >&2
	tail -20 "$3" >&2
	return 1
}

export TIDEMARK_TEST_S3_KEY=testroot TIDEMARK_TEST_S3_SECRET=testrootsecret
export TIDEMARK_TEST_S3_READER=reader TIDEMARK_TEST_S3_READER_SECRET=readersecret

# The gateway keeps what a file system cannot hold of S3 beside the objects: not every one has extended attributes.
port=$(free_port)
mkdir "$work/objects" "$work/beside" "$work/users"
"$gateway" --port "127.0.0.1:$port" --access "$TIDEMARK_TEST_S3_KEY" --secret "$TIDEMARK_TEST_S3_SECRET" \
	--iam-dir "$work/users" --iam-cache-disable --quiet posix --sidecar "$work/beside" "$work/objects" >"$work/versitygw.log" 2>&1 &
started+=($!)
wait_for "$port" "$!" "$work/versitygw.log"
export TIDEMARK_TEST_S3_VERSITYGW=http://127.0.0.1:$port
"$gateway" admin --access "$TIDEMARK_TEST_S3_KEY" --secret "$TIDEMARK_TEST_S3_SECRET" --endpoint-url "$TIDEMARK_TEST_S3_VERSITYGW" \
	create-user --access "$TIDEMARK_TEST_S3_READER" --secret "$TIDEMARK_TEST_S3_READER_SECRET" --role user

port=$(free_port)
"$moto/bin/moto_server" -H 127.0.0.1 -p "$port" >"$work/moto.log" 2>&1 &
started+=($!)
wait_for "$port" "$!" "$work/moto.log"
export TIDEMARK_TEST_S3_MOTO=http://127.0.0.1:$port

go test -count=1 -tags servers -run 'TestMoto|TestVersityGW' ./storage/...
