# SPDX-License-Identifier: Apache-2.0
# Breaks replays off while a call with a chunk is open: its memory is registered, on Soft-RoCE with a window
# bound to it, and the peer has the handle. Each replay has to end in seconds, without a warning of the
# kernel, and to leave nothing.
mount -t tmpfs tmpfs /srv
ulimit -l unlimited # Soft-iWARP goes by it even for root
of_card=b: replay=/tmp/rdmacap-verbs most=5000
cp /out/rdmacap-verbs $replay

# listening FLAGS... plays the captured server, which never answers some calls.
listening() {
	$replay replay $capture --connection 1 --listen 0.0.0.0:$port --unmatched stall "$@" >/tmp/listened 2>&1 &
	listener=$!
	until grep -q 'is served' /tmp/listened; do
		kill -0 $listener || { cat /tmp/listened; exit 1; }
		sleep 0.1
	done
}

# regions is how many pieces of memory are registered on the client's card by programs of our own.
regions() { rdma resource show mr | grep "dev ${kind}b " | grep -c 'comm rdmacap'; }

# open waits until the replay, which makes no pause, has had as many pieces of memory registered for two seconds:
# it waits for a reply that does not come.
open() {
	local now was=0 same=0
	for try in $(seq 100); do
		now=$(regions)
		[ $now -gt 2 ] && [ $now -eq $was ] && same=$((same + 1)) || same=0 # 2 are those of messages
		[ $same -lt 10 ] || return 0
		was=$now
		kill -0 $replaying || return 1
		sleep 0.2
	done
	return 1
}

# breaks NAME CALLS STATUS WORDS CAUSE replays up to one of the calls, which is not answered, and has something
# happen. The replay has to end with that exit status, and to say the words.
breaks() {
	name="$kind: $2: $1" port=$((port + 1))
	local status=0
	dmesg --clear
	listening --select "not ($2)"
	$replay replay $capture --connection 1 --to $server:$port --yes --pace 1000x --format ndjson >/tmp/said 2>&1 &
	replaying=$!
	open || wrong 'no call waits with a chunk open'
	local registered=$(regions) begun=${EPOCHREALTIME/./}
	eval "$5"
	wait $replaying || status=$?
	ended $3 "$registered regions" "$4"
}

# refused CALLS... has the peer refuse a handle, of the calls' chunk, that it was told and nobody has.
refused() {
	name="$kind: $1: a bad handle" port=$((port + 1))
	local status=0
	dmesg --clear
	listening
	local begun=${EPOCHREALTIME/./}
	$replay replay $capture --connection 1 --to $server:$port --yes --pace 1000x --format ndjson --edit "$1 : rdma.handle[0] = 0x123456" >/tmp/said 2>&1 || status=$?
	ended 1 'from its beginning' 'the connection has ended'
}

# ended STATUS OF WORDS holds how the replay ended, and when.
ended() {
	local took=$(((${EPOCHREALTIME/./} - begun) / 1000))
	say "$name: exit status $status after $took ms, $2: $(tail -n 1 /tmp/said)"
	[ $status -eq $1 ] || wrong "the exit status should be $1"
	tail -n 1 /tmp/said | grep -q '"answered":[1-9].*"no_reply":[1-9].*"ended":".*'"$3" || wrong "it should say: $3"
	[ $took -le $most ] || wrong "it took longer than $most ms"
	kill -INT $listener 2>/dev/null
	wait $listener
	gone || wrong 'something is left'
	! dmesg | grep -A 20 -e 'cut here' -e WARNING -e BUG || wrong 'the kernel warns'
}

read='nfs.op == READ' write='nfs.op == WRITE and rdma.reads.count > 0'
port=20100
for kind in rxe siw; do
	transport $kind
	before=$(resources) capture=/out/$kind-basic.pcap.zst
	for calls in "$read" "$write"; do
		breaks 'the peer closes' "$calls" 1 disconnected 'kill -INT $listener'
		breaks SIGINT "$calls" 130 'context canceled' 'kill -INT $replaying'
		breaks 'the peer is killed' "$calls" 1 disconnected 'kill -KILL $listener'
		refused "$calls"
	done
	as_before || wrong 'the kernel has not what it had before'
done
[ -n "${failed:-}" ] || touch /out/done
