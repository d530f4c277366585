package rpcrdma

import (
	"encoding/binary"
	"math/rand/v2"
	"testing"

	"github.com/rdmacap/rdmacap/field"
)

// TestScalarsAgainstTables holds every decoded scalar against the table of
// its part of the header, on random octets.
func TestScalarsAgainstTables(t *testing.T) {
	rnd := rand.New(rand.NewPCG(9, 9))
	random := func(t *field.Table) []byte {
		b := make([]byte, t.Size())
		for i := range b {
			b[i] = byte(rnd.Uint32())
		}
		return b
	}
	check := func(table *field.Table, b []byte, values map[string]uint64) {
		t.Helper()
		if len(values) != len(table.Fields) {
			t.Errorf("%s has %d fields, %d are compared", table.Name, len(table.Fields), len(values))
		}
		for key, v := range values {
			if f := table.Lookup(key); f == nil || f.Uint(b) != v {
				t.Errorf("%s.%s differs from %d in % x", table.Key, key, v, b)
			}
		}
	}
	var h Header
	for range 200 {
		fixed := random(&fixedTable)
		h.Decode(fixed)
		check(&fixedTable, fixed, map[string]uint64{"xid": uint64(h.XID), "vers": uint64(h.Version), "credit": uint64(h.Credits), "proc": uint64(h.Proc)})
		xid, version, credits, proc, ok := Peek(fixed)
		check(&fixedTable, fixed, map[string]uint64{"xid": uint64(xid), "vers": uint64(version), "credit": uint64(credits), "proc": uint64(proc)})
		if !ok {
			t.Error("Peek is not ok with 16 octets")
		}

		msgp := random(&msgpTable)
		h.Decode(append(words(nil, 1, 1, 1, 2), msgp...))
		check(&msgpTable, msgp, map[string]uint64{"align": uint64(h.Align), "thresh": uint64(h.Thresh)})

		read := random(&readSegmentTable)
		h.Decode(append(words(nil, 1, 1, 1, 0, 1), read...))
		r := h.Reads[0]
		check(&readSegmentTable, read, map[string]uint64{"position": uint64(r.Position), "handle": uint64(r.Handle), "length": uint64(r.Length), "offset": r.Offset})

		segment := random(&segmentTable)
		message := append(words(nil, 1, 1, 1, 0, 0, 1, 1), segment...)
		h.Decode(message)
		s := h.Segments[0]
		check(&segmentTable, segment, map[string]uint64{"handle": uint64(s.Handle), "length": uint64(s.Length), "offset": s.Offset})
		check(&entryTable, message[20:], map[string]uint64{"follows": 1})
		check(&countTable, message[24:], map[string]uint64{"count": uint64(h.Writes[0].Count)})

		versions := random(&versionsTable)
		message = append(words(nil, 1, 1, 1, 4, 1), versions...)
		h.Decode(message)
		check(&errorTable, message[16:], map[string]uint64{"code": uint64(h.Error)})
		check(&versionsTable, versions, map[string]uint64{"vers_low": uint64(h.VersLow), "vers_high": uint64(h.VersHigh)})
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

func TestPeekTakesSixteenOctets(t *testing.T) {
	b := make([]byte, 16)
	binary.BigEndian.PutUint32(b, 7)
	if xid, _, _, _, ok := Peek(b); xid != 7 || !ok {
		t.Errorf("XID %d, ok = %v", xid, ok)
	}
	for n := range b {
		if _, _, _, _, ok := Peek(b[:n]); ok {
			t.Errorf("ok with %d octets", n)
		}
	}
}

func TestDecodeAllocatesNothing(t *testing.T) {
	messages := [][]byte{sample(t, "nfs3Getattr"), sample(t, "nfs3WriteRead"), sample(t, "nfsaclReply"), sample(t, "krb5iLong"),
		unhex(t, "01020305 00000001 00000020 00000000 00000002")}
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
	message := unhex(b, "0000559d6c6266c0 000005c6 000000c8")
	var h Header
	for b.Loop() {
		if h.Recognise(message) != None {
			b.Fatal("recognised rping")
		}
	}
}
