# Serves the captures of a Linux client that mounted, wrote, read and listed files by NFS 3, 4.0, 4.1
# and 4.2 to this machine's own NFS client, which does the same again, and holds that
# every call was in the capture, and that what is read is what was captured.
serve
chmod 777 /srv/x
ulimit -l unlimited # Soft-iWARP goes by it even for root
replay=/tmp/rdmacap-verbs port=20101
cp /out/rdmacap-verbs $replay

# work does what the captured client did, as far as it can be seen in calls.
work() {
	mkdir -p $d && echo hello >$d/small && [ "$(cat $d/small)" = hello ] || return 1
	head -c 3000 /dev/urandom >$d/mid && head -c 300001 /dev/urandom >$d/big && sync || return 1
	echo 3 >/proc/sys/vm/drop_caches
	for file in small mid big; do
		sum=$(sha256sum <$d/$file) || return 1
		grep -q "${sum%% *}" /tmp/objects.$kind/manifest.json || { say "$kind: NFS $version: $file is not as captured: $(wc -c <$d/$file) bytes"; return 1; }
	done
	ln -s ../some/long/target/path/for/symlink/test $d/lnk && [ "$(readlink $d/lnk)" = ../some/long/target/path/for/symlink/test ] || return 1
	for i in $(seq 30); do : >$d/file_with_a_rather_long_name_$i || return 1; done
	echo 3 >/proc/sys/vm/drop_caches
	[ $(ls -la $d | wc -l) = 37 ] || { say "$kind: NFS $version: $(ls -la $d | wc -l) lines of ls"; return 1; }
	mv $d/small $d/small2 && rm $d/mid && stat $d/big >/dev/null && df $d >/dev/null
}

for kind in rxe siw; do
	transport $kind
	before=$(rdma resource show)
	capture=/out/$kind-basic.pcap.zst
	$replay export objects -q $capture -o /tmp/objects.$kind
	for version in 4.1 4.2 3 4.0; do
		case $version in 3) connection=1 ;; 4.0) connection=2 ;; 4.1) connection=3 ;; 4.2) connection=4 ;; esac
		result=/out/listen.$kind.$version
		$replay replay $capture --connection $connection --listen 0.0.0.0:$port --format ndjson >$result.ndjson 2>$result.err &
		server_pid=$!
		until grep -q 'is served' $result.err; do
			kill -0 $server_pid || { cat $result.err; exit 1; }
			sleep 0.1
		done
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
		[ $status -eq 0 ] || failed=1 # a call that is not in the capture
	done
	[ "$(rdma resource show)" = "$before" ] || { sleep 2; [ "$(rdma resource show)" = "$before" ]; } || { say "$kind: left behind: $(rdma resource show)"; failed=1; }
done
[ -n "${failed:-}" ] || touch /out/done
