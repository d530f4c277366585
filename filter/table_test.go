package filter

import (
	"encoding/hex"
	"testing"

	"github.com/rdmacap/rdmacap/field"
)

func nameOfTest(v uint64) string {
	return map[uint64]string{4: "RC SEND Only", 17: "ACKNOWLEDGE"}[v]
}

var header = field.Table{Key: "x", Fields: []field.Field{
	{Key: "opcode", Bit: 0, Width: 8, Format: field.Hex, Enum: nameOfTest, Doc: "operation"},
	{Key: "flag", Bit: 8, Width: 1, Format: field.Flag, Enum: nameOfTest},
	{Key: "psn", Bit: 9, Width: 23},
	{Key: "wide", Bit: 32, Width: 32, Enum: nameOfTest},
	{Key: "mac", Bit: 64, Width: 48, Format: field.MAC},
	{Key: "ip", Bit: 112, Width: 32, Format: field.IP},
	{Key: "gid", Bit: 144, Width: 128, Format: field.IP},
	{Key: "text", Bit: 272, Width: 24, Format: field.ASCII},
	{Key: "data", Bit: 296, Width: 16, Format: field.Bytes},
}}

// A cut header is a record.
type cutHeader []byte

func (h cutHeader) Values(i int, to *Values) { to.Header(&header.Fields[i], h) }

func TestHeader(t *testing.T) {
	data, err := hex.DecodeString("04" + "800064" + "00000011" + "525400000001" + "c0000201" +
		"20010db8000000000000000000000002" + "616263" + "beef")
	if err != nil {
		t.Fatal(err)
	}
	set, err := NewSet(Fields(&header)...)
	if err != nil {
		t.Fatal(err)
	}
	if err := set.Check(cutHeader(data)); err != nil {
		t.Error(err)
	}
	if f := set.Fields()[0]; f.Name != "x.opcode" || f.Kind != Enum || f.Doc != "operation" {
		t.Errorf("%+v", f)
	}
	for _, c := range []struct {
		expr string
		end  int // of the field in the header
	}{
		{`x.opcode == "rc send only"`, 1},
		{`x.opcode contains "SEND"`, 1},
		{"x.opcode != ACKNOWLEDGE", 1},
		{"x.flag", 2},
		{"x.psn == 100", 4},
		{"x.wide == 0x11", 8},
		{"x.mac == 52:54:00:00:00:01", 14},
		{"x.ip == 192.0.2.0/24", 18},
		{"x.gid == 2001:db8::2", 34},
		{`x.text == "abc"`, 37},
		{"x.data == beef", 39},
	} {
		f, err := set.Compile(c.expr)
		if err != nil {
			t.Errorf("%v", err)
			continue
		}
		for n := range len(data) + 1 {
			if got := f.Match(cutHeader(data[:n])); got != (n >= c.end) {
				t.Errorf("%s of %d bytes: %v", c.expr, n, got)
			}
		}
		record := Record(cutHeader(data))
		if n := testing.AllocsPerRun(100, func() { f.Match(record) }); n != 0 {
			t.Errorf("%s: %v allocations", c.expr, n)
		}
	}
}
