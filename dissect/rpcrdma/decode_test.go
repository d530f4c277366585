package rpcrdma

import (
	"bytes"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/rdmacap/rdmacap/internal/check"

	"github.com/rdmacap/rdmacap/field"
)

// TestSamples compares what a real peer sent with what its tracepoints, or a
// pair of eyes on the bytes, say it is.
func TestSamples(t *testing.T) {
	for name, want := range map[string]Header{
		"nfs3Getattr": {XID: 0xbb2d105d, Credits: 128, Length: 28},
		"nfs3WriteRead": {XID: 0xd22d105d, Credits: 128, Length: 76, Reads: []ReadSegment{
			{112, Segment{0xc82, 0x20000, 0xd22d105d4441c000}},
			{112, Segment{0xb82, 0x20000, 0xd22d105d44432000}},
		}},
		"nfs3ReadWrite": {XID: 0xdc2d105d, Credits: 128, Length: 52,
			Writes: []Chunk{{0, 1}}, Segments: []Segment{{0xc83, 4096, 0xdc2d105d42d4a000}}},
		"nfs3ReadReply": {XID: 0xdc2d105d, Credits: 64, Length: 52,
			Writes: []Chunk{{0, 1}}, Segments: []Segment{{0xc83, 6, 0xdc2d105d42d4a000}}},
		"nfsaclNoMsg": {XID: 0xc02d105d, Credits: 64, Proc: RDMANoMsg, Length: 80, HasReply: true, Reply: Chunk{0, 3},
			Segments: []Segment{{0xc81, 136, 0xc02d105d457e7800}, {0xb81, 0, 0xc02d105d4546b000}, {0xab7, 0, 0xc02d105d457e7900}}},
		"callback": {XID: 0xec7e8dd9, Credits: 2, Length: 28},
	} {
		t.Run(name, func(t *testing.T) {
			var got Header
			if !got.Decode(sample(t, name)) {
				t.Fatalf("fault %q", got.Fault)
			}
			want.Version = 1
			checkSame(t, &got, &want)
		})
	}
}

// TestWriteExample is the NFSv3 WRITE of 4,096 bytes of the wire reference,
// laid out after RFC 8166, section 4.1.2.
func TestWriteExample(t *testing.T) {
	b := check.Hex(t, `01020305 00000001 00000080 00000000
		00000001 00000060 00008800 00001000 0000000000010000
		00000000 00000000 00000000
		01020305 00000000 00000002 000186a3 00000003 00000007 00000000 00000000 00000000 00000000`)
	var got Header
	if !got.Decode(b) {
		t.Fatalf("fault %q", got.Fault)
	}
	checkSame(t, &got, &Header{XID: 0x01020305, Version: 1, Credits: 128, Length: 52,
		Reads: []ReadSegment{{96, Segment{0x8800, 4096, 0x10000}}}})
}

func TestDecode(t *testing.T) {
	const fixed = "01020305 00000001 00000020 "
	for _, tt := range []struct {
		name, hex string
		want      Header
	}{
		{"empty Write chunk between two others", fixed + `00000000 00000000
			00000001 00000001 00000001 00000002 0000000000000003
			00000001 00000000
			00000001 00000002 00000004 00000005 0000000000000006 00000007 00000008 0000000000000009
			00000000 00000000`,
			Header{Length: 100, Writes: []Chunk{{0, 1}, {1, 0}, {1, 2}}, Segments: []Segment{{1, 2, 3}, {4, 5, 6}, {7, 8, 9}}}},
		{"empty Reply chunk", fixed + "00000001 00000000 00000000 00000001 00000000",
			Header{Proc: RDMANoMsg, Length: 32, HasReply: true}},
		{"Write list and Reply chunk share Segments", fixed + `00000001 00000000
			00000001 00000001 00000001 00000002 0000000000000003 00000000
			00000001 00000001 00000004 00000005 0000000000000006`,
			Header{Proc: RDMANoMsg, Length: 72, Writes: []Chunk{{0, 1}}, HasReply: true, Reply: Chunk{1, 1}, Segments: []Segment{{1, 2, 3}, {4, 5, 6}}}},
		{"RDMA_MSGP", fixed + "00000002 00000400 00000200 00000000 00000000 00000000",
			Header{Proc: RDMAMsgP, Align: 1024, Thresh: 512, Length: 36}},
		{"RDMA_DONE", fixed + "00000003", Header{Proc: RDMADone, Length: 16}},
		{"ERR_VERS", fixed + "00000004 00000001 00000001 00000002",
			Header{Proc: RDMAError, Error: ErrVers, VersLow: 1, VersHigh: 2, Length: 28}},
		{"ERR_CHUNK", fixed + "00000004 00000002", Header{Proc: RDMAError, Error: ErrChunk, Length: 20}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			b := check.Hex(t, tt.hex)
			want := tt.want
			want.XID, want.Version, want.Credits = 0x01020305, 1, 32
			var got Header
			got.Decode(b)
			checkSame(t, &got, &want)
			for n := range b {
				if got.Decode(b[:n]) || !got.Cut || got.Length > n {
					t.Fatalf("cut at byte %d: fault %q, Cut = %v, Length = %d", n, got.Fault, got.Cut, got.Length)
				}
			}
		})
	}
}

