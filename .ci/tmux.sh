#!/usr/bin/env bash
# Plays what people do most in a real tmux of 80×24, by send-keys and capture-pane: each task from the first screen to its answer in
# as many key presses as it may take, then a window that changes its size, a client that leaves and comes back, and a session that is
# killed. Nothing is timed: a text is waited for, a minute at most. Needs Go; installs tmux where it is missing.
#
#	bash .ci/tmux.sh            the program of this checkout
#	bash .ci/tmux.sh PROGRAM    another one
set -euo pipefail
cd "$(dirname "$0")/.."

if ! command -v tmux >/dev/null; then
	as_root=()
	[ "$(id -u)" = 0 ] || as_root=(sudo)
	{ "${as_root[@]}" apt-get update -qq && "${as_root[@]}" apt-get install -y -qq tmux; } || true
	command -v tmux >/dev/null || { echo "tmux is missing, and apt-get could not install it" >&2; exit 1; }
fi

unset TMUX
export LC_ALL=C.UTF-8 NO_COLOR= SHELL=/bin/sh
work=$(mktemp -d)
inner=tidemark-$$ outer=tidemark-outer-$$
finish() {
	tmux -L "$inner" kill-server 2>/dev/null || true
	tmux -L "$outer" kill-server 2>/dev/null || true
	rm -rf "$work"
}
trap finish EXIT
export XDG_CONFIG_HOME=$work/config XDG_STATE_HOME=$work/state

program=${1:-}
if [ -z "$program" ]; then
	program=$work/tidemark
	CGO_ENABLED=0 go build -o "$program" .
fi
program=$(realpath "$program")
cat >"$work/tmux.conf" <<-'END'
	set -g status off
	set -g set-clipboard on
	set -g remain-on-exit on
	set -g exit-empty off
	set -g default-shell /bin/sh
END

# in_tmux and outside are tmux on the server that has the program, and on one whose pane is a terminal to attach from.
in_tmux() { tmux -L "$inner" -f "$work/tmux.conf" "$@"; }
outside() { tmux -L "$outer" -f "$work/tmux.conf" "$@"; }

# until_true WHAT COMMAND...: tries the command until it is true. A minute is a bound for machines under load; nothing needs it.
until_true() {
	local what=$1 before=$SECONDS
	shift
	until "$@"; do
		if ((SECONDS - before > 60)); then
			echo "$task: $what: not within a minute. The screen:" >&2
			in_tmux capture-pane -p -t story >&2 || true
			exit 1
		fi
		sleep 0.1
	done
}

# holds COMMAND SESSION TEXT...: whether the screen of a session on a server has every text.
holds() {
	local screen text
	screen=$("$1" capture-pane -p -t "$2" 2>/dev/null) || return 1
	shift 2
	for text; do
		[[ $screen == *"$text"* ]] || return 1
	done
}
shows() { until_true "shows $(printf '"%s" ' "$@")" holds in_tmux story "$@"; }

# begin TASK ARG...: starts the program, and waits for its first screen.
begin() {
	task=$1 presses=0
	shift
	rm -f "$work/status"
	in_tmux new-session -d -s story -x 80 -y 24 "$(printf '%q ' sh -c 'echo $$ >"$0/pid"; exec "$@"' "$work" "$program" "$@"); echo \$? >$work/status"
	shows 'RESTART' 'hree questions' '? help'
}

