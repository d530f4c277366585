package rpcrdma

import (
	"encoding/binary"
	"math/rand/v2"
	"testing"

	"github.com/rdmacap/rdmacap/internal/build"
	"github.com/rdmacap/rdmacap/internal/check"
)

// TestScalarsAgainstTables holds every decoded scalar against the table of
// its part of the header, on random bytes.
func TestScalarsAgainstTables(t *testing.T) {
	rnd := rand.New(rand.NewPCG(9, 9))
	var h Header
	for range 200 {
		fixed := check.Random(rnd, &fixedTable)
		h.Decode(fixed)
		check.Scalars(t, &fixedTable, fixed, map[string]uint64{"xid": uint64(h.XID), "vers": uint64(h.Version), "credit": uint64(h.Credits), "proc": uint64(h.Proc)})
		xid, version, credits, proc, ok := Peek(fixed)
		check.Scalars(t, &fixedTable, fixed, map[string]uint64{"xid": uint64(xid), "vers": uint64(version), "credit": uint64(credits), "proc": uint64(proc)})
		if !ok {
			t.Error("Peek is not ok with 16 bytes")
		}

		msgp := check.Random(rnd, &msgpTable)
		h.Decode(append(words(nil, 1, 1, 1, 2), msgp...))
		check.Scalars(t, &msgpTable, msgp, map[string]uint64{"align": uint64(h.Align), "thresh": uint64(h.Thresh)})

		read := check.Random(rnd, &readSegmentTable)
		h.Decode(append(words(nil, 1, 1, 1, 0, 1), read...))
		r := h.Reads[0]
		check.Scalars(t, &readSegmentTable, read, map[string]uint64{"position": uint64(r.Position), "handle": uint64(r.Handle), "length": uint64(r.Length), "offset": r.Offset})

		segment := check.Random(rnd, &segmentTable)
		message := append(words(nil, 1, 1, 1, 0, 0, 1, 1), segment...)
		h.Decode(message)
		s := h.Segments[0]
		check.Scalars(t, &segmentTable, segment, map[string]uint64{"handle": uint64(s.Handle), "length": uint64(s.Length), "offset": s.Offset})
		check.Scalars(t, &entryTable, message[20:], map[string]uint64{"follows": 1})
		check.Scalars(t, &countTable, message[24:], map[string]uint64{"count": uint64(h.Writes[0].Count)})

		versions := check.Random(rnd, &versionsTable)
		message = append(words(nil, 1, 1, 1, 4, 1), versions...)
		h.Decode(message)
		check.Scalars(t, &errorTable, message[16:], map[string]uint64{"code": uint64(h.Error)})
		check.Scalars(t, &versionsTable, versions, map[string]uint64{"vers_low": uint64(h.VersLow), "vers_high": uint64(h.VersHigh)})
	}
}

// TestVersion2ScalarsAgainstTables does the same for what only version 2 has.
func TestVersion2ScalarsAgainstTables(t *testing.T) {
	rnd := rand.New(rand.NewPCG(9, 2))
	var h Header
	truth := func(v bool) uint64 {
		if v {
			return 1
		}
		return 0
	}
	for range 200 {
		direction := append(words(nil, uint32(rnd.IntN(2))), check.Random(rnd, &wordTable)...)
		h.Decode(append(words(nil, 7, 2, 1, 0), direction...))
		check.Scalars(t, &directionTable, direction, map[string]uint64{"direction": uint64(h.Direction), "inv_handle": uint64(h.InvHandle)})
		check.Scalars(t, &fixed2Table, words(nil, 7, 2, 1, 0), map[string]uint64{"xid": uint64(h.XID), "vers": uint64(h.Version), "credit": uint64(h.Credits), "proc": uint64(h.Proc)})

		lacks := append(words(nil, uint32(rnd.IntN(2))), append(check.Random(rnd, &wordTable), check.Random(rnd, &wordTable)...)...)
		message := append(words(nil, 1, 2, 1, 4, 3), lacks...)
		h.Decode(message)
		check.Scalars(t, &error2Table, message[16:], map[string]uint64{"code": uint64(h.Error)})
		check.Scalars(t, &cantReplyTable, lacks, map[string]uint64{"processed": truth(h.Processed), "segment_index": uint64(h.SegmentIndex), "length_needed": uint64(h.LengthNeeded)})
		message = words(nil, 1, 2, 1, 4, 1, 5)
		h.Decode(message)
		check.Scalars(t, &errorDirectionTable, message[16:], map[string]uint64{"direction": truth(h.ErrorDirected)})

		init := build.XcharInit([]build.Xchar{
			build.XcharWord(build.XcharRBSIZ, rnd.Uint32()), build.XcharWord(build.XcharRQREMINV, uint32(rnd.IntN(2))), build.XcharWord(build.XcharBRS, uint32(rnd.IntN(4))),
		}, build.XcharSubset{rnd.IntN(32)})
		message = build.Header2{Proc: build.OPTIONAL, Direction: uint32(rnd.IntN(2)), Option: build.InitXchar, Info: init}.Bytes()
		h.Decode(message)
		o := h.Option()
		check.Scalars(t, &optionalTable, message[16:], map[string]uint64{"direction": uint64(h.Direction), "type": uint64(o.Type), "length": uint64(len(o.Info))})
		check.Scalars(t, &specTable, message[28:], map[string]uint64{"count": uint64(len(o.Characteristics))})
		for i, key := range []string{"rbsiz", "rqreminv", "brs"} {
			x := o.Characteristics[i]
			check.Scalars(t, &xcharvalTable, message[32+12*i:], map[string]uint64{"which": uint64(x.ID), "length": uint64(x.Length)})
			check.Scalars(t, valueTable(x.ID), message[40+12*i:], map[string]uint64{key: uint64(x.Value)})
		}
		check.Scalars(t, &subsetTable, message[68:], map[string]uint64{"count": uint64(o.NoChange.Words)})
		check.Scalars(t, &wordTable, message[72:], map[string]uint64{"word": uint64(o.SubsetWords(o.NoChange)[0])})

		message = build.Header2{Proc: build.OPTIONAL, Option: build.UpdXchar, Info: build.XcharUpd(build.XcharWord(1, 2), rnd.IntN(2) == 1)}.Bytes()
		h.Decode(message)
		check.Scalars(t, &pendclrTable, message[40:], map[string]uint64{"pending_clear": truth(h.Option().PendingClear)})
	}
}