func TestFaults(t *testing.T) {
	const fixed = "01020305 00000001 00000020 "
	const segment = " 00000001 00000002 0000000000000003 "
	for _, tt := range []struct {
		name, hex string
		want      field.Fault
		cut       bool
		length    int
	}{
		{"nothing", "", field.Fault{Offset: 0, Reason: "transport header shorter than 16 bytes"}, true, 0},
		{"15 bytes", fixed + "000000", field.Fault{Offset: 15, Reason: "transport header shorter than 16 bytes"}, true, 12},
		{"version 3", "01020305 00000003 00000020 00000000", field.Fault{Offset: 4, Reason: "rdma_vers is neither 1 nor 2"}, false, 16},
		{"ERR_CHUNK of version 3", "01020305 00000003 00000020 00000004 00000002", field.Fault{Offset: 4, Reason: "rdma_vers is neither 1 nor 2"}, false, 16},
		{"procedure 5", fixed + "00000005", field.Fault{Offset: 12, Reason: "rdma_proc is not defined"}, false, 16},
		{"no lists", fixed + "00000000", field.Fault{Offset: 16, Reason: "Read list runs past the message"}, true, 16},
		{"Read list of 2", fixed + "00000000 00000002", field.Fault{Offset: 16, Reason: "optional word of the Read list is neither 0 nor 1"}, false, 16},
		{"Read list without an end", fixed + "00000000 00000001 00000060" + segment, field.Fault{Offset: 40, Reason: "Read list runs past the message"}, true, 40},
		{"Read segment cut", fixed + "00000000 00000001 00000060 00000001", field.Fault{Offset: 28, Reason: "Read list runs past the message"}, true, 16},
		{"Write list of 3", fixed + "00000000 00000000 00000003", field.Fault{Offset: 20, Reason: "optional word of the Write list is neither 0 nor 1"}, false, 20},
		{"Write chunk of 2^32-1 segments", fixed + "00000000 00000000 00000001 ffffffff" + segment, field.Fault{Offset: 24, Reason: "segment count of a Write chunk is more than the message holds"}, true, 20},
		{"Write chunk of one segment too many", fixed + "00000000 00000000 00000001 00000002" + segment, field.Fault{Offset: 24, Reason: "segment count of a Write chunk is more than the message holds"}, true, 20},
		{"Write list without an end", fixed + "00000000 00000000 00000001 00000001" + segment, field.Fault{Offset: 44, Reason: "Write list runs past the message"}, true, 44},
		{"Reply chunk of 1 that is none", fixed + "00000000 00000000 00000000 00000001", field.Fault{Offset: 28, Reason: "Reply chunk runs past the message"}, true, 24},
		{"Reply chunk word of an XID", fixed + "00000000 00000000 00000000 01020305", field.Fault{Offset: 24, Reason: "optional word of the Reply chunk is neither 0 nor 1"}, false, 24},
		{"Reply chunk of 2^28 segments", fixed + "00000000 00000000 00000000 00000001 10000000", field.Fault{Offset: 28, Reason: "segment count of the Reply chunk is more than the message holds"}, true, 24},
		{"RDMA_MSGP without its words", fixed + "00000002 00000400", field.Fault{Offset: 20, Reason: "RDMA_MSGP header cut short"}, true, 16},
		{"RDMA_ERROR without a code", fixed + "00000004", field.Fault{Offset: 16, Reason: "RDMA_ERROR header cut short"}, true, 16},
		{"error 3", fixed + "00000004 00000003", field.Fault{Offset: 16, Reason: "rdma_err is not defined"}, false, 20},
		{"ERR_VERS without its range", fixed + "00000004 00000001 00000001", field.Fault{Offset: 24, Reason: "RDMA_ERROR header cut short"}, true, 20},
	} {
		t.Run(tt.name, func(t *testing.T) {
			var h Header
			if h.Decode(check.Hex(t, tt.hex)) {
				t.Error("Decode says that there is no fault")
			}
			if h.Fault != tt.want || h.Cut != tt.cut || h.Length != tt.length {
				t.Errorf("fault %q, Cut = %v, Length = %d; want %q, %v, %d", h.Fault, h.Cut, h.Length, tt.want, tt.cut, tt.length)
			}
		})
	}
}

