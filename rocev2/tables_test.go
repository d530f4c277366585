package rocev2

import (
	"math/rand/v2"
	"strconv"
	"strings"
	"testing"

	"github.com/rdmacap/rdmacap/field"
)

// extOffsets are the offsets of a packet's extended headers by bit number.
func extOffsets(p *Packet) [extCount]int {
	return [extCount]int{p.RDETH(), p.DETH(), p.XRCETH(), p.FETH(), p.RETH(), p.Atomic(), p.AETH(), p.AtomicAck(), p.ImmDt(), p.IETH()}
}

func flag(b bool) uint64 {
	if b {
		return 1
	}
	return 0
}

// checkAccessors holds every scalar and accessor of a packet against the
// field of the tables that it stands for.
func checkAccessors(t *testing.T, p *Packet) {
	t.Helper()
	if len(p.Bytes) < BTHSize {
		return
	}
	check := func(table *field.Table, at int, key string, got uint64) {
		t.Helper()
		if want := table.Lookup(key).Uint(p.Bytes[at:]); got != want {
			t.Errorf("%v, %s.%s: accessor %#x, table %#x", p.OpCode, table.Key, key, got, want)
		}
	}
	check(&bthTable, 0, "opcode", uint64(p.OpCode))
	check(&bthTable, 0, "se", flag(p.Solicited()))
	check(&bthTable, 0, "migreq", flag(p.MigReq()))
	check(&bthTable, 0, "padcnt", uint64(p.PadCnt()))
	check(&bthTable, 0, "pkey", uint64(p.PKey()))
	check(&bthTable, 0, "fecn", flag(p.FECN()))
	check(&bthTable, 0, "becn", flag(p.BECN()))
	check(&bthTable, 0, "destqp", uint64(p.DestQP))
	check(&bthTable, 0, "ackreq", flag(p.AckReq()))
	check(&bthTable, 0, "psn", uint64(p.PSN))
	ext := func(table *field.Table, at int, key string, got uint64) {
		t.Helper()
		if at != 0 {
			check(table, at, key, got)
		} else if got != 0 {
			t.Errorf("%v has no %s, but %s is %#x", p.OpCode, table.Name, key, got)
		}
	}
	ext(&rdethTable, p.RDETH(), "eecontext", uint64(p.EEContext()))
	ext(&dethTable, p.DETH(), "qkey", uint64(p.QKey()))
	ext(&dethTable, p.DETH(), "srcqp", uint64(p.SrcQP()))
	ext(&xrcethTable, p.XRCETH(), "srq", uint64(p.SRQ()))
	ext(&fethTable, p.FETH(), "sel", uint64(p.Selectivity()))
	ext(&fethTable, p.FETH(), "plt", uint64(p.Placement()))
	ext(&rethTable, p.RETH(), "dmalen", uint64(p.DMALen()))
	if p.Atomic() == 0 {
		ext(&rethTable, p.RETH(), "va", p.VA())
		ext(&rethTable, p.RETH(), "rkey", uint64(p.RKey()))
	} else {
		ext(&atomicETHTable, p.Atomic(), "va", p.VA())
		ext(&atomicETHTable, p.Atomic(), "rkey", uint64(p.RKey()))
	}
	ext(&atomicETHTable, p.Atomic(), "swapdt", p.Swap())
	ext(&atomicETHTable, p.Atomic(), "cmpdt", p.Compare())
	ext(&aethTable, p.AETH(), "syndrome", uint64(p.Syndrome()))
	ext(&aethTable, p.AETH(), "msn", uint64(p.MSN()))
	ext(&atomicAckETHTable, p.AtomicAck(), "origremdt", p.Original())
	ext(&immDtTable, p.ImmDt(), "immdt", uint64(p.Imm()))
	ext(&iethTable, p.IETH(), "rkey", uint64(p.InvRKey()))
}

