package requester_test

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/rdmacap/rdmacap/dissect"
	"github.com/rdmacap/rdmacap/dissect/rpc"
	"github.com/rdmacap/rdmacap/dissect/rpcrdma"
	"github.com/rdmacap/rdmacap/internal/fabric"
	"github.com/rdmacap/rdmacap/internal/replay/bind"
	"github.com/rdmacap/rdmacap/internal/replay/requester"
	"github.com/rdmacap/rdmacap/internal/replay/script"
	"github.com/rdmacap/rdmacap/internal/replaytest"
)

// A lateServer has never seen the captured client. It gives a session, and holds calls to it.
type lateServer struct {
	t *testing.T
	server
	session []byte
	// was is the captured session, and replies are those that the captured server would have
	// given to the replay's own calls, in their order.
	was     []byte
	replies []bind.Own
	slots   map[uint32]uint32 // the last number of each
	granted uint32
	// refused has calls be answered with a status, by their first operation.
	refused map[uint32]uint32
	// lacks is what a LOOKUP is for that finds nothing.
	lacks   string
	planned []bind.Own
	got     []string
}

// after is where the operations of a COMPOUND with an empty tag are.
func behind(call []byte) []byte {
	var h rpc.Call
	h.Decode(call)
	return call[h.Length+12:]
}

// sequence holds a call to the session.
func (s *lateServer) sequence(call []byte) {
	b := behind(call)
	if binary.BigEndian.Uint32(b) != 53 {
		return
	}
	number, slot := binary.BigEndian.Uint32(b[20:]), binary.BigEndian.Uint32(b[24:])
	if s.slots[slot]++; !bytes.Equal(b[4:20], s.session) || number != s.slots[slot] || slot >= s.granted {
		s.t.Errorf("session %x, slot %d, number %d: want session %x, number %d, a slot below %d", b[4:20], slot, number, s.session, s.slots[slot], s.granted)
	}
}

// lateReply answers the next of the replay's own calls.
func (s *lateServer) lateReply(call []byte) []byte {
	s.sequence(call)
	if len(s.replies) == 0 {
		s.t.Error("more calls of the replay's own than planned")
		return nil
	}
	next := s.replies[0]
	s.replies = s.replies[1:]
	s.got = append(s.got, next.What)
	reply := bytes.ReplaceAll(next.Reply.Bytes, s.was, s.session)
	copy(reply, call[:4])
	const results = 24 + 4 + 4 + 4
	first := binary.BigEndian.Uint32(reply[results:])
	if first == 43 {
		binary.BigEndian.PutUint32(reply[results+8+16+8+5*4:], s.granted)
	}
	if s.lacks != "" && strings.Contains(next.What, s.lacks) {
		// SEQUENCE, PUTFH and LOOKUP, which fails.
		binary.BigEndian.PutUint32(reply[24:], 2)
		binary.BigEndian.PutUint32(reply[results-4:], 3)
		reply = reply[:results+8+36+8+8]
		binary.BigEndian.PutUint32(reply[len(reply)-4:], 2)
	}
	if status := s.refused[first]; status != 0 {
		reply = reply[:results+8]
		binary.BigEndian.PutUint32(reply[24:], status)
		binary.BigEndian.PutUint32(reply[results+4:], status)
	}
	return reply
}

// ready has the server answer calls that are planned.
func (s *lateServer) ready(t *testing.T, planned []bind.Own) {
	s.t, s.session, s.slots = t, bytes.Repeat([]byte{0xa5}, 16), make(map[uint32]uint32)
	s.planned, s.replies = planned, planned
	for _, own := range planned {
		if own.Session != nil {
			s.was = own.Session
		}
	}
}

// replayLate replays to a server that has never seen the captured client.
func replayLate(t *testing.T, c *script.Conversation, o requester.Options, s *lateServer) *requester.Result {
	t.Helper()
	p, err := requester.NewPlan(c, o)
	if err != nil {
		t.Fatal(err)
	}
	s.ready(t, slices.Concat(p.Own.Before, p.Own.After))
	s.own = s.lateReply
	s.saw = func(_ int, _ *rpcrdma.Header, call []byte) { s.sequence(call) }
	s.long = func(data []byte) []byte { return bytes.ReplaceAll(data, s.was, s.session) }
	s.change = func(_ int, _ *script.Call, reply []byte) ([]byte, bool) {
		return bytes.ReplaceAll(reply, s.was, s.session), true
	}
	r, _ := replay(t, fabric.SoftRoCE(), c, &s.server, o)
	return r
}

// behindFrame selects what a capture has that begins after a frame.
func behindFrame(n int64) func(r *dissect.RPC) bool {
	return func(r *dissect.RPC) bool { return r.Call.Frame().Number > n }
}

