# SPDX-License-Identifier: Apache-2.0
# Serves the captures of a Linux client that mounted, wrote, read and listed files by NFS 3, 4.0, 4.1
# and 4.2 to this machine's own NFS client, which does the same again, and holds that
# every call was in the capture, that what is read is what was captured, and that the server that
# is played does nothing wrong that the captured one did not. Replies of NFS4ERR_GRACE are left out:
# the client would wait for a minute.
serve
chmod 777 /srv/x
ulimit -l unlimited # Soft-iWARP goes by it even for root
replay=/tmp/rdmacap-verbs
cp /out/rdmacap-verbs $replay

. /out/work.sh
held() {
	local sum
	sum=$(sha256sum <$1) || return 1
	grep -q "${sum%% *}" /tmp/objects.$kind/manifest.json || { say "$kind: NFS $version: $1 is not as captured: $(wc -c <$1) bytes"; return 1; }
}

for kind in rxe siw; do
	transport $kind
	before=$(resources)
	capture=/out/$kind-basic.pcap.zst
	$replay export objects -q $capture -o /tmp/objects.$kind
	for version in 4.1 4.2 3 4.0; do
		case $version in 3) connection=1 ;; 4.0) connection=2 ;; 4.1) connection=3 ;; 4.2) connection=4 ;; esac
		port=$((20100 + connection))
		result=/out/listen.$kind.$version
		$replay replay $capture --connection $connection --select 'not nfs.status == NFS4ERR_GRACE' --listen 0.0.0.0:$port --format ndjson >$result.ndjson 2>$result.err &
		server_pid=$!
		until grep -q 'is served' $result.err; do
			kill -0 $server_pid || { cat $result.err; exit 1; }
			sleep 0.1
		done
		name="$kind: NFS $version"
		d=/mnt/n/x/v$version options=rdma,port=$port,vers=$version,retrans=1,actimeo=600 path=/
		[ $version != 3 ] || options=$options,nolock,mountproto=tcp path=/srv
		verdict=done
		if ! timeout 60 mount -t nfs -o $options $server:$path /mnt/n; then
			verdict='no mount' failed=1
			dmesg | tail -n 5
		else
			work || verdict='not done' failed=1
			timeout 30 umount /mnt/n || { verdict="$verdict, no umount" failed=1; umount -l /mnt/n; }
		fi
		kill -INT $server_pid
		status=0
		wait $server_pid || status=$?
		say "$kind: NFS $version: $verdict; status $status; $(cat $result.ndjson)"
		[ $status -eq 0 ] || wrong 'a call that is not in the capture, or has no room for its result'
		expect $kind $port certain $kind-basic.pcap.zst $connection but ULB-017
		expect $kind $port own server as $kind-basic.pcap.zst $connection
	done
	as_before || wrong 'the kernel has not what it had before'
done
[ -n "${failed:-}" ] || touch /out/done
