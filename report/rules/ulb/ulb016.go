package ulb

import (
	"encoding/binary"
	"slices"

	"github.com/rdmacap/rdmacap/dissect"
	"github.com/rdmacap/rdmacap/dissect/xdr"
	"github.com/rdmacap/rdmacap/report/rules"
	"github.com/rdmacap/rdmacap/report/rules/values"
)

const (
	// enough is how many later calls must have used higher slots before one that
	// was not used is called lost.
	enough = 1000

	statusSeqMisordered = 10063
	statusSeqFalseRetry = 10076
)

func ulb016() *rules.Rule {
	return &rules.Rule{
		ID: "ULB-016", Title: "Session slot lost after an error of the transport",
		Severity: rules.Warning,
		Since:    "0.5",
		Meaning: "A call failed with RDMA_ERROR, GARBAGE_ARGS or the end of its connection, so that the client got no result of its SEQUENCE. The slot " +
			"was not used any more, or its sequence was wrong the next time.",
		Why: "The client has to find the slot of a failed call by the XID and put its sequence right. If it does not, each such failure costs a slot " +
			"for as long as the session lives, and so parallelism.",
		Advice: "Look at how the client completes a call that failed in the transport: whether it frees the slot, and whether it counts its " +
			"sequence ID.",
		Reference: "RFC 8267, section 6.6; draft-dnoveck-nfsv4-nfsulb-01, section 5.5; RFC 8881, section 2.10.6",
		Gates:     rules.Gates{rules.SilentIf(rules.Cut, rules.Protected)},
		Limits: "A slot counts as lost if 1000 later calls of the session used higher ones, which a client does that takes the lowest " +
			"free slot. The last 64 slots of failed calls and the first 128 calls of each connection are remembered.",
		Cases: []rules.Case{
			{Letter: "a", Title: "the slot is not used any more", Severity: rules.Warning},
			{Letter: "b", Title: "the next call on the slot is out of sequence", Severity: rules.Warning},
		},
		Causes: []string{"HDR-014", "RPC-005", "RPC-001", "CM-007"},
		Speaks: rules.RPCRDMA,
		Needs:  []rules.Knowledge{compounds()},
		On:     []rules.Event{onCompound(set(values.OpSequence), compound016)},
		Fires: []rules.Sample{
			{Name: "slot 1 fails and stays away", Scene: `
				connect
				call 1 NFS4 COMPOUND [SEQUENCE{slotid=1 sequenceid=7} PUTFH GETATTR]
				error 1 ERR_CHUNK
				call 2 NFS4 COMPOUND [SEQUENCE{slotid=2}]
				reply 2
				repeat 999
				call $+2 like 2
				reply $+2
				end
				call 2000 like 2
				    want ULB-016a
				reply 2000
				disconnect`},
			{Name: "false retry on the next connection", Scene: `
				connect
				call 1 NFS4 COMPOUND [SEQUENCE{slotid=1 sequenceid=7} PUTFH GETATTR]
				    want ULB-016b
				disconnect
				connect B
				call 2 NFS4 COMPOUND [SEQUENCE{slotid=1 sequenceid=7} PUTFH]
				reply 2 [SEQUENCE{NFS4ERR_SEQ_FALSE_RETRY}]
				disconnect`},
			{Name: "the next call on the slot is misordered", Scene: `
				connect
				call 1 NFS4 COMPOUND [SEQUENCE{slotid=1 sequenceid=7} PUTFH GETATTR]
				error 1 ERR_CHUNK
				call 2 NFS4 COMPOUND [SEQUENCE{slotid=1 sequenceid=9} PUTFH GETATTR]
				reply 2 [SEQUENCE{NFS4ERR_SEQ_MISORDERED}]
				    want ULB-016b
				disconnect`},
			{Name: "CANT_REPLY, and the next call on the slot is out of sequence", Scene: `
				connect version=2
				call 1 NFS3 NULL
				reply 1
				call 2 NFS4 COMPOUND [SEQUENCE{sessionid="0123456789abcdef" slotid=3 sequenceid=7} PUTFH]
				error 2 CANT_REPLY TRUE 0 0
				call 3 NFS4 COMPOUND [SEQUENCE{sessionid="0123456789abcdef" slotid=3 sequenceid=7} PUTFH GETFH]
				reply 3 [SEQUENCE{sr_status=NFS4ERR_SEQ_MISORDERED}]
				    want ULB-016b
				disconnect`},
		},
		Silent: []rules.Sample{
			{Name: "a thousand calls are not enough", Scene: `
				connect
				call 1 NFS4 COMPOUND [SEQUENCE{slotid=1 sequenceid=7} PUTFH GETATTR]
				error 1 ERR_CHUNK
				call 2 NFS4 COMPOUND [SEQUENCE{slotid=2}]
				reply 2
				repeat 999
				call $+2 like 2
				reply $+2
				end
				disconnect`},
			{Name: "the slot is used again on the next connection", Scene: `
				connect
				call 1 NFS4 COMPOUND [SEQUENCE{slotid=1 sequenceid=7} PUTFH GETATTR]
				disconnect
				connect B
				call 2 NFS4 COMPOUND [SEQUENCE{slotid=1 sequenceid=7} PUTFH GETATTR]
				reply 2
				disconnect`},
			{Name: "the slot goes on", Scene: `
				connect
				call 1 NFS4 COMPOUND [SEQUENCE{slotid=1 sequenceid=7} PUTFH GETATTR]
				error 1 ERR_CHUNK
				call 2 NFS4 COMPOUND [SEQUENCE{slotid=1 sequenceid=8} PUTFH GETATTR]
				reply 2
				call 3 NFS4 COMPOUND [SEQUENCE{slotid=1 sequenceid=8} PUTFH GETATTR]
				reply 3 [SEQUENCE{NFS4ERR_SEQ_FALSE_RETRY}]
				disconnect`},
			{Name: "only lower slots were used since", Scene: `
				connect
				call 1 NFS4 COMPOUND [SEQUENCE{slotid=1} PUTFH GETATTR]
				error 1 ERR_CHUNK
				call 2 NFS4 COMPOUND [SEQUENCE{slotid=0} PUTFH GETATTR]
				reply 2
				disconnect`},
		},
	}
}

