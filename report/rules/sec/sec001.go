package sec

import (
	"github.com/rdmacap/rdmacap/dissect"
	"github.com/rdmacap/rdmacap/dissect/flow"
	"github.com/rdmacap/rdmacap/dissect/rpcrdma"
	"github.com/rdmacap/rdmacap/report/rules"
	"github.com/rdmacap/rdmacap/report/rules/memory"
)

func sec001() *rules.Rule {
	return &rules.Rule{
		ID: "SEC-001", Title: "Persistent or shared handle",
		Severity: rules.Warning,
		Since:    "0.5",
		Meaning: "A requester advertises the same piece of memory under the same handle call after call, or one handle stands " +
			"for memory all over the place: the registration outlives the RPCs that need it.",
		Why: "The server can read and write that memory also while no RPC is active, and whatever the requester keeps there. " +
			"A handle over all memory leaves nothing of the protection that handles are for.",
		Advice: "Register memory for each RPC, and invalidate it before the RPC's result is used. Do not use an adapter's " +
			"all-memory key for chunks.",
		Reference: "RFC 8166, sections 8.1.2 and 8.1.3; draft-cel-nfsv4-rfc5666-implementation-experience-02, section 9; " +
			"draft-cel-nfsv4-rpcrdma-version-two-02, section 3; draft-dnoveck-nfsv4-rpcrdma-xcharext-00, section 3.2",
		Gates: rules.Gates{rules.SilentIf(rules.Cut), rules.DetailIf(rules.BeganLate, rules.OneDirection, rules.LostSince, rules.Disordered)},
		Limits: "Segments of at most 4 octets are left out: Linux clients keep one for XDR pads. A handle whose low octet " +
			"changed in between counts anew, since adapters come back to the same value; so does one that a reply invalidated. " +
			"Calls whose answers are missing from the capture do not count.",
		Cases: []rules.Case{
			{Letter: "a", Title: "the same segment in call after call", Severity: rules.Warning},
			{Letter: "b", Title: "one handle for unrelated memory of several open calls", Severity: rules.Warning},
		},
		Wide:   true,
		Speaks: rules.RPCRDMA,
		Needs:  []rules.Knowledge{memory.JudgeKnowledge()},
		On:     []rules.Event{rules.OnMessage(rules.WithChunks, message001), rules.OnRPC(rules.WithChunks, rpc001)},
		Fires: []rules.Sample{
			{Name: "one registered buffer for all reads", Scene: `
				connect
				call 1 NFS3 READ count=100
				    write 0x1001 100@0x7000
				reply 1 data=bytes(100)
				repeat 7
				call $+1 NFS3 READ count=100
				    write 0x1001 100@0x7000
				reply $+1 data=bytes(100)
				end
				call 9 NFS3 READ count=100
				    write 0x1001 100@0x7000
				    want SEC-001a write1.1
				reply 9 data=bytes(100)
				disconnect`},
			{Name: "one registered buffer and one key for all memory, in version 2", Scene: `
				connect version=2
				call 50 NFS3 NULL
				reply 50
				repeat 8
				call $ NFS3 READ count=100
				    write 0x1001 100@$*0x10000000000
				end
				call 9 NFS3 READ count=100
				    write 0x1001 100@0x90000000000
				    want SEC-001b write1.1
				wait 10ms
				repeat 9
				reply $ data=bytes(100)
				end
				repeat 8
				call $+20 NFS3 READ count=100
				    write 0x2001 100@0x7000
				reply $+20 data=bytes(100)
				end
				call 29 NFS3 READ count=100
				    write 0x2001 100@0x7000
				    want SEC-001a write1.1
				reply 29 data=bytes(100)
				disconnect`},
			{Name: "one key for all memory", Scene: `
				connect
				call 50 NFS3 NULL
				reply 50
				repeat 8
				call $ NFS3 READ count=100
				    write 0x1001 100@$*0x10000000000
				end
				call 9 NFS3 READ count=100
				    write 0x1001 100@0x90000000000
				    want SEC-001b write1.1
				wait 10ms
				repeat 9
				reply $ data=bytes(100)
				end
				disconnect`},
		},
		Silent: []rules.Sample{
			{Name: "the handle is another each time", Scene: `
				connect
				repeat 10
				call $ NFS3 READ count=100
				    write $+0x1000 100@0x7000
				reply $ data=bytes(100)
				end
				disconnect`},
			{Name: "each reply invalidates the handle", Scene: `
				connect client=4096/4096,inv server=4096/4096,inv
				repeat 12
				call $ NFS3 READ count=100
				    write 0x2001 100
				reply $ data=bytes(100)
				    invalidate 0x2001
				end
				disconnect`},
			{Name: "the replies, which may have invalidated the handle, are missing from the capture", Scene: `
				connect client=4096/4096,inv server=4096/4096,inv
				repeat 12
				call $ NFS3 READ count=100
				    write 0x2001 100
				reply $ data=bytes(100)
				    invalidate 0x2001
				end
				disconnect
				only client`},
			{Name: "a Linux client's four octets for pads", Scene: `
				connect
				repeat 10
				call $ NFS3 READ count=99
				    write $+0x1000 99 0x9999 4
				reply $ data=bytes(99)
				end
				disconnect`},
		},
	}
}

