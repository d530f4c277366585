package rpcrow

import (
	"slices"
	"testing"

	"github.com/rdmacap/rdmacap/report/page/columns"
)

func TestOnce(t *testing.T) {
	if got := once([]uint64{5, 7, 5, 5, 9, 7}); !slices.Equal(got, []uint64{5, 7, 9}) {
		t.Errorf("each value once is %v", got)
	}
	if got := once(make([]uint64, columns.MostInList+1)); len(got) <= columns.MostInList {
		t.Errorf("of a list that is cut %d values are left: nobody knows that it is cut", len(got))
	}
}

func TestRuns(t *testing.T) {
	for _, c := range []struct{ list, want []uint64 }{
		{nil, nil}, {[]uint64{7}, []uint64{7, 7}}, {[]uint64{7, 8, 9, 11, 12, 3}, []uint64{7, 9, 11, 12, 3, 3}},
		{[]uint64{4, 4, 3}, []uint64{4, 4, 3, 3}},
	} {
		if got := appendRuns(nil, c.list); !slices.Equal(got, c.want) {
			t.Errorf("the runs of %v are %v, want %v", c.list, got, c.want)
		}
	}
}
