# SPDX-License-Identifier: Apache-2.0
# Replays the captures of a Linux client that mounted, wrote and read files by NFS 3, 4.0, 4.1
# and 4.2 to the kernel's server, which has never seen that client: every call is answered,
# and the files are there with their contents. Then faults on purpose, which break connections.
serve
mkdir -p /srv/x && chmod 777 /srv/x
ulimit -l unlimited # Soft-iWARP goes by it even for root
replay=/tmp/rdmacap-verbs of_card=b:
cp /out/rdmacap-verbs $replay

# play NAME PORT FLAGS... replays to the server, and leaves the records in /out/replay.NAME.ndjson.
play() {
	name=$1 port=$2
	shift 2
	status=0
	timeout -s KILL 200 $replay replay --to $server:$port --format ndjson "$@" >/out/replay.$name.ndjson 2>/out/replay.$name.err || status=$?
	say "$name: exit status $status; $(tail -n 1 /out/replay.$name.ndjson)"
	head -n 3 /out/replay.$name.err
	gone || wrong "something is left"
}

listens_to_all() { for port in $(seq 20051 20063); do listens $port; done; }

# reconnected replays a client that sends an RMDIR again on a new connection: by the same XID the server answers
# it out of its duplicate request cache, and by another one it has nothing to remove.
reconnected() {
	play $kind.reconnect 20063 /out/captures/$kind.reconnect.pcap --connection all --bind --yes
	grep -q '"connection":1,.*"name":"NFS3 RMDIR","outcome":"answered".*"status":"NFS3_OK"' /out/replay.$name.ndjson || wrong "the first RMDIR was not carried out"
	grep -q '"connection":2,.*"name":"NFS3 RMDIR","outcome":"answered".*"status":"NFS3_OK".*"retransmission":true' /out/replay.$name.ndjson || wrong "the second RMDIR is no retransmission to the server"
	expect $kind $port errors
	play $kind.anew 20062 /out/captures/$kind.reconnect.pcap --connection 2 --bind --yes
	grep -q '"name":"NFS3 RMDIR","outcome":"answered".*"status":"NFS3ERR_NOENT"' /out/replay.$name.ndjson && [ $status -eq 1 ] || wrong "an RMDIR by another XID is taken for a retransmission"
	rm -rf /srv/x/*
	play $kind.all 20061 $capture --connection all --bind --pace asap --yes
	[ $(grep -c '"type":"replay_summary".*"no_reply":0,"not_sent":0,.*"ended":null' /out/replay.$name.ndjson) -eq 4 ] || wrong "calls without a reply"
	expect $kind $port errors
	rm -rf /srv/x/*
}

# recalled has the server recall delegations of a replay, since somebody else writes to the files: they are
# answered, and the replay goes on.
recalled() {
	play rxe.recall 20058 $capture --connection 3 --bind --pace original --yes &
	local playing=$! file
	until grep -q DELEG /proc/locks && [ -e /srv/x/v4.1/big ]; do
		kill -0 $playing || break
		sleep 0.1
	done
	for file in small mid big; do echo >>/srv/x/v4.1/$file; done
	wait $playing
	name=rxe.recall
	grep -q '"no_reply":0,"not_sent":0,.*"backward_calls":[1-9].*"ended":null' /out/replay.$name.ndjson || wrong "calls without a reply, or no recall"
}

# refused replays to a server that has just started, which has clients wait with NFS4ERR_GRACE, as the captured
# one did not: such calls are sent again until they are taken.
refused() {
	rpc.nfsd 0
	rpc.nfsd --rdma=20049 4
	listens_to_all
	play siw.grace 20058 $capture --connection 3 --bind --pace asap --yes
	grep -q '"no_reply":0,"not_sent":0,.*"retried":[1-9].*"ended":null' /out/replay.$name.ndjson || wrong "calls without a reply, or no grace"
	! grep '"type":"replay_call"' /out/replay.$name.ndjson | grep 'ERR_GRACE' || wrong "grace is a difference"
}

# late replays the first part of a connection of NFS 4.1, and then what is left of a capture that was cut there:
# its session, its handles and its open file are those of nobody. Without --bind the server knows no session; with
# it every call is of one that replay makes, and only delegations are not as captured: the client of the first part
# is still there, with files that are open.
late() {
	local frames=$1 cut=/out/$kind-late.pcap
	play $kind.early 20059 $capture --connection 3 --bind --pace asap --yes --select "frame.number <= $frames"
	grep -q '"no_reply":0,"not_sent":0,.*"ended":null' /out/replay.$name.ndjson || wrong "calls without a reply"
	play $kind.late-kept 20060 $cut --connection 1 --pace asap --yes
	local all=$(grep -c '"type":"replay_call"' /out/replay.$name.ndjson) bad=$(grep -c '"status":"NFS4ERR_BADSESSION"' /out/replay.$name.ndjson)
	say "$name: $bad of $all calls NFS4ERR_BADSESSION"
	[ $bad -gt $((all - 5)) ] || wrong "the server has the captured session"
	play $kind.late 20060 $cut --connection 1 --bind --export / --pace asap --yes
	say "$name: $(grep -c '"status":"NFS4ERR_BADSESSION"' /out/replay.$name.ndjson) of $all calls NFS4ERR_BADSESSION; $(grep '"type":"replay"' /out/replay.$name.ndjson | grep -o '"own_calls":.*')"
	grep -q '"no_reply":0,"not_sent":0,.*"ended":null' /out/replay.$name.ndjson || wrong "calls without a reply"
	! grep -q NFS4ERR_BADSESSION /out/replay.$name.ndjson || wrong "calls of no session"
	! grep '"own_calls"' /out/replay.$name.ndjson | grep -q '"status":"\(NFS4ERR\|not\)' || wrong "something is not found"
	! grep '"type":"replay_call"' /out/replay.$name.ndjson | grep -v -e '"differences":\[\]' "${explained[@]}" "${explained40[@]}" || wrong "differences without a reason"
}

# explained are the differences that README.md gives a reason for, as patterns of records.
explained=(
	-e '"name":"NFS[34] WRITE".*"differences":\[{"what":"[^"]*size","field":"[^"]*size","captured":"\(300001\|262144\)","live":"\(300001\|262144\)"}\]'
)
explained40=(
	-e '"differences":\[{"what":"OPEN","captured":"NFS4ERR_GRACE","live":"NFS4_OK"}\]'
	-e '"captured":"OPEN_DELEGATE_READ (1)","live":"OPEN_DELEGATE_NONE (0)"'
	-e '"differences":\[{"what":"DELEGRETURN","captured":"NFS4_OK","live":"NFS4ERR_BAD_STATEID"}\]'
)
for kind in rxe siw; do
	transport $kind
	# Where the captured server gave delegations, the live one has to be ready to.
	case $kind in rxe) start 3 && sleep 4 ;; siw) start 240 ;; esac
	listens_to_all
	before=$(resources)
	rm -rf /srv/x/* /tmp/objects
	capture=/out/$kind-basic.pcap.zst
	for connection in 1 2 3 4; do
		# NFS 4.0 was refused with GRACE for a minute when rxe-basic was captured.
		pace=8x
		[ $connection -ne 1 ] || pace=asap
		[ $connection -ne 2 ] || pace=40x
		play $kind.$connection $((20050 + connection)) $capture --connection $connection --bind --pace $pace --yes
		grep -q '"type":"replay_summary".*"no_reply":0,"not_sent":0,.*"ended":null' /out/replay.$name.ndjson || wrong "calls without a reply"
		reasons=("${explained[@]}")
		[ $connection -ne 2 ] || reasons+=("${explained40[@]}")
		! grep '"type":"replay_call"' /out/replay.$name.ndjson | grep -v -e '"differences":\[\]' "${reasons[@]}" || wrong "differences without a reason"
		expect $kind $port errors
		expect $kind $port own client as $kind-basic.pcap.zst $connection but ULB-017
	done
	$replay export objects -q $capture -o /tmp/objects
	find /srv/x -type f -exec sha256sum {} + >/out/sums.$kind
	there=0 gone=0
	for sum in $(grep -o '"sha256": *"[0-9a-f]*"' /tmp/objects/manifest.json | grep -o '[0-9a-f]\{64\}' | sort -u); do
		if grep -q $sum /out/sums.$kind; then there=$((there + 1)); else gone=$((gone + 1)); fi
	done
	say "$kind: of the contents that the capture moved $there are on the server, and $gone are not"
	# The client wrote three files by each version, of which "small" is the same, and in the end
	# removed "mid".
	[ $there -eq 5 ] && [ $gone -eq 4 ] || wrong "they should be 5 and 4"

	rm -rf /srv/x/*
	case $kind in
	rxe) recalled ;;
	siw) refused ;;
	esac
	expect $kind 20058 errors
	expect $kind 20058 own client as $kind-basic.pcap.zst 3 but ULB-017

	rm -rf /srv/x/* && mkdir /srv/x/v3 /srv/x/v4.0 # there were these in the capture
	case $kind in
	rxe) late 3100 ;;
	siw) late 3900 ;;
	esac
	expect $kind 20059 errors
	expect $kind 20060 errors

	play $kind.oversize 20055 $capture --bind --yes --max-calls 4 --pace asap --oversize
	grep -q '"answered":3,.*"ended":"the connection has ended' /out/replay.$name.ndjson && [ $status -eq 1 ] || wrong "a Send that is too long, and the connection did not end"
	expect $kind $port names THRESH-010
	play $kind.version 20056 $capture --bind --yes --max-calls 4 --pace asap --edit 'nfs.op == GETATTR : rdma.version = 9'
	grep -q 'RDMA_ERROR ERR_VERS' /out/replay.$name.ndjson && [ $status -eq 1 ] || wrong "no ERR_VERS"
	expect $kind $port errors HDR-002a
	expect $kind $port own client as $kind-basic.pcap.zst 1 but HDR-002a ULB-017

	reconnected
	# With 4 credits the server runs out of Receives, and the connection ends. Over Soft-iWARP the end is a Terminate,
	# of which TRANS-012 tells as an error of its own.
	echo 4 >/proc/sys/sunrpc/svc_rdma/max_requests
	play $kind.credits 20057 $capture --bind --yes --honor-credits=false
	grep -q '"most_open":155,.*"ended":"the connection has ended' /out/replay.$name.ndjson && [ $status -eq 1 ] || wrong "no more calls than the server took"
	expect $kind $port names CREDIT-001 but TRANS-012
	echo 64 >/proc/sys/sunrpc/svc_rdma/max_requests

	as_before || wrong "the kernel has not what it had before"
done
[ -n "${failed:-}" ] || touch /out/done