// TestLate replays captures of NFS 4.1 and 4.2 that begin late to a server that never saw their
// client: it gets a client, a session, and the handles by their names, and every reply is as captured.
func TestLate(t *testing.T) {
	t.Parallel()
	for id, first := range map[int]int64{3: 3100, 4: 4350} {
		c := replaytest.Sample(t, "rxe-basic", script.Options{Connection: id, Select: behindFrame(first)})
		o := bound(t)
		o.RootPath, o.Owner = "/", "test"
		s := &lateServer{granted: 64}
		r := replayLate(t, c, o, s)
		if !r.Same() || len(r.Exchanges) < 90 {
			t.Errorf("connection %d: ended %v, %+v", id, r.Ended, r.Counts())
		}
		all := fmt.Sprint(s.got)
		for _, want := range []string{"EXCHANGE_ID", "CREATE_SESSION of NFS 4.", "RECLAIM_COMPLETE", "the root of the server", `"x" below`, "OPEN of the handle"} {
			if !strings.Contains(all, want) {
				t.Errorf("connection %d: there is no %s in %s", id, want, all)
			}
		}
		for _, own := range r.Own {
			if own.Failed || own.Status != "NFS4_OK" {
				t.Errorf("connection %d: %+v", id, own)
			}
		}
		if len(s.replies) > 0 || len(r.Own) != len(s.got) {
			t.Errorf("connection %d: %d calls of its own were not made, and %d of %d are in the result", id, len(s.replies), len(r.Own), len(s.got))
		}
	}
}

// TestLateSlots has the server grant fewer slots than the capture uses: calls on others are not sent.
func TestLateSlots(t *testing.T) {
	t.Parallel()
	c := replaytest.Sample(t, "rxe-basic", script.Options{Connection: 3, Select: behindFrame(2950)})
	high := 0
	for _, call := range c.Calls {
		data, _ := call.Message()
		if b := behind(data); call.Header.Procedure == 1 && binary.BigEndian.Uint32(b) == 53 && binary.BigEndian.Uint32(b[24:]) > 0 {
			high++
		}
	}
	o := bound(t)
	o.RootPath = "/"
	s := &lateServer{granted: 1}
	s.calls = slices.DeleteFunc(forward(c), func(call *script.Call) bool {
		data, _ := call.Message()
		b := behind(data)
		return binary.BigEndian.Uint32(b) == 53 && binary.BigEndian.Uint32(b[24:]) > 0
	})
	r := replayLate(t, c, o, s)
	if n := r.Counts(); high == 0 || n.NotSent != high || n.Answered != n.Calls-high {
		t.Errorf("%+v, and %d are on other slots", n, high)
	}
	for _, e := range r.Exchanges {
		if e.Outcome == requester.NotSent && e.Why != "the call is on slot 1, and the live server grants 1" {
			t.Errorf("%s: %s", e.Call.Name, e.Why)
		}
	}
}

// TestLateNotFound has the server lack a directory: what is below it is not asked for, and the session
// goes on.
func TestLateNotFound(t *testing.T) {
	t.Parallel()
	c := replaytest.Sample(t, "rxe-basic", script.Options{Connection: 3, Select: behindFrame(3100)})
	o := bound(t)
	o.RootPath = "/"
	s := &lateServer{granted: 64, lacks: `"v4.1" below`}
	r := replayLate(t, c, o, s)
	var found, failed []string
	for _, own := range r.Own {
		if own.Failed {
			failed = append(failed, own.Status)
		} else {
			found = append(found, own.What)
		}
	}
	want := []string{"NFS4ERR_NOENT"}
	for range len(s.planned) - len(found) - 1 {
		want = append(want, "not sent: the object it names was not found")
	}
	if r.Ended != nil || len(found) != 5 || len(want) < 3 || !slices.Equal(failed, want) {
		t.Errorf("ended %v, found %q, failed %q, want %q", r.Ended, found, failed, want)
	}
	if n := r.Counts(); n.Answered != n.Calls {
		t.Errorf("%+v", n)
	}
}

// TestLateRefused has the server refuse a session: nothing of the capture is sent; and what it does
// not take away in the end is reported.
func TestLateRefused(t *testing.T) {
	t.Parallel()
	c := replaytest.Sample(t, "rxe-basic", script.Options{Connection: 3, Select: func(r *dissect.RPC) bool {
		return behindFrame(3100)(r) && !slices.ContainsFunc(r.Ops(nil), func(op dissect.Op) bool { return strings.HasPrefix(op.Name, "DESTROY") })
	}})
	o := bound(t)
	o.RootPath = "/"
	r := replayLate(t, c, o, &lateServer{granted: 64, refused: map[uint32]uint32{43: 13}})
	if r.Ended == nil || !strings.Contains(r.Ended.Error(), "the server refused what it lacks: CREATE_SESSION of NFS 4.1: 2 slots, backchannel: NFS4ERR_ACCESS") || r.Counts().NotSent != r.Counts().Calls {
		t.Errorf("ended %v, %+v", r.Ended, r.Counts())
	}
	r = replayLate(t, c, bound(t), &lateServer{granted: 64, refused: map[uint32]uint32{57: 10074}})
	if last := r.Own[len(r.Own)-1]; r.Ended != nil || last.What != "DESTROY_CLIENTID" || !last.Failed || last.Status != "NFS4ERR_CLIENTID_BUSY" {
		t.Errorf("ended %v, in the end %+v", r.Ended, last)
	}
	var text strings.Builder
	if err := requester.WriteText(&text, r); err != nil || !strings.Contains(text.String(), "\n  DESTROY_CLIENTID: NFS4ERR_CLIENTID_BUSY\n") || !strings.Contains(text.String(), "--export 0100010000000000=PATH gives its path\n") {
		t.Errorf("%v, %s", err, text.String())
	}
}