# press KEY... presses keys by their names in tmux; say TEXT types it, letter by letter.
press() {
	in_tmux send-keys -t story "$@"
	presses=$((presses + $#))
}
say() {
	in_tmux send-keys -t story -l -- "$1"
	presses=$((presses + ${#1}))
}

# answered MOST TEXT...: the answer stands on the screen after no more presses than that; then the program is left.
answered() {
	local most=$1
	shift
	shows "$@"
	if ((presses > most)); then
		echo "$task: $presses key presses, want at most $most" >&2
		exit 1
	fi
	echo "ok   $presses key presses   $task"
	leave
}
leave() {
	in_tmux send-keys -t story C-c C-c
	until_true 'ends by itself' test -s "$work/status"
	[ "$(cat "$work/status")" = 0 ] || { echo "$task: exit status $(cat "$work/status")" >&2; exit 1; }
	in_tmux kill-session -t story
}

golden=testdata/golden incident=testdata/cases

begin 'whether to restart, and what is read again' demo uncommitted
answered 0 'RESTART ONLY IF   the sink can take batch 3 twice' 'offsets/3 exists, commits/3 does not' 'orders-u/0' '24 → 32' 'at most 14 records'

begin 'a batch by its ID' demo lost-state
press :
say 17
press Enter
answered 6 ' 17 ' 'Batch 17' 'Reads'

begin 'the value of a key' "$golden/state-3.5-hdfs-agg-v1.tar.gz/checkpoint"
press S K
say ann
press Enter
answered 10 'ann' '7.5'

begin 'which file is damaged, and its bytes' "$incident/C16-hand-edited-offset.tar.gz/checkpoint"
press F Enter x x
answered 4 'offsets/6' '687 bytes' '0000000000  ef bb bf 7b'

begin 'what changed between two batches' demo lost-state
press B Space Down Space =
answered 8 'Batches 24 and 25' 'Settings'

begin 'the start positions of a new query, copied' demo uncommitted
press y s
copied() { [[ $(in_tmux show-buffer 2>/dev/null) == '{"orders-u":{'*'}}' ]]; }
until_true 'gives the start positions to the clipboard of tmux' copied
answered 4 'start positions sent to tmux' 'neither confirms'

printf 'spec: 1\noperators:\n  - name: dedupe\n    key: order_id STRING, shop STRING\n' >"$work/orders.spec.yaml"
begin 'how the query differs from its checkpoint' "$incident/C55-dedup-key-added.tar.gz/checkpoint" --spec "$work/orders.spec.yaml"
press D
answered 2 'operator 0 · key' '+ shop' 'will fail'

begin 'how large the state is' "$golden/state-3.5-hdfs-dedup.tar.gz/checkpoint"
press S
answered 2 'Restart loads version 8' '1.3 kB'

begin 'what the keys are' demo
press '?'
answered 1 'Overview: this screen' 'Go to'

cat >"$work/trace" <<-'END'
	26/11/29 14:02:07 ERROR MicroBatchExecution: Query terminated with error
	java.lang.IllegalStateException: batch 113258 doesn't exist
	 	at org.apache.spark.sql.execution.streaming.HDFSMetadataLog$.verifyBatchIds(HDFSMetadataLog.scala:430)
	 	at org.apache.spark.sql.execution.streaming.MicroBatchExecution.populateStartOffsets(MicroBatchExecution.scala:480)
END
begin 'what an error of Spark means, pasted' demo offset-gap
in_tmux load-buffer -b trace "$work/trace"
in_tmux paste-buffer -t story -p -b trace
press Enter
answered 2 'Explain' 'The checkpoint agrees' 'offsets/113258'

begin 'a window that changes its size' demo lost-state
press B
shows 'newest first' '▸   25'
in_tmux resize-window -t story -x 120 -y 40
shows 'newest first' 'Writes'
in_tmux resize-window -t story -x 59 -y 24
shows 'needs 60×15, has 59×24' 'DO NOT RESTART YET'
in_tmux resize-window -t story -x 80 -y 24
shows 'newest first'
answered 1 '▸   25'

begin 'a client that leaves and comes back' demo uncommitted
attach() { outside new-session -d -s from -x 80 -y 24 "exec tmux -L $inner attach -t story"; }
alone() { [ -z "$(in_tmux list-clients -t story)" ]; }
attach
until_true 'shows on the terminal of the client' holds outside from 'RESTART ONLY IF' 'Three questions'
in_tmux detach-client -s story
until_true 'has no client any more' alone
outside kill-session -t from
press B
shows 'newest first'
attach
until_true 'shows to the client that comes back where it is now' holds outside from 'newest first' '! no'
outside send-keys -t from F
answered 1 'what was found' 'uncommitted-batch'

begin 'a session that is killed' demo lost-state
pid=$(cat "$work/pid")
in_tmux kill-session -t story
gone() { # or only waits for its parent to see that it is
	local state
	state=$(ps -o stat= -p "$pid") || return 0
	[[ $state == Z* ]]
}
until_true "is gone with it, process $pid" gone
echo "ok   $task"
