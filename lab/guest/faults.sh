# SPDX-License-Identifier: Apache-2.0
# Injects one fault each into work over NFS, for a blind test of the verdict. lab/faults plans them by a seed
# (/out/plan, lines of the functions below), and what each was is in /out/injected. A datagram on the wire says where
# each begins, for lab/faults to cut it there.
serve
chmod 777 /srv/x
modprobe -a sch_netem sch_ingress cls_matchall cls_basic em_meta act_gact loop ext4 tcp_diag
mkdir -p /srv/full /srv/frozen /srv/ro /srv/gone
mount -t tmpfs -o size=600k tmpfs /srv/full
for folder in gone ro; do mount -t tmpfs -o size=20m tmpfs /srv/$folder; done # else the export around them holds
head -c 67108864 /dev/zero >/tmp/disk && mkfs.ext4 -q /tmp/disk && mount -o loop /tmp/disk /srv/frozen
chmod 777 /srv/full /srv/frozen /srv/gone
for export in full,rw,1 frozen,rw,2 ro,ro,3 gone,rw,4; do
	IFS=, read -r folder way id <<<"$export"
	echo "/srv/$folder *($way,no_root_squash,insecure,fsid=$id,no_subtree_check)"
done >>/etc/exports
exportfs -ra
head -c 1000000 /dev/urandom >/srv/ro/file
cp /out/rdmacap-verbs /tmp/rdmacap-verbs
ulimit -l unlimited

# mounts VERSION FOLDER mounts that export on /mnt/n.
mounts() {
	local options=rdma,port=20049,vers=$1,hard,timeo=50 path=${2#/srv}
	[ $1 != 3 ] || options=$options,nolock,mountproto=tcp path=$2
	timeout 60 mount -t nfs -o $options $server:${path:-/} /mnt/n
}

# some writes and reads back a few files for so many seconds, whatever comes of it.
some() {
	local until=$((SECONDS + $1)) n=0
	while [ $SECONDS -lt $until ]; do
		n=$((n + 1))
		timeout -s KILL 40 sh -c "head -c 200000 /dev/urandom >/mnt/n/$2.$n && sync /mnt/n/$2.$n && ls /mnt/n >/dev/null && mkdir /mnt/n/d$2.$n && rmdir /mnt/n/d$2.$n"
		echo 3 >/proc/sys/vm/drop_caches
		timeout -s KILL 40 cat /mnt/n/$2.$n >/dev/null
	done 2>/dev/null
}

# begins NAME KIND WORDS writes down a fault.
begins() {
	sleep 1                               # what is left of the one before
	echo Y >/proc/fs/nfsd/v4_end_grace # and its grace
	echo "lab: fault $1" >/dev/udp/$server/9
	printf '%s\t%s\t%s\n' "$1" "$2" "$3" >>/out/injected
}

# fault NAME KIND VERSION EXPORT INJECT HEAL WORDS works, injects what WORDS say, works, and heals.
fault() {
	local name=$1 version=$3 folder=$4 inject=$5 heal=$6
	begins $name "$2" "$7"
	mounts $version $folder || say "$name: no mount"
	some 1 before
	eval "$inject"
	some 4 during
	eval "$heal"
	some 1 after
	timeout 60 umount /mnt/n || umount -l /mnt/n
	say "$name: done"
}

# meets NAME KIND WORDS COMMAND... writes down what only a command shows.
meets() {
	local name=$1
	begins $1 "$2" "$3"
	shift 3
	timeout 30 "$@" >/dev/null 2>&1
	effect "ended with status $?"
	say "$name: done"
}

# before CARD NETEM... has what leaves by a card suffer before the emulator sees it.
before() { tc qdisc add dev $1 root netem ${*:2}; }
# behind CARD ACTION... drops what comes in by a card: the emulator has seen it.
behind() {
	tc qdisc add dev $1 clsact
	tc filter add dev $1 ingress matchall action ${*:2}
}
# large CARD BYTES drops what comes in by a card and is larger than that.
large() {
	tc qdisc add dev $1 clsact
	tc filter add dev $1 ingress basic match "meta(pkt_len gt $2)" action drop
}
# effect WORDS writes down what an injection did, where nobody who is to judge blindly looks.
effect() { echo "$name: $*" >>/out/effects; }
# heals CARD... ends that. What netem holds back is let through before: where it is thrown away after its queue pair,
# Soft-RoCE's destructor of such packets takes the kernel down.
heals() {
	local card try
	for card; do
		effect "$card: $(tc -s qdisc show dev $card root | tr '\n' ' ') $(tc -s filter show dev $card ingress 2>/dev/null | grep -o 'Sent.*' | tr '\n' ' ')"
		if tc qdisc show dev $card root | grep -q netem; then
			tc qdisc change dev $card root netem
			for try in $(seq 50); do
				! tc -s qdisc show dev $card root | grep -q 'backlog [1-9]' || sleep 0.1
			done
		fi
		tc qdisc del dev $card root 2>/dev/null
		tc qdisc del dev $card clsact 2>/dev/null
	done
}
# during SECONDS INJECT HEAL lasts for so long, while the work goes on.
during() {
	(
		eval "$2"
		sleep $1
		eval "$3"
	) &
	sleep 0.2
}
restarts() {
	rpc.nfsd 0
	sleep $1
	rpc.nfsd --rdma=20049 4
}
withdraws() {
	exportfs -u "*:$1"
	exportfs -f
}
# resets ends the TCP connections of the NFS server by RST.
resets() { effect "$(ss -K -t -n src $server sport = :20049 2>&1 | tr '\n' ' ')"; }

. /out/plan
touch /out/done
