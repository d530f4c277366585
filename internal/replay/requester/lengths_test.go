package requester_test

import (
	"encoding/binary"
	"net/netip"
	"slices"
	"strings"
	"testing"

	"github.com/rdmacap/rdmacap/dissect/nfs"
	"github.com/rdmacap/rdmacap/dissect/rpcrdma"
	"github.com/rdmacap/rdmacap/dissect/xdr/types"
	"github.com/rdmacap/rdmacap/internal/fabric"
	"github.com/rdmacap/rdmacap/internal/replay/bind"
	"github.com/rdmacap/rdmacap/internal/replay/requester"
	"github.com/rdmacap/rdmacap/internal/replay/responder"
	"github.com/rdmacap/rdmacap/internal/replay/script"
	"github.com/rdmacap/rdmacap/internal/replaytest"
)

// rename gives the server of EXCHANGE_ID, whose reply came by the Reply chunk, a name that is four bytes
// shorter.
func rename(t *testing.T, c *script.Conversation) (renamed int) {
	t.Helper()
	const majorID = 72 // after the headers of RPC and COMPOUND, the client ID, and the minor ID
	for _, call := range c.Calls {
		if !strings.HasSuffix(call.Name, "EXCHANGE_ID") || call.Reply == nil || call.Reply.Header.Proc != rpcrdma.RDMANoMsg {
			continue
		}
		g := &call.Segments[len(call.Segments)-1]
		n := binary.BigEndian.Uint32(g.Data[majorID:])
		if g.Purpose != rpcrdma.ForReply || n < 5 || n > 64 {
			t.Fatalf("the name has %d bytes", n)
		}
		g.Data = slices.Delete(slices.Clone(g.Data), majorID+4, majorID+8)
		binary.BigEndian.PutUint32(g.Data[majorID:], n-4)
		h := &call.Reply.Header
		last := &h.Segments[h.Reply.First]
		last.Length -= 4
		binary.BigEndian.PutUint32(call.Reply.Bytes[h.SegmentAt(h.Reply.First)+rpcrdma.SegmentLength:], last.Length)
		renamed++
	}
	return renamed
}

// TestLengthLeftOut holds that a length that differs by nothing but the name of the server is no difference,
// and that without the fields of the reply it would be one.
func TestLengthLeftOut(t *testing.T) {
	spec, err := nfs.Spec()
	replaytest.Must(t, err)
	binder, err := bind.New(bind.Options{}, spec)
	replaytest.Must(t, err)
	captured := replaytest.Sample(t, "rxe-basic", script.Options{Connection: 3})
	other := replaytest.Sample(t, "rxe-basic", script.Options{Connection: 3})
	renamed := rename(t, other)
	if renamed == 0 {
		t.Fatal("no EXCHANGE_ID has its reply in a Reply chunk")
	}
	for _, compares := range []bool{true, false} {
		f := fabric.New(fabric.SoftRoCE())
		server, err := responder.New(other, responder.Options{Specs: []*types.Spec{spec}, Connections: 1})
		replaytest.Must(t, err)
		listening, ended := make(chan struct{}), make(chan error, 1)
		to := netip.AddrPortFrom(fabric.ServerAddr, 20049)
		go func() {
			ended <- server.Serve(replaytest.Patience(t), f, to, func(netip.AddrPort) { close(listening) })
		}()
		<-listening
		o := requester.Options{Immediately: true}
		if compares {
			o.Compare = binder
		}
		plan, err := requester.NewPlan(captured, o)
		replaytest.Must(t, err)
		result, err := requester.Run(replaytest.Patience(t), f, to, plan)
		replaytest.Must(t, err)
		replaytest.Must(t, <-ended)
		differ := 0
		for _, e := range result.Exchanges {
			for _, d := range e.Differences {
				if differ++; d.What != "length of Reply chunk" {
					t.Errorf("%s: %+v", e.Call.Name, d)
				}
			}
		}
		if want := map[bool]int{false: renamed}[compares]; differ != want || result.Ended != nil {
			t.Errorf("fields are compared: %v: %d differences, want %d; ended by %v", compares, differ, want, result.Ended)
		}
	}
}
