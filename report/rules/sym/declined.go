package sym

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/rdmacap/rdmacap/dissect"
	"github.com/rdmacap/rdmacap/dissect/flow"
	"github.com/rdmacap/rdmacap/dissect/rpc"
	"github.com/rdmacap/rdmacap/dissect/rpcrdma"
	"github.com/rdmacap/rdmacap/report/rules"
	"github.com/rdmacap/rdmacap/report/rules/know/pasts"
)

// A declined is a version of RPC-over-RDMA that a server refused, or a program or its version: a mount
// comes about without only if the client tries another.
type declined struct {
	program uint32 // 0 for RPC-over-RDMA
	version uint32 // that was asked for
	// low and high are the versions that the server has, if hasRange.
	low, high uint32
	hasRange  bool
	at        flow.Moment
	xid       uint32
}

// declines are those of a connection.
type declines struct {
	list []declined
	rpcs int64 // that were answered so
}

const mostDeclined = 4 // of a connection, and of a pair of hosts

func (x *declines) addDeclined(d declined) {
	if len(x.list) < mostDeclined && !slices.ContainsFunc(x.list, d.same) {
		x.list = append(x.list, d)
	}
}

func (d declined) same(o declined) bool { return d.program == o.program && d.version == o.version }

// message004 looks for an ERR_VERS.
func message004(c *rules.Conn, m *dissect.Message, _ rules.Reporter) {
	h := &m.Header
	if h.Proc != rpcrdma.RDMAError || h.Fault.Bad() || h.Error != rpcrdma.ErrVers || m.ToServer() {
		return
	}
	d := declined{low: h.VersLow, high: h.VersHigh, hasRange: true, at: m.Moment(), xid: h.XID}
	x := declinesOf(c)
	switch r := m.RPC(); {
	case r != nil && r.Call != nil:
		d.version = r.Call.Header.Version
		x.rpcs++
	case m.Request() != nil:
		d.version = m.Request().Version
	default:
		return
	}
	if d.low > d.high || d.low <= d.version && d.version <= d.high {
		return // HDR-013
	}
	x.addDeclined(d)
}

// rpc004 looks for a program that the server does not have.
func rpc004(c *rules.Conn, r *dissect.RPC, _ rules.Reporter) {
	call, h := r.CallHeader(), r.ReplyHeader()
	if call == nil || h == nil || r.Reverse() || h.Denied || h.Accept != rpc.ProgUnavail && h.Accept != rpc.ProgMismatch {
		return
	}
	x := declinesOf(c)
	x.rpcs++
	if call.Program != rpc.ProgramNFS && call.Program != rpc.ProgramMount {
		return // NFSACL is asked for wherever there is NFS
	}
	x.addDeclined(declined{
		program: call.Program, version: call.Version, low: h.Low, high: h.High, hasRange: h.Accept == rpc.ProgMismatch,
		at: r.Reply.Moment(), xid: r.XID,
	})
}

func declinesOf(c *rules.Conn) *declines {
	k := state.Of(c)
	if k.declines == nil {
		k.declines = new(declines)
	}
	return k.declines
}

// over004 notes what a connection of two hosts showed.
func over004(e *rules.ConnRef, c *rules.Conn, _ rules.Reporter) {
	var x declines
	if k := state.IfAny(c); k != nil && k.declines != nil {
		x = *k.declines
	}
	worked := c.RPCs-c.Unanswered[0]-c.Unanswered[1] > x.rpcs
	if !worked && len(x.list) == 0 && c.Closing != flow.Rejected && !c.Established {
		return
	}
	p := historySlot.Of(e.CrossConnection).pasts.Of(pasts.PeersOf(c))
	if p == nil {
		return
	}
	series004(p, e, c)
	p.worked = p.worked || worked
	if c.BeganLate() || c.OneDirection() || c.Lossy() {
		return // what worked may have come before, or not be captured
	}
	for _, d := range x.list {
		if len(p.declined) < mostDeclined && !slices.ContainsFunc(p.declined, d.same) {
			p.declined = append(p.declined, d)
		}
	}
}

// declined004 reports the hosts between which nothing worked.
func declined004(e *rules.ConnRef, report rules.Reporter) {
	type refused struct {
		pasts.Peers
		declined
	}
	var list []refused
	for k, p := range historySlot.Of(e.CrossConnection).pasts {
		for _, d := range p.declined {
			if !p.worked {
				list = append(list, refused{k, d})
			}
		}
	}
	slices.SortFunc(list, func(a, b refused) int {
		return cmp.Or(a.at.Ref.Compare(b.at.Ref), cmp.Compare(a.program, b.program), cmp.Compare(a.version, b.version))
	})
	for i := range list {
		d := &list[i]
		letter, what := "a", "RPC-over-RDMA"
		if d.program != 0 {
			letter, what = "b", rpc.ProgramName(d.program)
		}
		f := report.Key(d.Peers).Moment(letter, d.at.Ref, d.at.Time, nil, "")
		if f == nil {
			continue
		}
		f.ForXID(d.xid)
		f.Messagef("the server %v refused version %d of %s for the client %v", d.Server, d.version, what, d.Client)
		switch {
		case !d.hasRange:
			f.Message += ": it does not support the program"
		default:
			f.Message += ": it supports " + rules.Versions(d.low, d.high)
		}
		f.Message += "; no call between them got another answer"
		f.See("version", d.version, d.expected())
		f.See("client", d.Client.String(), nil).See("server", d.Server.String(), nil).See("port", d.Port, nil)
	}
}

// expected is what the server would take, nil if it is not known.
func (d *declined) expected() any {
	if !d.hasRange {
		return nil
	}
	if d.low == d.high {
		return d.low
	}
	return fmt.Sprintf("%d to %d", d.low, d.high)
}
