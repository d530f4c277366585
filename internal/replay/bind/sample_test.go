package bind_test

import (
	"bytes"
	"slices"
	"testing"

	"github.com/rdmacap/rdmacap/capture"
	"github.com/rdmacap/rdmacap/dissect"
	"github.com/rdmacap/rdmacap/dissect/nfs"
	"github.com/rdmacap/rdmacap/dissect/rpc"
	"github.com/rdmacap/rdmacap/dissect/rpcrdma"
	"github.com/rdmacap/rdmacap/dissect/xdr/types"
	"github.com/rdmacap/rdmacap/dissect/xdr/walk"
	"github.com/rdmacap/rdmacap/internal/replay/bind"
)

// An exchange is an RPC of a sample: a call and its reply, and when they were captured.
type exchange struct {
	connection    int
	xid           uint32
	call, reply   bind.Message
	called, ended int64
	gss           bool
}

// A recording is the RPCs of a sample.
type recording struct{ exchanges []*exchange }

// record reads a shipped capture.
func record(tb testing.TB, name string) *recording {
	tb.Helper()
	file, err := capture.Open("../../../samples/"+name+".pcap.zst", 0)
	if err != nil {
		tb.Fatal(err)
	}
	defer file.Close()
	found := new(recording)
	d := dissect.New(found, dissect.Options{KeepBytes: true})
	if faults, err := d.Run(file, func(bool) error { return nil }); err != nil || len(faults) > 0 {
		tb.Fatalf("%s: %v, faults %v", name, err, faults)
	}
	d.Flush()
	return found
}

func (*recording) Connection(*dissect.Connection, bool) {}
func (*recording) Frame(*dissect.FrameView)             {}
func (*recording) Message(*dissect.Message)             {}

// RPC keeps an RPC that is complete and has a reply.
func (found *recording) RPC(r *dissect.RPC) {
	header, answer := r.CallHeader(), r.ReplyHeader()
	if !r.Complete || header == nil || answer == nil {
		return
	}
	e := &exchange{connection: r.Connection.ID, xid: r.XID, called: r.Call.Last, ended: r.Reply.Last, gss: header.Cred.Flavor == rpc.RPCSECGSS}
	e.call = bind.Message{
		Bytes:   payload(r.Call, r.Offer.LongCall),
		Program: header.Program, Version: header.Version, Procedure: header.Procedure,
		Reverse: !r.Call.ToServer(),
	}
	e.reply = e.call
	e.call.Reads = readChunks(&r.Call.Header)
	e.reply.Bytes, e.reply.Writes = payload(r.Reply, r.Offer.LongReply), writeChunks(&r.Reply.Header)
	found.exchanges = append(found.exchanges, e)
}

// payload is a copy of an RPC message's payload stream.
func payload(m *dissect.Message, long []byte) []byte {
	data := m.Bytes[m.Header.Length:]
	if m.Transfer == dissect.Long {
		data = long
		if m.Answer {
			data = data[:m.Header.ChunkLength(m.Header.Reply)]
		}
	}
	return bytes.Clone(data)
}

func readChunks(h *rpcrdma.Header) (chunks []walk.ReadChunk) {
	for i := range h.NumReadChunks() {
		if position, _ := h.ReadChunk(i); position > 0 {
			chunks = append(chunks, walk.ReadChunk{Position: position, Length: uint32(h.ReadLength(position))})
		}
	}
	return chunks
}

func writeChunks(h *rpcrdma.Header) (lengths []uint32) {
	for _, c := range h.Writes {
		lengths = append(lengths, uint32(h.ChunkLength(c)))
	}
	return lengths
}

// A step is a call or its reply, as the capture has them.
type step struct {
	*exchange
	isReply bool
	at      int64
}

// steps are the calls and replies of each connection in order.
func (found *recording) steps() map[int][]step {
	of := make(map[int][]step)
	for _, e := range found.exchanges {
		of[e.connection] = append(of[e.connection], step{e, false, e.called}, step{e, true, e.ended})
	}
	for _, list := range of {
		slices.SortStableFunc(list, func(a, b step) int { return int(a.at - b.at) })
	}
	return of
}

// spec is what the texts of NFS say.
func spec(tb testing.TB) *types.Spec {
	tb.Helper()
	s, err := nfs.Spec()
	if err != nil {
		tb.Fatal(err)
	}
	return s
}
