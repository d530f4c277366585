package main

import (
	"fmt"
	"math/rand/v2"
)

// A kind of fault.
type kind struct {
	name     string
	only     string   // transport, "" for both
	versions []string // of NFS, nil for all
	draw     func(r *rand.Rand, f *drawn) *drawn
}

// healthy is the kind that injects nothing.
const healthy = "healthy"

// drawn is how one is injected. Way is the direction in which frames suffer: toServer, toClient or "".
type drawn struct {
	transport, version, way string
	export, inject, heal    string
	command                 string // in place of all these; inject and heal stand around it
	words                   string
}

const (
	toServer = "to-server"
	toClient = "to-client"
)

// kinds are all that there are.
func kinds() []kind {
	v4 := []string{"4.0", "4.1", "4.2"}
	return []kind{
		{name: "loss-before", draw: lossBefore},
		{name: "loss-behind", draw: lossBehind},
		{name: "burst-before", draw: burstBefore},
		{name: "burst-behind", draw: burstBehind},
		{name: "delay", draw: delay},
		{name: "rate", draw: rate},
		{name: "reorder", only: "rxe", draw: reorder}, // TCP puts up with it
		{name: "duplicate", draw: duplicate},
		{name: "corrupt", draw: corrupt},
		{name: "frozen", draw: frozen},
		{name: "restart", versions: v4, draw: restart},
		{name: "restart-v3", versions: []string{"3"}, draw: restart},
		{name: "full", draw: full},
		{name: "read-only", draw: readOnly},
		{name: "withdrawn", draw: withdrawn},
		{name: "link-down", draw: linkDown},
		{name: "mtu", draw: mtu},
		{name: "refused", draw: refused},
		{name: "unreachable", versions: v4, draw: unreachable},
		{name: "version", versions: []string{"3"}, draw: version},
		{name: "reset", only: "siw", draw: reset}, // a queue pair has none
	}
}

func nothing(_ *rand.Rand, f *drawn) *drawn {
	f.export, f.inject, f.heal, f.words = "/srv/x", ":", ":", "nothing (control)"
	return f
}

// between is a number from a to b.
func between(r *rand.Rand, a, b int) int { return a + r.IntN(b-a+1) }

// side chooses who sends what suffers, and which card that leaves by, and comes in by.
func (f *drawn) side(r *rand.Rand) (who, from, to string) {
	f.export = "/srv/x"
	if r.IntN(2) == 0 {
		f.way = toServer
		return "the client", "eth1", "eth0"
	}
	f.way = toClient
	return "the server", "eth0", "eth1"
}

// before has all that a side sends suffer before the emulator sees it.
func (f *drawn) before(r *rand.Rand, netem, words string) *drawn {
	who, from, _ := f.side(r)
	f.inject, f.heal, f.words = fmt.Sprintf("before %s %s", from, netem), "heals "+from, fmt.Sprintf(words, who)
	return f
}

func lossBefore(r *rand.Rand, f *drawn) *drawn {
	n := between(r, 1, 6)
	return f.before(r, fmt.Sprintf("loss %d%%", n), fmt.Sprintf("%d %%%% of what %%s sends is lost before the tap", n))
}

func lossBehind(r *rand.Rand, f *drawn) *drawn {
	who, _, to := f.side(r)
	n := between(r, 15, 60)
	f.inject, f.heal = fmt.Sprintf("behind %s ok random netrand drop %d", to, n), "heals "+to
	f.words = fmt.Sprintf("1 in %d of what %s sends is lost after the tap", n, who)
	return f
}

func burstBefore(r *rand.Rand, f *drawn) *drawn {
	who, from, _ := f.side(r)
	n := between(r, 2, 5)
	f.inject, f.heal = fmt.Sprintf("during %d 'before %s loss 100%%' 'heals %s'", n, from, from), "wait $!"
	f.words = fmt.Sprintf("nothing that %s sends comes to the tap for %d s", who, n)
	return f
}

func burstBehind(r *rand.Rand, f *drawn) *drawn {
	who, _, to := f.side(r)
	n := between(r, 2, 5)
	f.inject, f.heal = fmt.Sprintf("during %d 'behind %s drop' 'heals %s'", n, to, to), "wait $!"
	f.words = fmt.Sprintf("nothing that %s sends comes to its peer for %d s, lost after the tap", who, n)
	return f
}

func delay(r *rand.Rand, f *drawn) *drawn {
	n := 10 * between(r, 3, 25)
	return f.before(r, fmt.Sprintf("delay %dms", n), fmt.Sprintf("what %%s sends takes %d ms longer", n))
}

func rate(r *rand.Rand, f *drawn) *drawn {
	n := 500 * between(r, 2, 6)
	return f.before(r, fmt.Sprintf("rate %dkbit", n), fmt.Sprintf("%%s sends %d kbit/s at most", n))
}

