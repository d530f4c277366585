# SPDX-License-Identifier: Apache-2.0
# Has two rdmacap replay captures that break rules at each other, octet for octet: the wire has to
# break the same rules.
mount -t tmpfs tmpfs /srv
ulimit -l unlimited # Soft-iWARP goes by it even for root
replay=/tmp/rdmacap-verbs
cp /out/rdmacap-verbs $replay
for kind in rxe siw; do
	transport $kind
	before=$(resources)
	for capture in /out/captures/$kind.[0-9]*.pcap; do
		name=$(basename $capture .pcap)
		port=${name#*.} port=${port%%-*} result=/out/verbatim.$name
		$replay replay $capture --verbatim --listen 0.0.0.0:$port --format ndjson >$result.server.ndjson 2>$result.server.err &
		server_pid=$!
		until grep -q 'waits at' $result.server.err; do
			kill -0 $server_pid || { cat $result.server.err; exit 1; }
			sleep 0.1
		done
		status=0
		timeout 120 $replay replay $capture --verbatim --to $server:$port --pace asap --yes --reply-timeout 20s --format ndjson >$result.client.ndjson 2>$result.client.err || status=$?
		server_status=0
		wait $server_pid || server_status=$?
		say "$name: the client's exit status $status, the server's $server_status; $(tail -n 1 $result.client.ndjson)"
		cat $result.client.err
		expect $kind $port finds ${name#*-} as captures/$name.pcap
		gone || wrong "something is left"
	done
	as_before || wrong "the kernel has not what it had before"
done
[ -n "${failed:-}" ] || touch /out/done
