# SPDX-License-Identifier: Apache-2.0
# Mounts by every version of NFS over both transports, and moves files, while rdmacap live
# captures on the client's card.
serve
for kind in rxe siw; do
	transport $kind
	# The ring has room for all of it, however long live has to wait for the processor.
	/out/rdmacap live -i eth1 --buffer 256MiB --memory 512MiB --format ndjson >/out/live.$kind.ndjson 2>/out/live.$kind.err &
	live=$!
	until grep -q capturing /out/live.$kind.err; do
		kill -0 $live || { cat /out/live.$kind.err; exit 1; }
		sleep 0.1
	done
	date +%s.%N >/out/begin.$kind
	for version in 3 4.0 4.1 4.2; do
		mounted $version || { say "$kind: NFS $version: no mount"; dmesg | tail -n 5; exit 1; }
		d=/mnt/n/x/$kind$version
		mkdir -p $d
		echo hello >$d/small
		head -c 3000 /dev/urandom >$d/middle
		head -c 200001 /dev/urandom >$d/large
		sync
		sums=$(cd $d && md5sum small middle large)
		echo 3 >/proc/sys/vm/drop_caches
		(cd $d && echo "$sums" | md5sum -c --quiet) || { say "$kind: NFS $version: what was read is not what was written"; exit 1; }
		ls -l $d >/dev/null
		umount /mnt/n
		say "$kind: NFS $version: done"
	done
	sleep 1
	date +%s.%N >/out/end.$kind
	kill -INT $live
	wait $live
	say "$kind: live ended with status $?"
done
touch /out/done
