package filter

import (
	"slices"
	"strings"
	"testing"
	"time"
)

// aliased is a set with other names, numbers in hexadecimal, and hashes.
func aliased(t *testing.T) *Set {
	t.Helper()
	s, err := NewSet(
		Field{Name: "rpc.latency", Kind: Duration},
		Field{Name: "frame.time", Kind: Time},
		Field{Name: "rpc.xid", Kind: Uint, Hex: true},
		Field{Name: "nfs.count", Kind: Uint},
		Field{Name: "nfs.fh", Kind: Bytes, Hash: "nfs.fh.hash"},
		Field{Name: "nfs.fh.hash", Kind: Uint, Hex: true},
	)
	if err != nil {
		t.Fatal(err)
	}
	err = s.Alias(Alias{"rpc.time", "rpc.latency", true}, Alias{"frame.time_epoch", "frame.time", true}, Alias{"nfs.fhandle", "nfs.fh", false})
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// An aliasedRecord has a value of each field of aliased.
type aliasedRecord struct{}

func (aliasedRecord) Values(i int, to *Values) {
	switch i {
	case 0:
		to.Duration(15 * time.Millisecond)
	case 1:
		to.Time(1769871845_250000000)
	case 2:
		to.Uint(0xb82d105d)
	case 3:
		to.Uint(42)
	case 4:
		to.Bytes([]byte{1, 2, 3, 4, 5})
	case 5:
		to.Uint(0x470b99f4)
	}
}

func TestOtherNamesAndValues(t *testing.T) {
	s := aliased(t)
	for expr, want := range map[string]bool{
		"rpc.time > 0.01":                                  true,
		"rpc.time > 0.02":                                  false,
		"RPC.Time == .015":                                 true,
		"rpc.time > 10ms":                                  true,
		"all rpc.time in {0.01..0.02}":                     true,
		"frame.time_epoch == 1769871845.25":                true,
		"frame.time_epoch < 1769871845.25":                 false,
		`frame.time_epoch > "2026-01-31 00:00"`:            true,
		"rpc.xid == b82d105d":                              true,
		"rpc.xid in {B82D105D}":                            true,
		"rpc.xid == 0b82d105d":                             true, // which is not binary
		"rpc.xid == 3089961053":                            true, // decimal
		"rpc.xid != 12345678":                              true,
		"nfs.fh == 0x470b99f4":                             true,
		"nfs.fh != 0x470b99f4":                             false,
		"nfs.fhandle in {0x62d40c52, 0x470b99f4}":          true,
		"nfs.fh not in {0x62d40c52}":                       true,
		"nfs.fh == 47:0b:99:f4":                            false, // a handle of four bytes
		"nfs.fh == 470b99f4":                               false,
		"nfs.fh == 0x0102030405":                           true,
		"nfs.fh contains 0x02030405":                       true, // bytes, as contains looks into them
		"nfs.fh < 0x02030405 and nfs.fh == 01:02:03:04:05": true,
		"nfs.fh in {0x0102030405, 00:01}":                  true,
	} {
		f, err := s.Compile(expr)
		if err != nil {
			t.Error(err)
		} else if got := f.Match(aliasedRecord{}); got != want {
			t.Errorf("%s is %v", expr, got)
		} else if f.String() != expr {
			t.Errorf("%s is shown as %s", expr, f)
		}
	}
	for expr, want := range map[string]string{
		"rpc.latency > 0.01":              "0.01 has no unit",
		"rpc.time > fast":                 "rpc.latency takes a duration",
		"rpc.xid == 12g4":                 "rpc.xid takes a number",
		"rpc.xid == b82d105db82d105d1":    "rpc.xid takes a number",
		"rpc.xid == 01234567":             "write 0x01234567 if it is hexadecimal, 1234567 if it is decimal",
		"nfs.count == b82d105d":           "nfs.count takes a number",
		"nfs.fh in {0x62d40c52, 00:01}":   "write two sets",
		"nfs.fh in {00:01, 0x62d40c52}":   "write two sets",
		"fram.time_epoch > 1":             "did you mean frame.time_epoch?",
		"rpc.latenci > 1s":                "did you mean rpc.latency?",
		"nfs.fh in {0x62d40c52..0xfffff}": "write two sets",
	} {
		if _, err := s.Compile(expr); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: the error is %v, want one with %q", expr, err, want)
		}
	}
}

func TestOtherNamesAreNoFields(t *testing.T) {
	s := aliased(t)
	for _, a := range []Alias{{Name: "rpc.xid", Of: "nfs.fh"}, {Name: "rpc.time", Of: "nfs.fh"}, {Name: "x.y", Of: "no.field"}, {Name: "Not", Of: "nfs.fh"}} {
		if err := s.Alias(a); err == nil {
			t.Errorf("%s may be another name of %s", a.Name, a.Of)
		}
	}
	if name, err := s.Name("nfs.fhandle"); name != "nfs.fh" || err != nil {
		t.Errorf("nfs.fhandle is %s, error %v", name, err)
	}
	if _, err := NewSet(Field{Name: "a.b", Kind: Bytes, Hash: "a.c"}); err == nil {
		t.Error("a field may have a hash that is none")
	}
}

// Completions offer other names only if no field's own will do, and go on after them.
func TestOtherNamesAreOfferedLast(t *testing.T) {
	s := aliased(t)
	for expr, want := range map[string][]string{
		"frame.t":        {"frame.time"},
		"frame.time_":    {"frame.time_epoch"},
		"nfs.fh":         {"nfs.fh", "nfs.fh.hash"},
		"not nfs.fha":    {"not nfs.fhandle"},
		"nfs.fhandle co": {"nfs.fhandle contains"},
	} {
		var got []string
		for _, c := range s.Completions(expr) {
			got = append(got, c.Text)
		}
		if !slices.Equal(got, want) {
			t.Errorf("%s: offered are %q, want %q", expr, got, want)
		}
	}
}
