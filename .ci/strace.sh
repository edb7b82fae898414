#!/usr/bin/env bash
# Watches every call by which the program, the explorer too, could change a file: nothing below a checkpoint is opened for
# writing, made, renamed, linked or removed. Needs Linux, Go, strace and tmux.
#
#	bash .ci/strace.sh            the program of this checkout
#	bash .ci/strace.sh PROGRAM    another one
set -euo pipefail
cd "$(dirname "$0")/.."
for tool in strace tmux; do
	command -v $tool >/dev/null || { echo "$tool is missing" >&2; exit 1; }
done
unset TMUX
export LC_ALL=C.UTF-8
work=$(mktemp -d)
socket=tidemark-strace-$$
trap 'tmux -L "$socket" kill-server 2>/dev/null || true; rm -rf "$work"' EXIT
export XDG_CONFIG_HOME=$work/config XDG_STATE_HOME=$work/state HOME=$work
program=${1:-}
if [ -z "$program" ]; then
	program=$work/tidemark
	HOME=$(getent passwd "$(id -u)" | cut -d: -f6) CGO_ENABLED=0 go build -o "$program" .
fi
program=$(realpath "$program")
mkdir "$work/in"
for archive in testdata/demo/lost-state.tar.gz testdata/golden/file-source.tar.gz testdata/golden/state-3.5-rocks-join-inner.tar.gz; do
	name=$(basename "$archive" .tar.gz)
	mkdir "$work/in/$name"
	tar -xzf "$archive" -C "$work/in/$name"
done
before=$(cd "$work/in" && find . -printf '%p %T@ %C@ %s\n' | sort | sha256sum)

calls=openat,open,creat,openat2,rename,renameat,renameat2,link,linkat,symlink,symlinkat,unlink,unlinkat,rmdir,mkdir,mkdirat,truncate,ftruncate,chmod,fchmod,fchmodat,chown,fchown,fchownat,utimensat,mknod,mknodat,setxattr,fsetxattr
watch() { strace -f -y -qq -e trace="$calls" -o "$1" "${@:2}"; }

# plain commands
n=0
for cp in "$work"/in/*; do
	cp=$(dirname "$(find "$cp" -type d -name offsets | head -1)")
	for command in check "check --deep" batches state spec "offsets --as json" find diff; do
		args=("$cp")
		if [ "$command" = diff ]; then args=("$cp" "$cp"); fi
		n=$((n + 1))
		# shellcheck disable=SC2086
		watch "$work/trace.$n" "$program" $command "${args[@]}" --debug-log "$work/log" >/dev/null 2>&1 </dev/null || true
	done
	# the explorer: every view, a copy, a bookmark, a refusal to write below the checkpoint, and the end
	n=$((n + 1))
	tmux -L "$socket" -f /dev/null new-session -d -s s -x 100 -y 30 \
		"strace -f -y -qq -e trace=$calls -o '$work/trace.$n' '$program' '$cp'; touch '$work/ended.$n'"
	for _ in $(seq 300); do
		tmux -L "$socket" capture-pane -p -t s 2>/dev/null | grep -q "QUESTIONS" && break
		sleep 0.2
	done
	tmux -L "$socket" capture-pane -p -t s 2>/dev/null | grep -q "QUESTIONS" || { echo "the explorer did not come up on $cp" >&2; exit 1; }
	for keys in B Enter Escape F Enter Escape S Enter Escape b e v "$cp/offsets/written" Enter Escape Escape r f f "?" Escape; do
		tmux -L "$socket" send-keys -t s "$keys" 2>/dev/null || true
		sleep 0.3
	done
	tmux -L "$socket" send-keys -t s C-c 2>/dev/null || true
	for _ in $(seq 100); do
		[ -e "$work/ended.$n" ] && break
		sleep 0.1
	done
	tmux -L "$socket" kill-session -t s 2>/dev/null || true
done

# A folder by a relative name has its path behind its descriptor (-y), so every line that touches a checkpoint names it.
touched=$(cat "$work"/trace.* | grep -F "$work/in" || true)
[ -n "$touched" ] || { echo "no trace names a checkpoint: nothing was watched" >&2; exit 1; }
wrong=$(grep -vE '(open|openat|openat2)\(' <<<"$touched" | grep -v -- '---\|+++\|resumed' || true)
wrong+=$(grep -E '(open|openat|openat2)\(' <<<"$touched" | grep -E 'O_(WRONLY|RDWR|CREAT|TRUNC|APPEND)' || true)
if [ -n "$wrong" ]; then
	echo "calls that could change a checkpoint:" >&2
	head -20 <<<"$wrong" >&2
	exit 1
fi
after=$(cd "$work/in" && find . -printf '%p %T@ %C@ %s\n' | sort | sha256sum)
[ "$before" = "$after" ] || { echo "a checkpoint has changed" >&2; exit 1; }
echo "$n runs, $(wc -l <<<"$touched") calls on checkpoints, all of them to read"
