# SPDX-License-Identifier: Apache-2.0
# Has the kernel's client work over NFS 3 on Soft-RoCE, and replays the capture of such a client as fast as
# possible to the same server: from the first call to the last reply that may take little more than the
# kernel's client takes for its RPCs alone, whatever the programs do between them. Its RPC layer says
# how long that is, connecting left out.
serve
chmod 777 /srv/x
ulimit -l unlimited
for port in $(seq 20081 20088); do listens $port; done
cp /out/rdmacap-verbs /tmp/rdmacap-verbs
cp /out/rxe-basic.pcap.zst /tmp
mount -t tracefs tracefs /sys/kernel/tracing
trace=/sys/kernel/tracing
. /out/work.sh
held() { cat $1 >/dev/null; }
kind=rxe version=3
transport $kind
allowed=0
for try in 0 2 4 6; do # the first time warms up
	d=/mnt/n/x/v3 name="try $try"
	echo >$trace/trace
	echo 1 >$trace/events/sunrpc/rpc_stats_latency/enable
	timeout 60 mount -t nfs -o rdma,port=$((20081 + try)),vers=3,nolock,mountproto=tcp,actimeo=600 $server:/srv /mnt/n || { say 'no mount'; exit 1; }
	work || wrong 'the client has not done its work'
	umount /mnt/n
	echo 0 >$trace/events/sunrpc/rpc_stats_latency/enable
	read -r rpcs microseconds < <(awk '/ nfs(acl)?v3 / && !/ NULL / { sub(/.*execute=/, ""); n++; sum += $1 } END { print n, sum }' $trace/trace)
	rm -rf /srv/x/*
	/tmp/rdmacap-verbs replay --to $server:$((20082 + try)) --format ndjson /tmp/rxe-basic.pcap.zst --connection 1 --bind --yes --pace asap >/tmp/said || true # some attribute differs
	grep -q '"answered":155,"no_reply":0,' /tmp/said || wrong 'calls without a reply'
	expect $kind $((20082 + try)) own client as rxe-basic.pcap.zst 1 but ULB-017
	say "$name: the kernel's client took $microseconds us for $rpcs RPCs; $(tail -n 1 /tmp/said)"
	[ $try -eq 0 ] || allowed=$((allowed + microseconds * 3 / 2))
	[ $rpcs -ge 140 ] || wrong 'that is not the work that was captured'
	rm -rf /srv/x/*
done
expect rxe 20084 takes $allowed 20086 20088
[ -n "${failed:-}" ] || touch /out/done
