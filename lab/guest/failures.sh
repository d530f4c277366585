# SPDX-License-Identifier: Apache-2.0
# Has rdmacap replay meet what goes wrong with devices, networks and peers: it says what it is and what
# to do, ends in time with its exit status, and leaves nothing in the kernel.
of_card=b: replay=/tmp/rdmacap-verbs capture=/out/rxe-basic.pcap.zst
cp /out/rdmacap-verbs $replay
ulimit -l unlimited # Soft-iWARP goes by it even for root

# meets NAME STATUS SECONDS WORDS COMMAND... runs a command, which has to end in so many seconds with
# that exit status, and to say the words.
meets() {
	name=$1
	local want=$2 limit=$3 words=$4 begun=${EPOCHREALTIME/./} status=0
	shift 4
	timeout -s KILL 120 "$@" >/tmp/said 2>&1 </dev/null || status=$?
	local took=$(((${EPOCHREALTIME/./} - begun) / 1000))
	say "$name: exit status $status after $took ms: $(grep -m 1 -F "$words" /tmp/said || cat /tmp/said)"
	[ $status -eq $want ] || wrong "exit status $status, not $want"
	grep -qF "$words" /tmp/said || wrong "it does not say: $words"
	[ $took -le $((limit * 1000)) ] || wrong "it took longer than $limit s"
}

# connected waits until a replay of that process ID has a queue pair. The kernel names the thread.
connected() {
	for try in $(seq 200); do
		! ours | grep -q lqpn || return 0
		kill -0 $1 || return 1
		sleep 0.1
	done
	return 1
}

# ends NAME COMMAND SECONDS CAUSE WORDS replays slowly by the command, and after a second has something
# happen that ends the connection. The replay has to say the words, and to end in so many seconds.
ends() {
	name="$kind: $1"
	$2 --format ndjson $capture --connection 1 --yes --pace 0.1x >/tmp/said 2>&1 &
	local replaying=$! status=0
	connected $replaying || wrong 'it has no queue pair'
	sleep 1
	eval "$4"
	local begun=${EPOCHREALTIME/./}
	wait $replaying || status=$?
	local took=$(((${EPOCHREALTIME/./} - begun) / 1000))
	say "$name: exit status $status after $took ms: $(tail -n 1 /tmp/said)"
	[ $status -eq 1 ] && tail -n 1 /tmp/said | grep -q '"ended":".*\('"$5"'\)' || wrong 'it should be 1, with the reason'
	[ $took -lt $(($3 * 1000)) ] || wrong 'it took too long'
}

to() { echo $replay replay $capture --connection 1 --bind --yes --max-calls 4 --to $1; }

# The kernel would load its modules itself when libibverbs asks for devices.
modprobe=$(cat /proc/sys/kernel/modprobe)
echo /nowhere >/proc/sys/kernel/modprobe
meets 'no support in the kernel' 2 20 'no RDMA support loaded (modprobe' $(to $server)
echo $modprobe >/proc/sys/kernel/modprobe
rdma_modules
meets 'no device' 2 20 'libibverbs knows no device, and the kernel has none' $(to $server)
serve
transport rxe
mv /etc/libibverbs.d /etc/elsewhere
meets 'no providers' 2 20 'its provider is missing, which Debian has in the package ibverbs-providers' $(to $server)
mv /etc/elsewhere /etc/libibverbs.d
for library in libibverbs librdmacm; do
	file=$(readlink -f /usr/lib/*/$library.so.1)
	mv $file /tmp/$library
	meets "no $library" 2 20 "$library" $(to $server)
	echo broken >$file
	meets "$library is broken" 2 20 "$library" $(to $server)
	mv /tmp/$library $file
done
chmod 600 /dev/infiniband/*
meets 'no permission' 2 20 'permission denied' setpriv --reuid 65534 --clear-groups $(to $server)

ip route add 192.0.2.3 dev eth1 src $client
ip neighbour add 192.0.2.3 lladdr 52:54:00:00:00:03 dev eth1 nud permanent # where there is nobody
ip route add 192.0.2.4 dev eth1 src $client
for port in 20071 20072; do listens $port; done
modprobe -a sch_ingress cls_matchall act_gact

for kind in rxe siw; do
	transport $kind
	before=$(resources) capture=/out/$kind-basic.pcap.zst
	meets "$kind: no route" 2 20 'no route' $(to 203.0.113.1)
	meets "$kind: no such host" 2 60 'its address' $(to 192.0.2.4)
	meets "$kind: a silent host" 2 60 'does not answer' $(to 192.0.2.3)
	meets "$kind: nobody listens" 2 20 'nobody listens at that port' $(to $server:20999)
	meets "$kind: a handle that nobody has" 1 60 'the connection has ended' $(to $server:20071) --edit 'nfs.op == READ : rdma.handle[0] = 0x123456' --max-calls 200 --pace asap
	meets "$kind: the port is taken" 2 20 'listens at this port' $replay replay $capture --listen $server:20049

	# Broken off in the middle: by SIGINT it says what it has done, and by SIGKILL the kernel gives
	# all back.
	for signal in INT KILL; do
		name="$kind: SIG$signal"
		$replay replay --to $server:20072 --format ndjson $capture --connection 1 --bind --yes --pace 0.05x >/tmp/said 2>&1 &
		broken=$!
		connected $broken || wrong 'it has no queue pair'
		sleep 1
		kill -$signal $broken
		begun=${EPOCHREALTIME/./} status=0
		wait $broken || status=$?
		say "$name: exit status $status after $(((${EPOCHREALTIME/./} - begun) / 1000)) ms: $(tail -n 1 /tmp/said)"
		case $signal in
		INT) [ $status -eq 130 ] && grep -q '"type":"replay_summary".*"answered":[1-9]' /tmp/said || wrong 'it should be 130, with what was answered' ;;
		KILL) [ $status -eq 137 ] || wrong 'it should be 137' ;;
		esac
		gone || wrong 'something is left'
	done

	# Nothing comes from the peer any more, and nothing gets there: Soft-RoCE finds it out by its
	# retries, and with Soft-iWARP only the calls without a reply tell.
	case $kind in rxe) patience=60s ;; siw) patience=5s ;; esac
	ends 'the peer vanishes' "$replay replay --to $server:20072 --bind --reply-timeout $patience" 90 \
		'tc qdisc add dev eth0 clsact; tc filter add dev eth0 ingress matchall action drop' 'does not answer\|answered nothing'
	tc qdisc del dev eth0 clsact
	gone || wrong 'something is left'

	# So it does, and the network knows.
	ends 'the peer has moved' "$replay replay --to $server:20072 --bind --reply-timeout 5s" 90 \
		"ip neighbour replace $server lladdr 52:54:00:00:00:03 dev eth1 nud permanent" 'does not answer\|answered nothing'
	ip neighbour replace $server lladdr ${mac[101]} dev eth1 nud permanent
	gone || wrong 'something is left'

	$replay replay $capture --connection 1 --listen 0.0.0.0:20073 >/tmp/listened 2>&1 &
	listener=$!
	until grep -q 'is served' /tmp/listened; do
		kill -0 $listener || { cat /tmp/listened; exit 1; }
		sleep 0.1
	done
	ends 'the peer is killed' "$replay replay --to $server:20073" 30 "kill -KILL $listener" 'disconnected'
	gone || wrong 'something is left'
	as_before || wrong 'the kernel has not what it had before'
done
[ -n "${failed:-}" ] || touch /out/done
