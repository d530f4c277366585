package responder_test

import (
	"bytes"
	"encoding/binary"
	"errors"
	"testing"

	"github.com/rdmacap/rdmacap/capture"
	"github.com/rdmacap/rdmacap/dissect/rpcrdma"
	"github.com/rdmacap/rdmacap/internal/build"
	"github.com/rdmacap/rdmacap/internal/fabric"
	"github.com/rdmacap/rdmacap/internal/replay/responder"
	"github.com/rdmacap/rdmacap/internal/replay/transport"
	"github.com/rdmacap/rdmacap/internal/replaytest"
)

// A live client calls a responder, and has memory for what it offers.
type live struct {
	t *testing.T
	transport.Connection
}

func dial(t *testing.T, f *fabric.Fabric, r bool) *live {
	t.Helper()
	c, err := f.Dial(replaytest.Patience(t), at, transport.Options{PrivateData: build.PrivateData(4096, 4096, r)})
	replaytest.Must(t, err)
	t.Cleanup(func() { c.Close() })
	return &live{t, c}
}

// memory is a segment for the responder to write to.
func (l *live) memory(length int) (build.Segment, transport.Region) {
	l.t.Helper()
	m, err := l.Register(length, transport.Registration{Access: transport.RemoteWrite | transport.RemoteRead})
	replaytest.Must(l.t, err)
	return build.Segment{Handle: m.Handle(), Length: uint32(length), Offset: m.Offset()}, m
}

// ask makes a call, and returns the reply and its header; nil if the connection has ended.
func (l *live) ask(h build.Header, m build.Message) (*rpcrdma.Header, []byte) {
	l.t.Helper()
	h.XID, h.Credits = m.XID(), 32
	replaytest.Must(l.t, l.Send(1, h.With(m.Reduced())))
	for {
		got, err := l.Next(replaytest.Patience(l.t))
		var left *transport.Disconnected
		switch {
		case errors.As(err, &left):
			return nil, nil
		case err != nil || got.Err != nil:
			l.t.Fatal(err, got.Err)
		case got.Operation == transport.OpReceive:
			message := bytes.Clone(got.Message)
			replaytest.Must(l.t, l.Repost(got))
			reply := new(rpcrdma.Header)
			if !reply.Decode(message) {
				l.t.Fatalf("the reply's header: %v", reply.Fault)
			}
			return reply, message[reply.Length:]
		}
	}
}

var (
	fh   = []byte("the file")
	file = bytes.Repeat([]byte("what stands in the file; "), 40) // 1000 bytes
)

// captured is a conversation with a READ whose data came in a Write chunk, or inline.
func captured(t *testing.T, inline bool) []capture.Frame {
	t.Helper()
	c := build.NewConversation(build.Setup{})
	c.Connect()
	var offers []build.Offer
	if !inline {
		offers = append(offers, build.WriteChunk{{Handle: 0xc82, Length: 4096, Offset: 0x1000}})
	}
	c.Reply(c.Call(build.NFS3Read(1, fh, 0, 1000), offers...), build.NFS3ReadReply(1, file))
	c.Reply(c.Call(build.NFS3GetAttr(2, fh)), build.NFS3GetAttrReply(2, 1000))
	c.Disconnect()
	return framesOf(t, c.Frames)
}

// TestOtherChunks holds that a captured result reaches a client that offers other memory for
// it than the captured one did.
func TestOtherChunks(t *testing.T) {
	for _, inline := range []bool{false, true} {
		f := fabric.New(fabric.SoftRoCE())
		_, left := serve(t, f, conversation(t, captured(t, inline), 0), responder.Options{})
		l := dial(t, f, false)
		whole := build.NFS3ReadReply(7, file).Bytes
		reduced := build.NFS3ReadReply(7, file).Reduced()

		t.Run("inline", func(t *testing.T) {
			h, rpc := l.ask(build.Header{}, build.NFS3Read(7, fh, 0, 1000))
			if h.XID != 7 || h.Proc != rpcrdma.RDMAMsg || !bytes.Equal(rpc, whole) {
				t.Errorf("%+v % x", h, rpc)
			}
		})
		t.Run("a Write chunk of two segments", func(t *testing.T) {
			a, ma := l.memory(600)
			b, mb := l.memory(600)
			h, rpc := l.ask(build.Header{Writes: [][]build.Segment{{a, b}}}, build.NFS3Read(7, fh, 0, 1000))
			if !bytes.Equal(rpc, reduced) || len(h.Segments) != 2 || h.Segments[0].Length != 600 || h.Segments[1].Length != 400 || h.Segments[1].Handle != b.Handle {
				t.Fatalf("%+v % x", h, rpc)
			}
			if got := append(bytes.Clone(ma.Bytes()), mb.Bytes()[:400]...); !bytes.Equal(got, file) {
				t.Errorf("%q", got)
			}
		})
		t.Run("a Reply chunk that is not needed", func(t *testing.T) {
			a, _ := l.memory(2000)
			h, rpc := l.ask(build.Header{Reply: []build.Segment{a}}, build.NFS3Read(7, fh, 0, 1000))
			if h.Proc != rpcrdma.RDMAMsg || !h.HasReply || h.Segments[0].Length != 0 || !bytes.Equal(rpc, whole) {
				t.Errorf("%+v % x", h, rpc)
			}
		})
		t.Run("too little", func(t *testing.T) {
			a, _ := l.memory(500)
			h, _ := l.ask(build.Header{Writes: [][]build.Segment{{a}}}, build.NFS3Read(7, fh, 0, 1000))
			if h.Proc != rpcrdma.RDMAError || h.Error != rpcrdma.ErrChunk {
				t.Errorf("%+v", h)
			}
		})
		replaytest.Must(t, l.Close())
		want := 3
		if !inline {
			want = 4 // what was captured so is not adapted
		}
		if r := left(); r.Adapted != want || r.NoRoom != 1 || r.Calls != 4 {
			t.Errorf("%+v", r)
		}
		held(t, f, "DDP-020a", "HDR-014")
	}
}

