package dissect_test

import (
	"testing"

	"github.com/rdmacap/rdmacap/capture"
	"github.com/rdmacap/rdmacap/capture/link"
	"github.com/rdmacap/rdmacap/dissect"
	"github.com/rdmacap/rdmacap/internal/build"
)

// emit dissects a built conversation.
func emit(t *testing.T, list build.Frames) *recording {
	t.Helper()
	var all frames
	for i, f := range list {
		all = append(all, capture.Frame{
			Number: int64(i + 1), Time: f.Time.UnixNano(), Link: link.TypeEthernet, Data: f.Data, Length: int32(len(f.Data)),
		})
	}
	return all.record(t)
}

// byXID are the RPCs of a recording; every XID stands once.
func byXID(t *testing.T, got *recording) map[uint32]rpcRecord {
	t.Helper()
	all := make(map[uint32]rpcRecord)
	for _, r := range got.rpcs {
		if _, twice := all[r.xid]; twice {
			t.Errorf("XID %d is told twice", r.xid)
		}
		all[r.xid] = r
	}
	return all
}

// TestHandleUsedAgainBehindGap reads three files into the same memory, one
// after the other, and drops each frame in turn. What the other replies brought
// must not be credited to the one that lacks its data.
func TestHandleUsedAgainBehindGap(t *testing.T) {
	c := build.NewConversation(build.Setup{})
	c.Connect()
	memory := build.WriteChunk{{Handle: 0x777, Length: 100, Offset: 0x1000}}
	for xid := uint32(1); xid <= 3; xid++ {
		e := c.Call(build.NFS3Read(xid, []byte("handle"), 0, 100), memory)
		c.Reply(e, build.NFS3ReadReply(xid, make([]byte, 100)))
	}
	c.Disconnect()
	for i := range c.Frames {
		got := emit(t, c.Frames.Drop(i))
		for xid, r := range byXID(t, got) {
			if r.complete && (r.writeBytes != 100 || r.status != "SUCCESS") {
				t.Errorf("without frame %d: XID %d is complete with %d bytes and status %q", i+1, xid, r.writeBytes, r.status)
			}
		}
		whole := 0
		for _, r := range got.rpcs {
			if r.complete {
				whole++
			}
		}
		// Where a call is missing, the calls after it are known too late for
		// what was placed for them meanwhile.
		if c.Frames[i].Dir == build.ToClient && whole < 2 {
			t.Errorf("without frame %d: %d RPCs are complete, want at least 2", i+1, whole)
		}
	}
}

// TestWhatCannotBeRead sends replies that cannot be decoded. They belong to the
// calls whose XIDs they have; no RPC is made of them.
func TestWhatCannotBeRead(t *testing.T) {
	c := build.NewConversation(build.Setup{})
	c.Connect()
	badWord := []byte{0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 32, 0, 0, 0, 0, 0, 0, 0, 9, 0, 0, 0, 0, 0, 0, 0, 0}
	badProc := []byte{0, 0, 0, 2, 0, 0, 0, 1, 0, 0, 0, 32, 0, 0, 0, 9, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0}
	noPayload := []byte{0, 0, 0, 3, 0, 0, 0, 1, 0, 0, 0, 32, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0}
	stray := []byte{0, 0, 0, 99, 0, 0, 0, 1, 0, 0, 0, 32, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0}
	for i, reply := range [][]byte{badWord, badProc, noPayload, stray} {
		c.Call(build.NFS3GetAttr(uint32(i+1), []byte("handle")))
		c.Send(build.ToClient, reply)
		c.Ack(build.ToServer)
	}
	got := byXID(t, emit(t, c.Frames))
	if len(got) != 4 {
		t.Errorf("%d RPCs, want the 4 that were called", len(got))
	}
	for xid := uint32(1); xid <= 3; xid++ {
		if r := got[xid]; r.reverse || r.reply == nil || r.status != "" {
			t.Errorf("XID %d: %+v, want the call with a reply that says nothing", xid, r)
		}
	}
	if r := got[4]; r.reply != nil {
		t.Errorf("XID 4: %+v, want no reply: the stray one has another XID", r)
	}
}

// TestOtherProtocols sends what no RPC-over-RDMA peer sends, now and then with
// words that look like it, also to the port of NFS/RDMA.
func TestOtherProtocols(t *testing.T) {
	for _, port := range []uint16{9999, 20049} {
		c := build.NewConversation(build.Setup{
			Service: port,
			Client:  build.Host{Private: []byte{}},
			Server:  build.Host{Private: []byte{}},
		})
		c.Connect()
		for i := range 40 {
			c.Send(build.ToServer, []byte("rdma-ping-"+string(rune('0'+i))+": ABCDEFGHIJKLMNOPQRSTUVWXYZ"))
			c.Ack(build.ToClient)
		}
		c.Send(build.ToServer, []byte{0, 0, 0, 9, 0, 0, 0, 1, 0, 0, 0, 3, 0, 0, 0, 4, 0, 0, 0, 2})
		c.Ack(build.ToClient)
		got := emit(t, c.Frames)
		if len(got.rpcs) != 0 || got.summary.MalformedFrames != 0 || got.connections[0].messages != 0 {
			t.Errorf("port %d: %d RPCs, %d messages, %d frames malformed, want none", port,
				len(got.rpcs), got.connections[0].messages, got.summary.MalformedFrames)
		}
	}
}

// TestNoTimes reads a capture whose frames have no times.
func TestNoTimes(t *testing.T) {
	list := load(t, "rxe-cb")
	for i := range list {
		list[i].Time = 0
	}
	d := dissect.New(noLatency{t}, dissect.Options{})
	for i := range list {
		d.Frame(&list[i])
	}
	d.Flush()
	if n := d.Summary().RPCs; n != 116 {
		t.Errorf("%d RPCs, want 116", n)
	}
}

type noLatency struct{ *testing.T }

func (noLatency) Connection(*dissect.Connection, bool) {}
func (noLatency) Frame(*dissect.FrameView)             {}
func (noLatency) Message(*dissect.Message)             {}
func (t noLatency) RPC(r *dissect.RPC) {
	if ns, ok := r.Latency(); ok {
		t.Errorf("XID 0x%08x: a latency of %d ns without times", r.XID, ns)
	}
}