func compound016(c *rules.Conn, x *compound, say rules.Say) {
	r, s, calls := x.rpc, &all(c).slots, 0
	if k := ifAny(c); k != nil {
		calls = k.calls
	}
	how, frame, time := failedBelow(c, r)
	if how == "" && len(s.open) == 0 && calls >= firstUses {
		return
	}
	q, ok := sequenceOf(x.call)
	if !ok {
		return
	}
	if how != "" {
		lost := slot{session: q.session, slot: q.slot, xid: r.XID, connection: c.ID, how: how, frame: frame, time: time}
		if u := s.after(&q, r.Call.Last, c.ID); u == nil {
			s.add(lost)
		} else if u.status != "" {
			misordered016(c, say.Part("b", r, r.Call, ""), &lost, u)
		}
		return
	}
	u := use{session: q.session, slot: q.slot, connection: c.ID, time: r.Call.First, status: outOfSequence(c, r)}
	if r.Reply != nil {
		u.frame = r.Reply.Frame()
	}
	if calls < firstUses {
		of(c).calls++
		s.used(&u)
	}
	used016(c, say, r, s, &u)
}

// used016 compares the use of a slot with those that failed.
func used016(c *rules.Conn, say rules.Say, r *dissect.RPC, s *slots, u *use) {
	for i := range s.open {
		y := &s.open[i]
		if y.session != u.session || u.slot < y.slot || u.time < y.time {
			continue
		}
		if u.slot == y.slot {
			if u.status != "" {
				misordered016(c, say.RPC("b", r, ""), y, u)
			}
			s.open = slices.Delete(s.open, i, i+1)
			return
		}
		if y.higher++; y.higher > enough {
			if f := say.Part("a", r, r.Call, ""); f != nil {
				f.Sayf("slot %d was not used since the call with XID 0x%08x on connection %d failed (%s), while %d calls used higher slots",
					y.slot, y.xid, y.connection, y.how, y.higher)
				f.See("sa_slotid", u.slot, nil)
				y.show(c, f)
			}
			s.open = slices.Delete(s.open, i, i+1)
			return
		}
	}
}

// misordered016 tells of the next call on the slot of one that failed.
func misordered016(c *rules.Conn, f *rules.Finding, y *slot, u *use) {
	if f == nil {
		return
	}
	f.Sayf("the call with XID 0x%08x on slot %d failed (%s), and the next on that slot, on connection %d, was answered with %s",
		y.xid, y.slot, y.how, u.connection, u.status)
	y.show(c, f)
	f.See("sr_status", u.status, "NFS4_OK").With(u.frame)
}

// show adds the call that failed to a finding on a connection.
func (s *slot) show(c *rules.Conn, f *rules.Finding) {
	if f.With(s.frame); s.connection == c.ID {
		f.Also(s.xid)
	}
}

// outOfSequence is the status of a SEQUENCE that was refused as out of sequence,
// "" if it was not.
func outOfSequence(c *rules.Conn, r *dissect.RPC) string {
	if r.Reply == nil {
		return ""
	}
	if status, ok := firstSequence(r.Reply.BodyOctets()); ok && status != statusSeqMisordered && status != statusSeqFalseRetry {
		return "" // as nearly always
	}
	b := values.Walked(c, r.Reply)
	if b == nil {
		return ""
	}
	at := values.Next(b, 0, values.OpSequence)
	if at < 0 {
		return ""
	}
	e := values.Status(values.Within(b, at))
	switch {
	case e == nil:
	case e.Value == statusSeqMisordered:
		return "NFS4ERR_SEQ_MISORDERED"
	case e.Value == statusSeqFalseRetry:
		return "NFS4ERR_SEQ_FALSE_RETRY"
	}
	return ""
}

// firstSequence is the status of a SEQUENCE that is the first operation of a result, where
// it must be (RFC 8881, section 2.10.6), read without what stands behind it.
func firstSequence(result []byte) (status uint64, ok bool) {
	const tag = xdr.WordSize // behind the status of all
	if len(result) < tag+xdr.WordSize {
		return 0, false
	}
	at := tag + xdr.WordSize + xdr.Padded(binary.BigEndian.Uint32(result[tag:])) + xdr.WordSize
	if at+2*xdr.WordSize > uint64(len(result)) || uint64(binary.BigEndian.Uint32(result[at:])) != values.OpSequence {
		return 0, false
	}
	return uint64(binary.BigEndian.Uint32(result[at+xdr.WordSize:])), true
}
