package iwarp

import (
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/rdmacap/rdmacap/field"
	"github.com/rdmacap/rdmacap/internal/check"
)

// A header's fields leave no bit out and have none twice, and their keys
// differ.
func TestTables(t *testing.T) {
	sizes := map[string]int{
		"ddp": 1, "rdmap": 1, "ddp.tagged": TaggedSize - 2, "ddp.untagged": UntaggedSize - 2, "rdmap.read": ReadRequestSize,
		"rdmap.term": TerminateMin, "rdmap.term.length": segmentLengthSize, "rdmap.immediate": ImmediateSize,
		"rdmap.atomicreq": AtomicRequestSize, "rdmap.atomicresp": AtomicResponseSize,
	}
	keys := map[string]bool{}
	for _, table := range Tables() {
		if table.Name == "" || table.Ref == "" {
			t.Errorf("table %q lacks a name or a reference", table.Key)
		}
		if size, ok := sizes[table.Key]; !ok || table.Size() != size {
			t.Errorf("table %q spans %d bytes, want %d (known: %v)", table.Key, table.Size(), size, ok)
		}
		delete(sizes, table.Key)
		bit := 0
		for _, f := range table.Fields {
			if f.Bit != bit {
				t.Errorf("%s.%s begins at bit %d, want %d", table.Key, f.Key, f.Bit, bit)
			}
			bit = f.Bit + f.Width
			name := table.Key + "." + f.Key
			if keys[name] || f.Doc == "" || f.Name == "" || f.Key != strings.ToLower(f.Key) {
				t.Errorf("%s: key used twice or not lower case, or no name or text", name)
			}
			keys[name] = true
		}
	}
	for key := range sizes {
		t.Errorf("there is no table %q", key)
	}
}

func bit(v bool) uint64 {
	if v {
		return 1
	}
	return 0
}

// checkPDUAccessors holds what Decode and the accessors read of a segment
// against the tables.
func checkPDUAccessors(t *testing.T, p *PDU) {
	t.Helper()
	b := p.Bytes
	at := func(table *field.Table, offset int, values map[string]uint64) {
		t.Helper()
		check.Scalars(t, table, b[offset:], values)
	}
	if len(b) < 2 {
		return
	}
	rsvd, rsv := uint64(b[0]>>2&15), uint64(b[1]>>4&3)
	at(&ddpTable, 0, map[string]uint64{"t": bit(p.Tagged), "l": bit(p.Last), "rsvd": rsvd, "dv": uint64(p.DV)})
	at(&rdmapTable, 1, map[string]uint64{"rv": uint64(p.RV), "rsv": rsv, "opcode": uint64(p.OpCode)})
	switch {
	case p.Tagged && len(b) >= TaggedSize:
		at(&taggedTable, 2, map[string]uint64{"stag": uint64(p.STag), "to": p.TO})
	case !p.Tagged && len(b) >= UntaggedSize:
		at(&untaggedTable, 2, map[string]uint64{"invalidate": uint64(p.Invalidate), "qn": uint64(p.QN), "msn": uint64(p.MSN), "mo": uint64(p.MO)})
	}
	if r, ok := p.ReadRequest(); ok {
		at(&readRequestTable, p.PayloadStart, map[string]uint64{"sinkstag": uint64(r.SinkSTag), "sinkto": r.SinkTO,
			"size": uint64(r.Size), "srcstag": uint64(r.SourceSTag), "srcto": r.SourceTO})
	}
	if v, ok := p.Immediate(); ok {
		at(&immediateTable, p.PayloadStart, map[string]uint64{"data": v})
	}
	if r, ok := p.AtomicRequest(); ok {
		reserved := uint64(b[p.PayloadStart])<<20 | uint64(b[p.PayloadStart+1])<<12 | uint64(b[p.PayloadStart+2])<<4 | uint64(b[p.PayloadStart+3])>>4
		at(&atomicRequestTable, p.PayloadStart, map[string]uint64{"reserved": reserved, "aopcode": uint64(r.Op), "id": uint64(r.ID),
			"stag": uint64(r.STag), "to": r.TO, "data": r.Data, "mask": r.DataMask, "compare": r.Compare, "comparemask": r.CompareMask})
	}
	if r, ok := p.AtomicResponse(); ok {
		at(&atomicResponseTable, p.PayloadStart, map[string]uint64{"id": uint64(r.ID), "original": r.Original})
	}
	if term, ok := p.Termination(); ok {
		checkTerminationAccessors(t, &term, p.Payload())
	}
}

func checkTerminationAccessors(t *testing.T, term *Termination, b []byte) {
	t.Helper()
	table := &terminateTable
	values := map[string]uint64{"layer": uint64(term.Layer), "etype": uint64(term.EType), "ecode": uint64(term.ECode),
		"m": bit(term.HasLength), "d": bit(term.HasDDP), "r": bit(term.HasRDMAP)}
	if term.LittleEndian {
		table = littleTerminate()
	}
	for key, v := range values {
		if got := table.Lookup(key).Uint(b); got != v {
			t.Errorf("rdmap.term.%s of %x (little-endian: %v): accessor %d, table %d", key, b, term.LittleEndian, v, got)
		}
	}
	if term.Length != 0 && segmentLengthTable.Lookup("ddp").Uint(b[TerminateMin:]) != uint64(term.Length) {
		t.Errorf("segment length of %x: %d", b, term.Length)
	}
}

// Every field of random headers, of every opcode.
func TestPDUAccessorsAgainstTables(t *testing.T) {
	random := rand.NewChaCha8([32]byte{})
	for op := range OpCode(16) {
		for range 50 {
			b := make([]byte, TaggedSize+6)
			if !op.Tagged() {
				b = make([]byte, UntaggedSize+ops[min(op, opCount-1)].least)
			}
			random.Read(b)
			b[0] = b[0]&0x3C | bitLast | 1
			b[1] = b[1]&0x30 | 0x40 | byte(op)
			if op.Tagged() {
				b[0] |= bitTagged
			} else {
				copy(b[6:10], []byte{0, 0, 0, byte(op.QN())})
				copy(b[14:18], []byte{0, 0, 0, 0})
			}
			p := decodedPDU(b, len(b))
			if op.Known() && op != OpTerminate && p.Fault.Bad() {
				t.Fatalf("%x: %s", b, p.Fault)
			}
			checkPDUAccessors(t, p)
			checkPDUNodes(t, b, len(b))
		}
	}
}

// The table of the other bit order has the fields of the RFC's, once each.
func TestLittleTerminateTable(t *testing.T) {
	table := littleTerminate()
	var seen [32]bool
	for _, f := range table.Fields {
		if f.Key != "reserved" && f.Width != terminateTable.Lookup(f.Key).Width {
			t.Errorf("%s has %d bits", f.Key, f.Width)
		}
		for i := f.Bit; i < f.Bit+f.Width; i++ {
			if seen[i] {
				t.Errorf("bit %d is in two fields", i)
			}
			seen[i] = true
		}
	}
	for i, ok := range seen {
		if !ok {
			t.Errorf("bit %d is in no field", i)
		}
	}
}
