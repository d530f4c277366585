package iwarp

import (
	"math/rand/v2"
	"testing"

	"github.com/rdmacap/rdmacap/internal/check"
)

// Every bit of a header is in one field, every key is there once, and the sizes
// are those of the RFCs.
func TestMPATablesAreWhole(t *testing.T) {
	sizes := map[string]int{"mpa": 20, "mpa.enhanced": 4, "mpa.fpdu": 2, "mpa.crc": 4, "mpa.marker": 4}
	if len(MPATables()) != len(sizes) {
		t.Errorf("%d tables, want %d", len(MPATables()), len(sizes))
	}
	for _, table := range MPATables() {
		next, keys := 0, map[string]bool{}
		for _, f := range table.Fields {
			if f.Bit != next {
				t.Errorf("%s.%s begins at bit %d, the field before ends at %d", table.Key, f.Key, f.Bit, next)
			}
			if keys[f.Key] {
				t.Errorf("%s.%s is there twice", table.Key, f.Key)
			}
			if f.Name == "" || f.Key == "" || f.Doc == "" {
				t.Errorf("%s: field %+v lacks a name, key or text", table.Key, f)
			}
			keys[f.Key] = true
			next = f.Bit + f.Width
		}
		if next != 8*sizes[table.Key] || table.Name == "" || table.Ref == "" {
			t.Errorf("%s (%s, %s) ends at bit %d, want %d bytes", table.Key, table.Name, table.Ref, next, sizes[table.Key])
		}
	}
}

func flagBit(v bool) uint64 {
	if v {
		return 1
	}
	return 0
}

func TestStartAgainstTables(t *testing.T) {
	rnd := rand.New(rand.NewPCG(1, 2))
	for i := range 500 {
		b := append(check.Random(rnd, &startTable), check.Random(rnd, &enhancedTable)...)
		copy(b, [...]string{keyRequest, keyReply}[i%2])
		b[18] = 0 // so that the private data is not too long
		b[19] |= 4
		var s Start
		s.Decode(b)
		if string(b[:keySize]) != keyReply && s.Reply {
			t.Errorf("%q is a Reply", b[:keySize])
		}
		for key, v := range map[string]uint64{"m": flagBit(s.Markers), "c": flagBit(s.CRC), "r": flagBit(s.Reject), "s": flagBit(s.Enhanced),
			"res": uint64(s.Flags & flagsReserved), "rev": uint64(s.Revision), "pd_length": uint64(s.PDLength)} {
			if f := startTable.Lookup(key); f == nil || f.Uint(b) != v {
				t.Errorf("mpa.%s differs from %d in % x", key, v, b)
			}
		}
		if want := s.Enhanced && s.Revision >= 2; s.HasDepths != want {
			t.Fatalf("depths are there: %v, want %v", s.HasDepths, want)
		}
		if s.HasDepths {
			check.Scalars(t, &enhancedTable, b[StartSize:], map[string]uint64{"a": flagBit(s.PeerToPeer), "b": flagBit(s.ZeroSend), "ird": uint64(s.IRD),
				"c": flagBit(s.ZeroWrite), "d": flagBit(s.ZeroRead), "ord": uint64(s.ORD)})
		}
	}
}

// The flags byte is where the four bits stand, and no more.
func TestStartFlagsAgainstTable(t *testing.T) {
	for key, mask := range map[string]byte{"m": flagMarkers, "c": flagCRC, "r": flagReject, "s": flagEnhanced, "res": flagsReserved} {
		b := make([]byte, StartSize)
		b[16] = mask
		f := startTable.Lookup(key)
		if want := uint64(1)<<f.Width - 1; f.Uint(b) != want {
			t.Errorf("%s is %#x with its mask set", key, f.Uint(b))
		}
		if b[16] = ^mask; f.Uint(b) != 0 {
			t.Errorf("%s is %#x without its mask", key, f.Uint(b))
		}
	}
}
