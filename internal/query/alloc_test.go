package query

import (
	"runtime"
	"testing"

	"github.com/rdmacap/rdmacap/dissect"
	"github.com/rdmacap/rdmacap/dissect/flow"
	"github.com/rdmacap/rdmacap/internal/allocs"
)

// cheap are expressions of every sort, by level. None of them is settled before
// its last field.
var cheap = [levels][]string{
	RPCs: {
		"rpc.latency > 0s or nfs.op == READ",
		"nfs.op == READ or nfs.op matches 'ATTR' or nfs.status == NFS4ERR_NOENT or rpc.procedure == 6",
		"nfs.name contains 'nothing like it' or nfs.fh contains 00:01:02:03:04:05:06:07 or nfs.fh.hash == 5",
		"nfs.offset == 5 or nfs.count == 5 or nfs.stateid contains ff:fe:fd or nfs4.fattr4.attrmask == 85",
		"nfs3.fattr3.mtime < '1971-01-01' or nfs3.access3args.access == 0x20 or nfs4.open4args.share_access == BOTH",
		"rdma.handle == 5 or rdma.call.credits == 5000 or rdma.reads.count > 9 or rdma.reply.proc == RDMA_DONE",
		"rpc.program == MOUNT and rpc.status == SYSTEM_ERR or rpc.auth == AUTH_DH or ip.addr == 203.0.113.0/24 or direction == 7",
		"frame.number == 99999999 or frame.time < '1971-01-01' or rpc.missing == 'nothing' or rdma.malformed == 'nothing'",
	},
	Messages: {
		"rdma.xid == 5 or rdma.proc == RDMA_DONE or rdma.offset == 5 or rdma.position == 7",
		"rdma.invalidated == 5 or rdma.error == ERR_VERS or rdma.missing == 'x' or ip.addr == 203.0.113.0/24",
	},
	Frames: {
		"frame.note == retransmission or icrc.state == wrong or rdma.opcode == 0xff or ip.addr == 203.0.113.0/24 or port == 9",
		"bth.psn == 0x1000000 or reth.va == 5 or aeth.msn == 0x1000000 or ieth.rkey == 5 or icrc.icrc == 5",
		"cm.req.serviceid == 5 or cm.ip.dst == 203.0.113.0/24 or rpcrdma.private.version == 9 or mad.status == 99",
		"mpa.rev == 9 or mpa.crc.state == wrong or mpa.crc.crc == 5 or mpa.marker.fpduptr == 5 or rdmap.term.ecode == 99",
		"ddp.tagged.stag == 5 or ddp.untagged.mo == 5 or rdmap.read.size == 5 or rdmap.atomicreq.id == 5",
		"eth.type == 5 or vlan.id == 5 or ip.src == 203.0.113.1 or udp.dstport == 5 or tcp.seq == 5 or rdma.xid == 5 or frame.comment == 'x'",
	},
}

// TestMatchAllocatesNothing asks about rows of samples. TCP options are not
// among the fields: see linkHeader.
func TestMatchAllocatesNothing(t *testing.T) {
	sets := newSets(t)
	sets.Parts.AddRPC(6, func(r flow.Ref) bool { return r.Number%2 == 0 })
	for _, sample := range []string{"rxe-cb", "siw-basic"} {
		path := "../../samples/" + sample + ".pcap.zst"
		list := framesOf(t, path)
		for l := range levels {
			for _, expr := range cheap[l] {
				q := compile(t, sets, l, expr)
				n := 0
				// A row's first question may walk over it.
				few := func(ask func()) {
					if n++; n%7 == 0 && n < 700 && !t.Failed() {
						if got := allocs.Per(5, ask); got != 0 {
							t.Errorf("%s, %s %d: %s: %v allocations", path, words[l].rows, n, expr, got)
						}
					}
				}
				sink := [levels]told{
					RPCs:     {rpc: func(r *dissect.RPC) { few(func() { q.RPC(r) }) }},
					Messages: {message: func(m *dissect.Message) { few(func() { q.Message(m) }) }},
					Frames:   {frame: func(v *dissect.FrameView) { few(func() { q.Frame(v) }) }},
				}
				dissected(t, list, &sink[l], bindings(t, q.Keys()...))
			}
		}
	}
}

// TestReadingAllocatesNoMore compares all that is allocated while a sample is
// read with a filter that walks over every RPC and without one.
func TestReadingAllocatesNoMore(t *testing.T) {
	sets := newSets(t)
	list := framesOf(t, "../../samples/rxe-basic.pcap.zst")
	q := compile(t, sets, RPCs, "nfs.op == READ and nfs3.fattr3.size > 1000000000")
	b := bindings(t, q.Keys()...)
	rows := 0
	count := func(ask bool) uint64 {
		rows = 0
		sink := &told{rpc: func(r *dissect.RPC) {
			rows++
			if ask {
				q.RPC(r)
			}
		}}
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		dissected(t, list, sink, b)
		runtime.ReadMemStats(&after)
		return after.Mallocs - before.Mallocs
	}
	count(true) // which compiles what is walked over
	without, with := count(false), count(true)
	// The bodies of the RPCs in flight.
	if with > without+100 {
		t.Errorf("%d allocations without a filter, %d with one, of %d RPCs", without, with, rows)
	}
}