// lasting remembers how often a handle came unchanged. Handles of adapters have an
// upper part that names the registration and a low octet that each new use of it
// changes.
type lasting struct {
	fresh []key           // that are not in use
	keys  map[uint32]*key // by the upper part
}

type key struct {
	rpcrdma.Segment
	calls int
	xid   uint32
}

const (
	mostKeys  = 1024 // registrations that are remembered at a time
	freshKeys = 4    // that are made at once
)

// pad is the longest segment that may be a Linux client's for XDR pads, in octets.
const pad = 4

func message001(c *rules.Conn, m *dissect.Message, say rules.Say) {
	if m.Role() != dissect.RoleCall || c.Cut(m) || m.Header.Fault.Bad() {
		return
	}
	k := of(c)
	for s, at := range segments(m) {
		if s.Length <= pad {
			continue
		}
		k.lasting.segment(c, m, s.Segment, at, say)
	}
}

func (w *lasting) segment(c *rules.Conn, m *dissect.Message, s rpcrdma.Segment, at int, say rules.Say) {
	upper := s.Handle >> 8
	if w.keys == nil {
		w.keys = make(map[uint32]*key)
	}
	k := w.keys[upper]
	if k == nil {
		if len(w.keys) >= mostKeys {
			clear(w.keys) // what lasts will be back
		}
		if len(w.fresh) == 0 {
			w.fresh = make([]key, freshKeys)
		}
		k, w.fresh = &w.fresh[0], w.fresh[1:]
		w.keys[upper] = k
	}
	if k.Handle != s.Handle || k.Offset != s.Offset {
		*k = key{Segment: s}
	}
	if k.calls > 0 {
		if k.xid == m.Header.XID {
			return
		}
		switch before(c, m.Frame(), s.Handle) {
		case memory.Replied, memory.Failed:
		case memory.Invalidated:
			*k = key{Segment: s} // it is a new registration, whatever its handle
		default:
			return // the end of its RPC was not captured so far
		}
	}
	k.calls, k.xid = k.calls+1, m.Header.XID
	if k.calls <= c.Capture.Config.KeyUses {
		return
	}
	if f := say.Message("a", m, ""); f != nil {
		f.Sayf("the %s advertised the same memory under handle %s in %d calls, one after the other", c.Sender(m.From), rules.Handle(s.Handle), k.calls)
		f.See("calls with the segment", k.calls, c.Capture.Config.KeyUses).See("segment", s.String(), nil).In(m, at, rpcrdma.SegmentSize)
	}
}

// before is how the grant of a handle ended that is the newest but for those of the
// call in a frame; Live too if none is remembered.
func before(c *rules.Conn, call flow.Ref, handle uint32) memory.Ending {
	for g := memory.Of(c).Newest(handle); g != nil; g = g.Older() {
		if g.Call != call {
			return g.Over
		}
	}
	return memory.Live
}

// rpc001 looks for a handle that another open call had for memory far away, which no
// registration of one buffer can be.
func rpc001(c *rules.Conn, r *dissect.RPC, say rules.Say) {
	if !judgeable(c, r) {
		return
	}
	for s, at := range segments(r.Call) {
		if s.Length <= pad {
			continue
		}
		const far = 1 << 30
		g := beside(c, r, s.Handle, func(g *memory.Grant) bool {
			distance := s.Offset - g.Offset
			return min(distance, -distance) >= far
		})
		if g == nil {
			continue
		}
		k := of(c)
		if k.spread++; k.spread < c.Capture.Config.KeyUses {
			continue
		}
		if f := say.Part("b", r, r.Call, ""); f != nil {
			f.Sayf("handle %s stands for memory of several open calls, %d times more than 1 GiB apart: a key over all memory",
				rules.Handle(s.Handle), k.spread)
			f.See("segment", s.String(), nil).See("segment of another open call", g.Segment.String(), nil).In(r.Call, at, rpcrdma.SegmentSize).With(g.Call)
		}
	}
}
