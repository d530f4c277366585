package filter

import (
	"slices"
	"testing"
)

func TestEquals(t *testing.T) {
	t.Parallel()
	set, err := NewSet(Field{Name: "rdma.xid", Kind: Uint, Hex: true}, Field{Name: "frame.number", Kind: Uint})
	if err != nil {
		t.Fatal(err)
	}
	if err := set.Alias(Alias{Name: "rpcordma.xid", Of: "rdma.xid"}); err != nil {
		t.Fatal(err)
	}
	for expr, want := range map[string][]uint64{
		"rdma.xid == 5": {5},
		"frame.number == 5 or not (frame.number == 7 and rpcordma.xid == 0x10)":   {16},
		"rdma.xid in {3, 1, 8..9} and rdma.xid != 4":                              {1, 3, 4},
		"rdma.xid > 5 and rdma.xid and frame.number in {1, 2} and rdma.xid < 100": nil,
		"": nil,
	} {
		f, err := set.Compile(expr)
		if err != nil {
			t.Fatal(err)
		}
		if got := f.Equals(0); !slices.Equal(got, want) {
			t.Errorf("%q: %v, want %v", expr, got, want)
		}
	}
}
