package dissect_test

import (
	"errors"
	"io"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/rdmacap/rdmacap/capture"
	"github.com/rdmacap/rdmacap/dissect"
	"github.com/rdmacap/rdmacap/dissect/rpcrdma"
	"github.com/rdmacap/rdmacap/internal/ktrace"
)

// TestKernelsRecord holds what is read from each capture against what the
// client's kernel recorded while it was made: every call's XID, header length
// and segments, every reply's credits, every connection's inline thresholds,
// every reverse-direction call.
func TestKernelsRecord(t *testing.T) {
	samples := []struct {
		name string
		// late are replies that reached a client which had closed its transport
		// already, to destroy a security context: on the wire, not in the trace.
		late []uint32
	}{
		{name: "rxe-basic"},
		{name: "rxe-thresh"},
		{name: "rxe-acl"},
		{name: "rxe-cb"},
		{name: "rxe-ipv6"},
		{name: "siw-basic"},
		{name: "siw-loss"},
		{name: "siw-cb"},
		{name: "rxe-krb", late: []uint32{0x8f8bed71, 0x5df02e8c}},
	}
	for _, sample := range samples {
		t.Run(sample.name, func(t *testing.T) {
			trace := readTrace(t, sample.name)
			got := dissectSample(t, sample.name)
			compareCalls(t, trace, got)
			compareReplies(t, trace, got, sample.late)
			compareThresholds(t, trace, got)
			compareCallbacks(t, trace, got)
			if s := got.summary; s.MalformedFrames != 0 || s.BadICRC != 0 {
				t.Errorf("%d frames malformed, %d ICRCs wrong, want none", s.MalformedFrames, s.BadICRC)
			}
			for _, r := range got.rpcs {
				if !r.complete {
					t.Errorf("XID 0x%08x is incomplete: %s", r.xid, r.missing)
				}
			}
			t.Logf("%d calls, %d replies, %d connections compared", len(trace.Calls), len(trace.Replies), len(trace.Thresholds))
		})
	}
}

func compareCalls(t *testing.T, trace *ktrace.Trace, got *recording) {
	t.Helper()
	sent := make(map[uint32][]*ktrace.Call)
	total := 0
	for i := range trace.Calls {
		if c := &trace.Calls[i]; !c.Unsent {
			sent[c.XID] = append(sent[c.XID], c)
			total++
		}
	}
	if total == 0 {
		t.Fatal("the trace has no calls")
	}
	seen := 0
	for _, r := range got.rpcs {
		if r.reverse || r.call == nil {
			continue
		}
		seen++
		if len(sent[r.xid]) == 0 {
			t.Errorf("XID 0x%08x: a call that the kernel did not send", r.xid)
			continue
		}
		want := sent[r.xid][0]
		sent[r.xid] = sent[r.xid][1:]
		if r.call.Length != want.HeaderLength {
			t.Errorf("XID 0x%08x: header of %d bytes, the kernel made %d", r.xid, r.call.Length, want.HeaderLength)
		}
		if n := want.Head + want.Page + want.Tail; r.callRPCLength != uint64(n) {
			t.Errorf("XID 0x%08x: RPC call of %d bytes, the kernel made %d", r.xid, r.callRPCLength, n)
		}
		sameSegments(t, r.xid, "Read list", readSegments(r.call), want.Reads)
		sameSegments(t, r.xid, "Write list", chunkSegments(r.call, r.call.Writes...), want.Writes)
		var reply []rpcrdma.Chunk
		if r.call.HasReply {
			reply = []rpcrdma.Chunk{r.call.Reply}
		}
		sameSegments(t, r.xid, "Reply chunk", chunkSegments(r.call, reply...), want.Replies)
	}
	if seen != total {
		t.Errorf("%d calls read, the kernel sent %d", seen, total)
	}
}

func sameSegments(t *testing.T, xid uint32, list string, got, want []ktrace.Segment) {
	t.Helper()
	if !slices.Equal(got, want) {
		t.Errorf("XID 0x%08x: %s %+v, the kernel made %+v", xid, list, got, want)
	}
}

