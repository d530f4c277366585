# Replays the captures of a Linux client that mounted, wrote and read files by NFS 3, 4.0, 4.1
# and 4.2 to the kernel's server, which has never seen that client, and holds that every call
# is answered as it was, and that the files are there with their contents.
serve
chmod 777 /srv/x
ulimit -l unlimited # Soft-iWARP goes by it even for root
replay=/tmp/rdmacap-verbs
cp /out/rdmacap-verbs $replay
for kind in rxe siw; do
	transport $kind
	before=$(rdma resource show)
	rm -rf /srv/x/* /tmp/objects
	capture=/out/$kind-basic.pcap.zst
	for connection in 1 2 3 4; do
		result=/out/replay.$kind.$connection
		status=0
		$replay replay $capture --connection $connection --to $server --bind --pace asap --yes --format ndjson >$result.ndjson 2>$result.err || status=$?
		say "$kind: connection $connection: status $status; $(tail -n 1 $result.ndjson)"
		head -n 3 $result.err
		[ $status -le 1 ] || failed=1
		grep -q '"type":"replay_summary".*"no_reply":0,"not_sent":0,.*"ended":null' $result.ndjson || { say "$kind: connection $connection: calls without a reply"; failed=1; }
		grep '"type":"replay_call"' $result.ndjson | grep -v '"differences":\[\]' | head -n 20
	done
	$replay export objects -q $capture -o /tmp/objects
	missing=0 there=0
	for sum in $(grep -o '"sha256": *"[0-9a-f]*"' /tmp/objects/manifest.json | grep -o '[0-9a-f]\{64\}' | sort -u); do
		if find /srv/x -type f -exec sha256sum {} + | grep -q $sum; then there=$((there + 1)); else missing=$((missing + 1)); fi
	done
	say "$kind: $there of $((there + missing)) files of the capture are on the server with their contents"
	[ $missing -eq 0 ] && [ $there -ge 12 ] || failed=1
	[ "$(rdma resource show)" = "$before" ] || { sleep 2; [ "$(rdma resource show)" = "$before" ]; } || { say "$kind: left behind: $(rdma resource show)"; failed=1; }
done
[ -n "${failed:-}" ] || touch /out/done
