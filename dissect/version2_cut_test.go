package dissect_test

import (
	"testing"

	"github.com/rdmacap/rdmacap/capture"
	"github.com/rdmacap/rdmacap/capture/link"
	"github.com/rdmacap/rdmacap/dissect"
	"github.com/rdmacap/rdmacap/dissect/rpcrdma"
	"github.com/rdmacap/rdmacap/internal/build"
)

// framesOf are built frames as a capture has them.
func framesOf(list build.Frames) (all frames) {
	for i, f := range list {
		all = append(all, capture.Frame{Number: int64(i + 1), Time: f.Time.UnixNano(), Link: link.TypeEthernet, Data: f.Data, Length: int32(f.Length)})
	}
	return all
}

// TestVersion2WithGaps drops each frame of the sample in turn. No RPC is made up,
// and no characteristic is known that was not announced.
func TestVersion2WithGaps(t *testing.T) {
	list := load(t, "version2-roce")
	xids := make(map[uint32]bool)
	values := make(map[uint32]bool)
	whole := see(t, list, new(sink2))
	for _, r := range whole.rpcs {
		xids[r.xid] = true
	}
	for _, changes := range whole.changes {
		for _, c := range changes {
			values[uint32(c.ID)<<16|c.Value] = true
		}
	}
	for i := range list {
		s := see(t, append(list[:i:i], list[i+1:]...), new(sink2))
		for _, r := range s.rpcs {
			// XID 13 is a message of version 3, without which its ERR_VERS may
			// answer any call.
			if !xids[r.xid] && r.xid != 13 {
				t.Errorf("without frame %d: an RPC with XID %#x", i+1, r.xid)
			}
		}
		for _, changes := range s.changes {
			for _, c := range changes {
				if c.Known && !values[uint32(c.ID)<<16|c.Value] {
					t.Errorf("without frame %d: %v is %d", i+1, c.ID, c.Value)
				}
			}
		}
	}
}

// TestAnswerToUnknownRequest lacks the REQ_XCHAR that a RESP_XCHAR says is done:
// what is in force cannot be told, and so the threshold neither.
func TestAnswerToUnknownRequest(t *testing.T) {
	s := see(t, without(load(t, "version2-roce"), 61), new(sink2))
	for _, c := range s.changes[0][3:] {
		if c.Known || c.By != rpcrdma.RespXchar {
			t.Errorf("%+v", c)
		}
	}
	if len(s.changes[0]) != 6 || s.known {
		t.Errorf("%d changes, thresholds known: %v", len(s.changes[0]), s.known)
	}
	// Begun late, the private data and what came before are not known.
	s = see(t, load(t, "version2-roce")[10:], new(sink2))
	if first := s.messages[0]; first.known {
		t.Errorf("thresholds of a capture that began late: %+v", first)
	}
}

func without(list frames, number int64) frames {
	var kept frames
	for _, f := range list {
		if f.Number != number {
			kept = append(kept, f)
		}
	}
	return kept
}

