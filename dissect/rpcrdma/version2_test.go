package rpcrdma

import (
	"bytes"
	"encoding/binary"
	"math/rand/v2"
	"reflect"
	"slices"
	"testing"

	"github.com/rdmacap/rdmacap/internal/build"
)

// TestEveryVersion2Message decodes what the encoder makes, with an RPC message
// after it or not, into the same values.
func TestEveryVersion2Message(t *testing.T) {
	var h Header
	for seed := range uint64(3000) {
		rnd := rand.New(rand.NewPCG(seed, 2))
		want := random2(rnd)
		b := want.Bytes()
		size := len(b)
		if want.Proc == build.ERROR {
			want.Direction = build.DirectionReply // whatever the message says
		}
		if want.Proc == build.MSG {
			b = append(b, make([]byte, 4*rnd.IntN(4))...)
		}
		if !h.Decode(b) || h.Length != size {
			t.Fatalf("seed %d: fault %q, Length = %d of %d: %+v", seed, h.Fault, h.Length, size, want)
		}
		if got := encoded(&h, want.Info); !reflect.DeepEqual(got, want) {
			t.Fatalf("seed %d\n got %+v\nwant %+v", seed, got, want)
		}
		if o := h.Option(); o != nil {
			if o.Fault.Bad() || o.Left != 0 {
				t.Fatalf("seed %d: fault %q, %d bytes left of % x", seed, o.Fault, o.Left, o.Info)
			}
			if o.Known() && !bytes.Equal(info(o), want.Info) {
				t.Fatalf("seed %d: option %v\n got % x\nwant % x", seed, o.Type, info(o), want.Info)
			}
		}
		for n := range size {
			if want.Proc == build.ERROR && otherForm(want, n) {
				continue
			}
			if h.Decode(b[:n]) || !h.Cut && !want.DirectedError {
				t.Fatalf("seed %d cut at byte %d: fault %q, Cut = %v: %+v", seed, n, h.Fault, h.Cut, want)
			}
		}
	}
}

// otherForm reports whether the first n bytes of an RDMA2_ERROR are a whole one in
// the other of its two forms, with or without a direction, and perhaps more: see
// directedError.
func otherForm(h build.Header2, n int) bool {
	b := h.Bytes()
	first, second := binary.BigEndian.Uint32(b[16:]), uint32(0)
	if len(b) >= 24 {
		second = binary.BigEndian.Uint32(b[20:])
	}
	size := error2Size(first)
	return size > 0 && n >= size || first <= 1 && n-4 == error2Size(second)
}

// encoded is the header as the encoder would be told it.
func encoded(h *Header, data []byte) build.Header2 {
	e := build.Header2{XID: h.XID, Credits: h.Credits, Proc: uint32(h.Proc), Direction: uint32(h.Direction), InvHandle: h.InvHandle}
	segment := func(s Segment) build.Segment { return build.Segment(s) }
	chunk := func(c Chunk) []build.Segment {
		list := []build.Segment{}
		for _, s := range h.ChunkSegments(c) {
			list = append(list, segment(s))
		}
		return list
	}
	for _, r := range h.Reads {
		e.Reads = append(e.Reads, build.ReadSegment{Position: r.Position, Segment: segment(r.Segment)})
	}
	for _, c := range h.Writes {
		e.Writes = append(e.Writes, chunk(c))
	}
	if h.HasReply {
		e.Reply = chunk(h.Reply)
	}
	e.Err, e.Low, e.High = uint32(h.Error), h.VersLow, h.VersHigh
	e.SegmentIndex, e.LengthNeeded, e.DirectedError = h.SegmentIndex, h.LengthNeeded, h.ErrorDirected
	if h.Processed {
		e.Processed = 1
	}
	if o := h.Option(); o != nil {
		e.Option, e.Info = uint32(o.Type), data
		if !bytes.Equal(o.Info, data) {
			e.Info = o.Info
		}
	}
	return e
}

// info is rdma_optinfo as the encoder writes what was decoded.
func info(o *Option) []byte {
	var spec []build.Xchar
	for _, x := range o.Characteristics {
		data := slices.Clone(o.Bytes(x))
		if x.Decoded {
			data = append(build.XcharWord(0, x.Value).Data, data[4:]...)
		}
		spec = append(spec, build.Xchar{ID: uint32(x.ID), Data: data})
	}
	subset := func(s Subset) (list build.XcharSubset) {
		o.Elements(s, func(n int) bool { list = append(list, n); return true })
		for n := range 100 {
			if o.Has(s, n) != slices.Contains(list, n) {
				return nil
			}
		}
		return list
	}
	switch o.Type {
	case InitXchar:
		return build.XcharInit(spec, subset(o.NoChange))
	case ReqXchar:
		return build.XcharReq(spec...)
	case RespXchar:
		return build.XcharResp(subset(o.Done), subset(o.Rejected), subset(o.Pending))
	}
	return build.XcharUpd(spec[0], o.PendingClear)
}

// TestVersion2DecodeAllocatesNothing decodes one message of each kind again and
// again.
func TestVersion2DecodeAllocatesNothing(t *testing.T) {
	var messages [][]byte
	for seed := range uint64(60) {
		messages = append(messages, random2(rand.New(rand.NewPCG(seed, 5))).Bytes())
	}
	var h Header
	sum := 0
	add := func(n int) bool { sum += n; return true }
	if n := testing.AllocsPerRun(100, func() {
		for _, b := range messages {
			h.Decode(b)
			h.Recognise(b)
			if o := h.Option(); o != nil {
				o.Elements(o.NoChange, add)
			}
		}
	}); n != 0 {
		t.Errorf("%v allocations, want none", n)
	}
}

func BenchmarkDecodeVersion2(b *testing.B) {
	message := build.Header2{XID: 1, Credits: 32, Proc: build.OPTIONAL, Option: build.InitXchar, Info: build.XcharInit([]build.Xchar{
		build.XcharWord(build.XcharRBSIZ, 8192), build.XcharWord(build.XcharRQREMINV, 1)}, build.XcharSubset{1})}.Bytes()
	b.ReportAllocs()
	var h Header
	for b.Loop() {
		if !h.Decode(message) {
			b.Fatal(h.Fault)
		}
	}
}