func readSegments(h *rpcrdma.Header) (list []ktrace.Segment) {
	for _, s := range h.Reads {
		list = append(list, ktrace.Segment{Position: s.Position, Length: s.Length, Offset: s.Offset, Handle: s.Handle})
	}
	return list
}

func chunkSegments(h *rpcrdma.Header, chunks ...rpcrdma.Chunk) (list []ktrace.Segment) {
	for _, c := range chunks {
		for _, s := range h.ChunkSegments(c) {
			list = append(list, ktrace.Segment{Length: s.Length, Offset: s.Offset, Handle: s.Handle})
		}
	}
	return list
}

func compareReplies(t *testing.T, trace *ktrace.Trace, got *recording, late []uint32) {
	t.Helper()
	granted := make(map[uint32][]uint32)
	for _, r := range trace.Replies {
		granted[r.XID] = append(granted[r.XID], r.Credits)
	}
	seen := 0
	for _, r := range got.rpcs {
		if r.reverse || r.reply == nil || slices.Contains(late, r.xid) {
			continue
		}
		seen++
		if len(granted[r.xid]) == 0 {
			t.Errorf("XID 0x%08x: a reply that the kernel did not receive", r.xid)
			continue
		}
		// The kernel writes down the grant after it has cut it to what it asked for.
		if want, cut := granted[r.xid][0], min(r.reply.Credits, r.call.Credits); cut != want {
			t.Errorf("XID 0x%08x: %d credits granted, %d of them usable, the kernel saw %d", r.xid, r.reply.Credits, cut, want)
		}
		granted[r.xid] = granted[r.xid][1:]
	}
	if seen != len(trace.Replies) {
		t.Errorf("%d replies read, the kernel received %d", seen, len(trace.Replies))
	}
}

func compareThresholds(t *testing.T, trace *ktrace.Trace, got *recording) {
	t.Helper()
	if len(got.connections) != len(trace.Thresholds) {
		t.Fatalf("%d connections, the kernel made %d", len(got.connections), len(trace.Thresholds))
	}
	for i, want := range trace.Thresholds {
		c := got.connections[i]
		if c.client != want.Client || c.server != want.Server {
			t.Errorf("connection %d is between %v and %v, the kernel says %v and %v", i+1, c.client, c.server, want.Client, want.Server)
		}
		if !c.known || c.thresholds.ToServer != want.Send || c.thresholds.ToClient != want.Receive {
			t.Errorf("connection %d: inline thresholds %+v, the kernel negotiated %d to the server and %d from it", i+1, c.thresholds, want.Send, want.Receive)
		}
	}
}

func compareCallbacks(t *testing.T, trace *ktrace.Trace, got *recording) {
	t.Helper()
	var want, calls []uint32
	for _, cb := range trace.Callbacks {
		if !cb.Reply {
			want = append(want, cb.XID)
		}
	}
	for _, r := range got.rpcs {
		if r.reverse {
			calls = append(calls, r.xid)
		}
	}
	if !slices.Equal(calls, want) {
		t.Errorf("backward calls %x, the kernel received %x", calls, want)
	}
}

// readTrace reads the kernel's record that ships beside a capture.
func readTrace(t *testing.T, name string) *ktrace.Trace {
	t.Helper()
	file, err := os.Open(filepath.Join("..", "samples", name+".trace.gz"))
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	trace, err := ktrace.Parse(file)
	if err != nil {
		t.Fatal(err)
	}
	return trace
}

// dissectSample reads a capture that ships.
func dissectSample(t testing.TB, name string) *recording {
	t.Helper()
	file, err := capture.Open(filepath.Join("..", "samples", name+".pcap.zst"), 0)
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	return record(t, file)
}

// record dissects all frames of a source.
func record(t testing.TB, source capture.Source) *recording {
	t.Helper()
	got := new(recording)
	d := dissect.New(got, dissect.Options{})
	var f capture.Frame
	for {
		err := source.Next(&f)
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			t.Fatal(err)
		}
		d.Frame(&f)
	}
	d.Flush()
	got.summary = d.Summary()
	return got
}