func TestTablesAreWellFormed(t *testing.T) {
	for _, table := range Tables() {
		if table.Key == "" || table.Name == "" || table.Title == "" || table.Ref == "" {
			t.Errorf("table %q lacks a name or a reference", table.Name)
		}
		bit := 0
		for _, f := range table.Fields {
			if f.Bit != bit || f.Width == 0 || f.Name == "" || f.Key == "" || f.Doc == "" {
				t.Errorf("%s.%s: bit %d, width %d; want bit %d and every column filled in", table.Key, f.Key, f.Bit, f.Width, bit)
			}
			bit += f.Width
		}
	}
}

func TestNames(t *testing.T) {
	for want, got := range map[string]interface{ String() string }{
		"RDMA_MSG": RDMAMsg, "RDMA_NOMSG": RDMANoMsg, "RDMA_MSGP": RDMAMsgP, "RDMA_DONE": RDMADone, "RDMA_ERROR": RDMAError,
		"rdma_proc 5": Proc(5), "ERR_VERS": ErrVers, "ERR_CHUNK": ErrChunk, "rdma_err 0": ErrorCode(0),
		"none": None, "weak": Weak, "strong": Strong,
	} {
		if got.String() != want {
			t.Errorf("String() = %q, want %q", got.String(), want)
		}
	}
}

func TestPeekTakesSixteenBytes(t *testing.T) {
	b := make([]byte, 16)
	binary.BigEndian.PutUint32(b, 7)
	if xid, _, _, _, ok := Peek(b); xid != 7 || !ok {
		t.Errorf("XID %d, ok = %v", xid, ok)
	}
	for n := range b {
		if _, _, _, _, ok := Peek(b[:n]); ok {
			t.Errorf("ok with %d bytes", n)
		}
	}
}

func TestDecodeAllocatesNothing(t *testing.T) {
	messages := [][]byte{sample(t, "nfs3Getattr"), sample(t, "nfs3WriteRead"), sample(t, "nfsaclReply"), sample(t, "krb5iLong"),
		check.Hex(t, "01020305 00000001 00000020 00000000 00000002")}
	// Segments out of order take the sorting path.
	messages = append(messages, encode(&Header{Version: 1, Reads: []ReadSegment{{Position: 8}, {Position: 4}, {Position: 8}}}))
	var h Header
	sum := uint64(0)
	if n := testing.AllocsPerRun(100, func() {
		for _, b := range messages {
			h.Decode(b)
			h.Recognise(b)
			for i := range h.NumReadChunks() {
				position, _ := h.ReadChunk(i)
				sum += h.ReadLength(position)
			}
		}
	}); n != 0 {
		t.Errorf("%v allocations, want none", n)
	}
}

func BenchmarkDecode(b *testing.B) {
	for _, name := range []string{"nfs3Getattr", "nfs3WriteRead", "nfsaclReply"} {
		message := sample(b, name)
		b.Run(name, func(b *testing.B) {
			b.ReportAllocs()
			var h Header
			for b.Loop() {
				if !h.Decode(message) {
					b.Fatal(h.Fault)
				}
			}
		})
	}
}

func BenchmarkRecogniseOther(b *testing.B) {
	message := check.Hex(b, "0000559d6c6266c0 000005c6 000000c8")
	var h Header
	for b.Loop() {
		if h.Recognise(message) != None {
			b.Fatal("recognised rping")
		}
	}
}