// TestLongReply holds that a result that is too long for the client's threshold goes to its
// Reply chunk.
func TestLongReply(t *testing.T) {
	c := build.NewConversation(build.Setup{})
	c.Connect()
	data := bytes.Repeat([]byte("long "), 1000)
	c.Reply(c.Call(build.NFS3Read(1, fh, 0, 5000), build.WriteChunk{{Handle: 0xc82, Length: 8192, Offset: 0x1000}}), build.NFS3ReadReply(1, data))
	f := fabric.New(fabric.SoftRoCE())
	_, left := serve(t, f, conversation(t, framesOf(t, c.Frames), 0), responder.Options{})
	l := dial(t, f, false)
	a, m := l.memory(6000)
	want := build.NFS3ReadReply(7, data).Bytes
	h, _ := l.ask(build.Header{Reply: []build.Segment{a}}, build.NFS3Read(7, fh, 0, 5000))
	if h.Proc != rpcrdma.RDMANoMsg || int(h.Segments[0].Length) != len(want) || !bytes.Equal(m.Bytes()[:len(want)], want) {
		t.Errorf("%+v", h)
	}
	if h, _ := l.ask(build.Header{}, build.NFS3Read(8, fh, 0, 5000)); h.Proc != rpcrdma.RDMAError || h.Error != rpcrdma.ErrChunk {
		t.Errorf("without room: %+v", h)
	}
	replaytest.Must(t, l.Close())
	left()
}

// TestUnmatched holds what is answered to a call that is not in the capture, and that it is
// listed; and that the root may have another handle.
func TestUnmatched(t *testing.T) {
	for _, u := range []responder.Unmatched{responder.RPCError, responder.Disconnect} {
		f := fabric.New(fabric.SoftIWARP())
		_, left := serve(t, f, conversation(t, captured(t, false), 0), responder.Options{Unmatched: u})
		l := dial(t, f, false)
		if _, rpc := l.ask(build.Header{}, build.NFS3GetAttr(5, []byte("by another mountd"))); !bytes.Equal(rpc, build.NFS3GetAttrReply(5, 1000).Bytes) {
			t.Errorf("%v: the root: % x", u, rpc)
		}
		if _, rpc := l.ask(build.Header{}, build.NFS3Null(6)); !bytes.Equal(rpc, build.NFS3NullReply(6).Bytes) {
			t.Errorf("%v: NULL: % x", u, rpc)
		}
		_, rpc := l.ask(build.Header{}, build.NFS3GetAttr(7, []byte("nobody knows this")))
		switch u {
		case responder.RPCError:
			if len(rpc) != 24 || binary.BigEndian.Uint32(rpc[20:]) != 3 { // PROC_UNAVAIL
				t.Errorf("% x", rpc)
			}
			replaytest.Must(t, l.Close())
		default:
			if rpc != nil {
				t.Errorf("answered with % x", rpc)
			}
		}
		if r := left(); len(r.Unmatched) != 1 || r.Unmatched[0] != (responder.NamedCount{Name: "NFS3 GETATTR", Count: 1}) {
			t.Errorf("%v: %+v", u, r)
		}
	}
}

func framesOf(t *testing.T, frames build.Frames) (list []capture.Frame) {
	t.Helper()
	for i, f := range frames {
		list = append(list, capture.Frame{Number: int64(i + 1), Time: f.Time.UnixNano(), Link: 1, Data: f.Data, Length: int32(f.Length)})
	}
	return list
}