func reorder(r *rand.Rand, f *drawn) *drawn {
	n, ms := between(r, 1, 4), between(r, 1, 4)
	return f.before(r, fmt.Sprintf("delay %dms reorder %d%%", ms, n), fmt.Sprintf("%d %%%% of what %%s sends overtakes the rest by %d ms", n, ms))
}

func duplicate(r *rand.Rand, f *drawn) *drawn {
	n := between(r, 2, 10)
	return f.before(r, fmt.Sprintf("duplicate %d%%", n), fmt.Sprintf("%d %%%% of what %%s sends comes twice", n))
}

func corrupt(r *rand.Rand, f *drawn) *drawn {
	n := between(r, 1, 3)
	return f.before(r, fmt.Sprintf("corrupt %d%%", n), fmt.Sprintf("a bit is changed in %d %%%% of what %%s sends", n))
}

func frozen(r *rand.Rand, f *drawn) *drawn {
	n := between(r, 2, 8)
	f.export, f.heal = "/srv/frozen", "wait $!"
	f.inject = fmt.Sprintf("during %d 'fsfreeze -f /srv/frozen' 'fsfreeze -u /srv/frozen'", n)
	f.words = fmt.Sprintf("the server's file system is frozen for %d s", n)
	return f
}

func restart(r *rand.Rand, f *drawn) *drawn {
	n := between(r, 1, 4)
	f.export, f.heal, f.inject = "/srv/x", ":", fmt.Sprintf("restarts %d", n)
	f.words = fmt.Sprintf("the NFS server is stopped and started %d s later, with 10 s of grace", n)
	return f
}

func full(_ *rand.Rand, f *drawn) *drawn {
	f.export, f.inject, f.heal, f.words = "/srv/full", ":", ":", "the export is on a file system of 600 KiB, which gets full"
	return f
}

func readOnly(_ *rand.Rand, f *drawn) *drawn {
	f.export, f.inject, f.heal, f.words = "/srv/ro", ":", ":", "the export is read-only"
	return f
}

func withdrawn(_ *rand.Rand, f *drawn) *drawn {
	f.export, f.inject, f.heal, f.words = "/srv/gone", "withdraws /srv/gone", "exportfs -ra", "the server exports the folder no more"
	return f
}

func linkDown(r *rand.Rand, f *drawn) *drawn {
	n := between(r, 3, 8)
	f.export, f.heal = "/srv/x", "wait $!"
	f.inject = fmt.Sprintf("during %d 'behind eth0 drop; behind eth1 drop' 'heals eth0 eth1'", n)
	f.words = fmt.Sprintf("the link is down for %d s, both ways", n)
	return f
}

func mtu(r *rand.Rand, f *drawn) *drawn {
	who, _, to := f.side(r)
	n, s := 100*between(r, 6, 10), between(r, 12, 20)
	f.inject, f.heal = fmt.Sprintf("large %s %d; (sleep %d; heals %s) &", to, n, s, to), "wait $!"
	f.words = fmt.Sprintf("frames of more than %d bytes of %s do not come to its peer, for %d s", n, who, s)
	return f
}

func refused(r *rand.Rand, f *drawn) *drawn {
	port := between(r, 20100, 20999)
	f.words = fmt.Sprintf("a mount at port %d, where nobody listens", port)
	options, path := fmt.Sprintf("rdma,port=%d,vers=%s,retry=0", port, f.version), "/"
	if f.version == "3" {
		options, path = options+",nolock,mountproto=tcp", "/srv/x"
	}
	f.command = fmt.Sprintf("mount -t nfs -o %s $server:%s /mnt/n", options, path)
	return f
}

func unreachable(_ *rand.Rand, f *drawn) *drawn {
	f.inject, f.heal, f.words = "behind eth0 drop", "heals eth0", "a mount while nothing comes to the server"
	f.command = fmt.Sprintf("mount -t nfs -o rdma,port=20049,vers=%s,retry=0 $server:/ /mnt/n", f.version)
	return f
}

func version(r *rand.Rand, f *drawn) *drawn {
	n := between(r, 3, 200)
	f.words = fmt.Sprintf("a client sends messages of version %d", n)
	f.command = fmt.Sprintf("/tmp/rdmacap-verbs replay --to $server /out/%s-basic.pcap.zst --bind --yes --max-calls 4 --edit %s",
		f.transport, quoted(fmt.Sprintf("nfs.op == GETATTR : rdma.version = %d", n)))
	return f
}

func reset(_ *rand.Rand, f *drawn) *drawn {
	f.export, f.inject, f.heal, f.words = "/srv/x", "resets", ":", "the server's TCP connections are reset"
	return f
}