func TestAccessorsAgainstTables(t *testing.T) {
	random := rand.NewChaCha8([32]byte{})
	b := make([]byte, 80)
	for op := range 256 {
		for range 8 {
			random.Read(b)
			b[0] = byte(op)
			p := decoded(b)
			checkAccessors(t, p)
			at := BTHSize
			for h, got := range extOffsets(p) {
				want := 0
				if OpCode(op).Extended().Has(1 << h) {
					want = at
					at += extSizes[h]
				}
				if got != want {
					t.Errorf("%v: %s at %d, want %d", p.OpCode, extNames[h], got, want)
				}
			}
		}
	}
}

// A header's fields leave no bit out and have none twice, and their keys differ.
func TestTablesAreComplete(t *testing.T) {
	keys := map[string]bool{}
	for _, table := range Tables() {
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
		if bit != 8*table.Size() || table.Ref == "" || table.Title == "" {
			t.Errorf("%s: %d bits, %d bytes, reference %q", table.Key, bit, table.Size(), table.Ref)
		}
	}
	if len(Tables()) != extCount+2 {
		t.Errorf("%d tables, want BTH, ICRC and %d", len(Tables()), extCount)
	}
}

// checkNodes looks for what every tree keeps: it stays within the bytes, goes
// forward and, of a whole packet without fault, leaves no byte out.
func checkNodes(t *testing.T, p *Packet, at int) {
	t.Helper()
	nodes := p.Nodes(at)
	end, faults := at, 0
	for _, n := range nodes {
		if n.Start < end || n.End < n.Start || n.End > at+len(p.Bytes) {
			t.Fatalf("%v: node %s from %d to %d, after %d", p.OpCode, n.Name, n.Start, n.End, end)
		}
		if !p.Faulty() && n.Start != end {
			t.Fatalf("%v: bytes %d to %d are in no node", p.OpCode, end, n.Start)
		}
		end = n.End
		if n.Fault != "" {
			faults++
		}
	}
	if !p.Faulty() && len(p.Bytes) == int(p.length) && end != at+int(p.length) {
		t.Fatalf("%v: nodes end at %d of %d", p.OpCode, end-at, p.length)
	}
	if p.Faulty() != (faults == 1) || faults > 1 {
		t.Fatalf("%v: fault %v on %d nodes", p.OpCode, p.Fault(), faults)
	}
}

func TestNodes(t *testing.T) {
	tests := []struct {
		name string
		want []string
	}{
		{"WriteOnly, one pad byte", []string{
			"Base Transport Header (BTH) [100:112] RC RDMA WRITE Only, DestQP 0x000011, PSN 14866311",
			"RDMA Extended Transport Header (RETH) [112:128] 3 bytes at VA 0x4a2e105d45464029, R_Key 0x000008f4",
			"Payload [128:131] 3 bytes",
			"Padding [131:132] 1 byte",
			"Invariant CRC (ICRC) [132:136] 0xa8e5c589",
		}},
		{"NAK", []string{
			"Base Transport Header (BTH) [100:112] RC Acknowledge, DestQP 0x000011, PSN 16579102",
			"ACK Extended Transport Header (AETH) [112:116] NAK: PSN sequence error, MSN 34",
			"Invariant CRC (ICRC) [116:120] 0xd5191a6c",
		}},
	}
	for _, test := range tests {
		b := find(t, test.name).transport(t)
		for i, n := range decoded(b).Nodes(100) {
			got := n.Name + " [" + strconv.Itoa(n.Start) + ":" + strconv.Itoa(n.End) + "] " + n.Value
			if i >= len(test.want) || got != test.want[i] {
				t.Errorf("%s: node %d is %q", test.name, i, got)
			}
			for _, child := range n.Children {
				if child.Start < n.Start || child.End > n.End {
					t.Errorf("%s: %s lies outside %s", test.name, child.Name, n.Name)
				}
			}
		}
		for n := range b {
			var p Packet
			p.Decode(b[:n], len(b))
			checkNodes(t, &p, 7)
			checkNodes(t, decoded(b[:n]), 7)
		}
		if got := len(decoded(b).Nodes(0)); got != len(test.want) {
			t.Errorf("%s: %d nodes, want %d", test.name, got, len(test.want))
		}
	}
}
