# Replays the captures of a Linux client that mounted, wrote and read files by NFS 3, 4.0, 4.1
# and 4.2 to the kernel's server, which has never seen that client: every call is answered,
# and the files are there with their contents. Then faults on purpose, which break connections.
serve
mkdir -p /srv/x && chmod 777 /srv/x
ulimit -l unlimited # Soft-iWARP goes by it even for root
replay=/tmp/rdmacap-verbs
cp /out/rdmacap-verbs $replay

# play NAME FLAGS... replays to the server, and leaves the records in /out/replay.NAME.ndjson.
play() {
	name=$1
	shift
	status=0
	$replay replay --to $server --format ndjson "$@" >/out/replay.$name.ndjson 2>/out/replay.$name.err || status=$?
	say "$name: exit status $status; $(tail -n 1 /out/replay.$name.ndjson)"
	head -n 3 /out/replay.$name.err
}

wrong() {
	say "$name: $*"
	failed=1
}

for kind in rxe siw; do
	transport $kind
	before=$(rdma resource show)
	rm -rf /srv/x/* /tmp/objects
	capture=/out/$kind-basic.pcap.zst
	for connection in 1 2 3 4; do
		# A delegation is only given when a file has been closed for some time.
		pace=8x
		[ $connection -ne 1 ] || pace=asap
		play $kind.$connection $capture --connection $connection --bind --pace $pace --yes
		grep -q '"type":"replay_summary".*"no_reply":0,"not_sent":0,.*"ended":null' /out/replay.$name.ndjson || wrong "calls without a reply"
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

	play $kind.credits $capture --bind --yes --honor-credits=false --pace asap
	# Whether the server runs out of Receives is a matter of who is quicker.
	most=$(grep -o '"most_open":[0-9]*' /out/replay.$name.ndjson | grep -o '[0-9]*$')
	[ $most -gt 64 ] && [ $status -eq 1 ] || wrong "$most calls were open at once"
	play $kind.oversize $capture --bind --yes --max-calls 4 --pace asap --oversize
	grep -q '"answered":3,.*"ended":"the connection has ended' /out/replay.$name.ndjson && [ $status -eq 1 ] || wrong "a Send that is too long, and the connection did not end"
	play $kind.edit $capture --bind --yes --max-calls 4 --pace asap --edit 'nfs.op == GETATTR : rdma.version = 9'
	grep -q 'RDMA_ERROR ERR_VERS' /out/replay.$name.ndjson && [ $status -eq 1 ] || wrong "no ERR_VERS"

	sleep 1
	[ "$(rdma resource show)" = "$before" ] || { sleep 3; [ "$(rdma resource show)" = "$before" ]; } || wrong "left behind: $(rdma resource show)"
done
[ -n "${failed:-}" ] || touch /out/done
