# SPDX-License-Identifier: Apache-2.0
# Runs in the emulated machine: two cards on one wire, and the work that the kernel's command
# line names.
export PATH=/usr/sbin:/usr/bin:/sbin:/bin LANG=C
for word in $(cat /proc/cmdline); do case $word in lab_*=*) eval "$word" ;; esac; done
ln -sf /proc/self/fd /dev/fd
mount -t devpts devpts /dev/pts
mount -t tmpfs shm /dev/shm
mkdir -p /lib/modules
mount --bind /out/modules /lib/modules
hostname lab
ip link set lo up

say() { echo "[$(cut -d' ' -f1 /proc/uptime)] $*"; }

# Both ends are in this one machine: rules have what one sends leave by its card and come in
# by the other's, as if it had come from elsewhere.
server=192.0.2.1 client=192.0.2.2
for card in eth0:$server:101 eth1:$client:102; do
	IFS=: read -r name address table <<<"$card"
	echo 1 >/proc/sys/net/ipv4/conf/$name/accept_local
	echo 0 >/proc/sys/net/ipv4/conf/$name/rp_filter
	ip address add $address/32 dev $name
	ethtool -K $name gro off gso off tso off # what is captured is what is on the wire
	ip link set $name up
	mac[${table}]=$(cat /sys/class/net/$name/address)
done
echo 0 >/proc/sys/net/ipv4/conf/all/rp_filter
ip route add $client dev eth0 src $server table 101
ip route add $server dev eth1 src $client table 102
ip neighbour add $client lladdr ${mac[102]} dev eth0 nud permanent
ip neighbour add $server lladdr ${mac[101]} dev eth1 nud permanent
for rule in "iif lo to $client lookup 101" "oif eth0 to $client lookup 101" "iif eth0 to $client lookup 101" \
	"iif lo to $server lookup 102" "oif eth1 to $server lookup 102" "iif eth1 to $server lookup 102"; do
	ip rule add pref 100 $rule
done
ip rule add pref 1000 lookup local
ip rule del pref 0

rdma_modules() { modprobe -a ib_core ib_uverbs rdma_ucm rdma_cm; }

# transport rxe|siw gives each card an RDMA device of that kind.
transport() {
	for device in $(ls /sys/class/infiniband); do rdma link delete $device; done
	case $1 in
	rxe) modprobe rdma_rxe ;;
	siw) lsmod | grep -q ^siw || { modprobe -a libcrc32c iw_cm; insmod /out/siw.ko; } ;;
	esac
	rdma link add ${1}a type $1 netdev eth0
	rdma link add ${1}b type $1 netdev eth1
	say "$1: $(ls /sys/class/infiniband | tr '\n' ' ')"
}

# serve starts the NFS server, for what is in memory only.
serve() {
	modprobe -a nfsd rpcrdma
	mount -t tmpfs -o size=300m tmpfs /srv
	mount -t nfsd nfsd /proc/fs/nfsd
	mount -t tmpfs tmpfs /var/lib/nfs
	mkdir -p /var/lib/nfs/{v4recovery,rpc_pipefs,nfsdcltrack,sm,sm.bak} /run/rpcbind /srv/x /mnt/n
	touch /var/lib/nfs/{etab,rmtab,xtab,state}
	mount -t rpc_pipefs sunrpc /var/lib/nfs/rpc_pipefs
	rpcbind -w
	echo "/srv *(rw,no_root_squash,insecure,fsid=0,no_subtree_check)" >/etc/exports
	exportfs -ra
	rpc.mountd --no-udp
	rpc.statd
	echo 10 >/proc/fs/nfsd/nfsv4leasetime
	echo 10 >/proc/fs/nfsd/nfsv4gracetime
	start
	say "serving: $(tr '\n' ' ' </proc/fs/nfsd/portlist)"
}

# start starts the NFS server, or with a number starts it anew, with a lock manager that is in grace for so
# many seconds: as long as it is, the server gives no delegations.
start() {
	if [ -n "${1:-}" ]; then
		rpc.nfsd 0
		echo 3 >/proc/sys/fs/nfs/nlm_timeout
		echo $1 >/proc/sys/fs/nfs/nlm_grace_period
	fi
	rpc.nfsd --rdma=20049 4
	echo Y >/proc/fs/nfsd/v4_end_grace
}

# mounted VERSION mounts on /mnt/n.
mounted() {
	local options=rdma,port=20049,vers=$1 path=/
	[ $1 != 3 ] || options=$options,nolock,mountproto=tcp path=/srv
	timeout 60 mount -t nfs -o $options $server:$path /mnt/n
}

# listens PORT has the NFS server listen at another port too, for a play of its own on the wire.
listens() { echo "rdma $1" >/proc/fs/nfsd/portlist; }

# expect WORDS writes down what lab/expect is to hold of the wire.
expect() { echo "$*" >>/out/expected; }

# wrong says what is not as it has to be.
wrong() {
	say "$name: WRONG: $*"
	failed=1
}

# resources are how many things of each kind the kernel has; of the client's card, where the
# server may have something to do for a minute with a connection that broke.
resources() { rdma resource show | grep "${of_card:-:}"; }

# ours are the things in the kernel that programs of our own have.
ours() { for things in qp cq mr pd cm_id; do rdma resource show $things; done | grep -E 'comm (rdmacap|verbs)'; }

# gone says whether nothing of our own programs is left in the kernel.
gone() {
	for try in $(seq 100); do
		ours >/dev/null || return 0
		sleep 0.1
	done
	say "left behind: $(ours)"
	return 1
}

# as_before says whether the kernel has what it had at first: it may take a moment.
as_before() {
	for try in $(seq 60); do
		[ "$(resources)" != "$before" ] || return 0
		sleep 0.5
	done
	say "$kind: left behind: $(rdma resource show qp) $(rdma resource show cm_id); before: $before"
	return 1
}

[ $lab_work = failures ] || rdma_modules
. /out/$lab_work.sh >/out/log 2>&1