// TestEveryVersionIsRefusedAlike decodes the ERR_VERS that answers a message of a
// version that is not known here: it has that version.
func TestEveryVersionIsRefusedAlike(t *testing.T) {
	var got Header
	if b := check.Hex(t, "01020305 00000003 00000020 00000004 00000001 00000001 00000002"); !got.Decode(b) {
		t.Fatal(got.Fault)
	}
	checkSame(t, &got, &Header{XID: 0x01020305, Version: 3, Credits: 32, Proc: RDMAError, Error: ErrVers, VersLow: 1, VersHigh: 2, Length: 28})
}

func TestWhatStoodBeforeAFaultIsKept(t *testing.T) {
	b := check.Hex(t, `01020305 00000001 00000020 00000000
		00000001 00000060 00000001 00000002 0000000000000003 00000000
		00000001 00000001 00000004 00000005 0000000000000006 00000009`)
	var got Header
	got.Decode(b)
	if want := (field.Fault{Offset: 68, Reason: "optional word of the Write list is neither 0 nor 1"}); got.Fault != want {
		t.Fatalf("fault %q, want %q", got.Fault, want)
	}
	checkSame(t, &got, &Header{XID: 0x01020305, Version: 1, Credits: 32, Length: 68, Fault: got.Fault,
		Reads: []ReadSegment{{96, Segment{1, 2, 3}}}, Writes: []Chunk{{0, 1}}, Segments: []Segment{{4, 5, 6}}})
}

// TestSamplesCutShort cuts the header of every sample at every byte.
func TestSamplesCutShort(t *testing.T) {
	var whole, h Header
	for _, s := range samples {
		b := sample(t, s.name)
		if !whole.Decode(b) {
			t.Fatalf("%s: fault %q", s.name, whole.Fault)
		}
		for n := range whole.Length {
			if h.Decode(b[:n]) || !h.Cut {
				t.Errorf("%s cut at byte %d: fault %q, Cut = %v", s.name, n, h.Fault, h.Cut)
			}
			if n >= 4 && h.XID != whole.XID || len(h.Reads) > len(whole.Reads) || len(h.Segments) > len(whole.Segments) {
				t.Errorf("%s cut at byte %d: other values than the whole has: %+v", s.name, n, h)
			}
		}
	}
}

// TestAgainstEncoder decodes random headers that encode, below, wrote.
func TestAgainstEncoder(t *testing.T) {
	var got Header
	for seed := range uint64(3000) {
		rnd := rand.New(rand.NewPCG(seed, 8166))
		want := randomHeader(rnd)
		b := encode(&want)
		want.Length = len(b)
		if want.Proc == RDMAMsg || want.Proc == RDMAMsgP {
			b = append(b, bytes.Repeat([]byte{0xee}, rnd.IntN(40))...)
		}
		if !got.Decode(b) {
			t.Fatalf("seed %d: fault %q: % x", seed, got.Fault, b)
		}
		checkSame(t, &got, &want)
		if lists := want.Proc <= RDMANoMsg; lists {
			size := 28 + 24*len(want.Reads) + 8*len(want.Writes) + 16*len(want.Segments)
			if want.HasReply {
				size += 4
			}
			if got.Length != size {
				t.Fatalf("seed %d: Length = %d, want %d by RFC 8166", seed, got.Length, size)
			}
		}
		if t.Failed() {
			t.Fatalf("seed %d", seed)
		}
	}
}

// checkSame compares what is exported; an empty slice is as good as nil.
func checkSame(t *testing.T, got, want *Header) {
	t.Helper()
	if !slices.Equal(got.Reads, want.Reads) || !slices.Equal(got.Writes, want.Writes) || !slices.Equal(got.Segments, want.Segments) {
		t.Errorf("lists\n got %+v %+v %+v\nwant %+v %+v %+v", got.Reads, got.Writes, got.Segments, want.Reads, want.Writes, want.Segments)
	}
	g, w := scalars(got), scalars(want)
	if g != w {
		t.Errorf("scalars\n got %+v\nwant %+v", g, w)
	}
}

type headerScalars struct {
	XID, Version, Credits, Align, Thresh uint32
	Proc                                 Proc
	Reply                                Chunk
	HasReply                             bool
	Error                                ErrorCode
	Low, High                            uint32
	Length                               int
	Fault                                field.Fault
}

func scalars(h *Header) headerScalars {
	return headerScalars{h.XID, h.Version, h.Credits, h.Align, h.Thresh, h.Proc, h.Reply, h.HasReply, h.Error, h.VersLow, h.VersHigh, h.Length, h.Fault}
}