// TestVersion2Oddities are messages of version 2 as a prototype may get them wrong.
func TestVersion2Oddities(t *testing.T) {
	fh := []byte("handle")
	c := build.NewConversation(build.Setup{})
	c.Connect()
	tell := func(d build.Direction, data []byte) {
		c.Send(d, data)
		c.Ack(d.Opposite())
	}
	call := func(h build.Header2, m build.Message) { tell(build.ToServer, h.With(m.Bytes)) }
	reply := func(h build.Header2, m build.Message) { tell(build.ToClient, h.With(m.Bytes)) }
	// The reply says CALL: its RPC message knows better.
	call(build.Header2{XID: 1, Credits: 8}, build.NFS3GetAttr(1, fh))
	reply(build.Header2{XID: 1, Credits: 8}, build.NFS3GetAttrReply(1, 5))
	// A Send with Invalidate of another handle than the call named, and one that
	// named none.
	e := c.Call(build.NFS3Read(2, fh, 0, 8), build.Version2{InvHandle: 7}, build.WriteChunk{{Handle: 7, Length: 8, Offset: 8}, {Handle: 9, Length: 8, Offset: 64}})
	c.Reply(e, build.NFS3ReadReply(2, []byte("abcdefgh")), build.Invalidate(9))
	c.Reply(c.Call(build.NFS3Read(3, fh, 0, 8), build.Version2{}, build.WriteChunk{{Handle: 7, Length: 8, Offset: 8}}),
		build.NFS3ReadReply(3, []byte("abcdefgh")), build.Invalidate(7))
	// An INIT_XCHAR whose values are wrong, and one that the server does not know.
	wrong := build.XcharInit([]build.Xchar{build.XcharWord(build.XcharRQREMINV, 7), build.XcharWord(build.XcharRBSIZ, 2048)}, nil)
	tell(build.ToServer, build.Header2{XID: 4, Credits: 8, Proc: build.OPTIONAL, Option: build.InitXchar, Info: wrong}.Bytes())
	right := build.XcharInit([]build.Xchar{build.XcharWord(build.XcharRBSIZ, 2048)}, nil)
	tell(build.ToServer, build.Header2{XID: 5, Credits: 8, Proc: build.OPTIONAL, Option: build.InitXchar, Info: right}.Bytes())
	tell(build.ToClient, build.Header2{XID: 5, Credits: 8, Proc: build.ERROR, Err: build.Err2InvalidOption}.Bytes())
	// An RPC message after an operation that is not known.
	call(build.Header2{XID: 6, Credits: 8, Proc: build.OPTIONAL, Option: 99, Info: []byte("trace")}, build.NFS3GetAttr(6, fh))
	reply(build.Header2{XID: 6, Credits: 8, Direction: build.DirectionReply}, build.NFS3GetAttrReply(6, 5))
	// An error of the other form, and one for nothing that was sent.
	call(build.Header2{XID: 7, Credits: 8}, build.NFS3GetAttr(7, fh))
	tell(build.ToClient, build.Header2{XID: 7, Credits: 8, Proc: build.ERROR, Err: build.Err2BadXDR, DirectedError: true, Direction: 1}.Bytes())
	tell(build.ToClient, build.Header2{XID: 99, Credits: 8, Proc: build.ERROR, Err: build.Err2InvalidOption}.Bytes())
	c.Disconnect()
	s := see(t, framesOf(c.Frames), new(sink2))
	if s.summary.RPCs != 5 || s.summary.IncompleteRPCs != 0 {
		t.Errorf("%d RPCs, %d incomplete; want 5 whole ones", s.summary.RPCs, s.summary.IncompleteRPCs)
	}
	for xid, want := range map[uint32]dissect.Permission{2: dissect.Forbidden, 3: dissect.Forbidden} {
		if m := s.of(xid)[1]; !m.invalidates || m.invalidation.Permission != want || m.invalidation.Segments != 1 {
			t.Errorf("XID %d: %+v", xid, m.invalidation)
		}
	}
	if m := s.of(4)[0]; m.malformed != "XCHAR_RQREMINV is neither 0 nor 1 at byte 40" || m.role != dissect.RoleNone {
		t.Errorf("%+v", m)
	}
	var known []bool
	for _, c := range s.changes[0] {
		known = append(known, c.Known)
	}
	if len(known) != 3 || known[0] || known[1] || !known[2] {
		t.Errorf("changes %+v", s.changes[0])
	}
	// The server does not know what the client announced.
	if s.last.ToClient != 4096 || !s.known {
		t.Errorf("thresholds %+v, known %v", s.last, s.known)
	}
	if m := s.of(99); len(m) != 1 || m[0].role != dissect.RoleNone {
		t.Errorf("%+v", m)
	}
}

// TestSnapLengthHidesCharacteristics cuts an INIT_XCHAR: what is cut off may be
// anything.
func TestSnapLengthHidesCharacteristics(t *testing.T) {
	c := build.NewConversation(build.Setup{})
	c.Connect()
	init := build.XcharInit([]build.Xchar{build.XcharWord(build.XcharRBSIZ, 8192), build.XcharWord(build.XcharRQREMINV, 1)}, nil)
	c.Message2(build.ToServer, build.Header2{XID: 1, Proc: build.OPTIONAL, Option: build.InitXchar, Info: init})
	list := framesOf(c.Frames)
	const upToFirst = 14 + 20 + 8 + 12 + 48 // bytes
	list[3].Data = list[3].Data[:upToFirst]
	s := see(t, list, new(sink2))
	if len(s.changes[0]) != 4 {
		t.Errorf("changes %+v", s.changes[0])
	}
	for _, c := range s.changes[0] {
		if want := c.ID == rpcrdma.XcharRBSIZ && c.Value == 8192; c.Known != want {
			t.Errorf("%+v", c)
		}
	}
}

// TestVersion2AfterVersion1 tries version 2 when version 1 was agreed long ago: the
// thresholds stay.
func TestVersion2AfterVersion1(t *testing.T) {
	c := build.NewConversation(build.Setup{})
	c.Connect()
	c.Reply(c.Call(build.NFS3Null(1)), build.NFS3NullReply(1))
	c.ReplyError(c.Call(build.NFS3Null(2), build.Version2{}), build.ErrVers)
	c.Disconnect()
	s := see(t, framesOf(c.Frames), new(sink2))
	if n := s.negotiation; !s.tried || n.Agreed != 1 || n.Tried != 2 || !n.Refused {
		t.Errorf("%+v", n)
	}
	for _, m := range s.messages {
		if m.toServer != 4096 || m.source != "private-data" {
			t.Errorf("%+v", m)
		}
	}
}
