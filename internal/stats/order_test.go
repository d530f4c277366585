package stats_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/rdmacap/rdmacap/internal/stats"
)

func TestOrder(t *testing.T) {
	of := &sample(t, "rxe-basic").Totals
	all, more := of.Listed(stats.Order{})
	if !slices.Equal(all, of.Rows()) || more != 0 {
		t.Errorf("the zero Order has %d of %d operations, %d more", len(all), len(of.Rows()), more)
	}
	for _, c := range stats.Columns() {
		for _, sign := range []string{"", "-"} {
			o, err := stats.ParseOrder(sign+c.Name, 0)
			if err != nil {
				t.Fatal(err)
			}
			list, _ := of.Listed(o)
			if len(list) != len(all) {
				t.Errorf("%s%s has %d operations of %d", sign, c.Name, len(list), len(all))
			}
			if !slices.IsSortedFunc(list, func(a, b *stats.Operation) int {
				switch has, other := c.Known(a), c.Known(b); {
				case has && !other:
					return -1
				case !has || !other:
					return 0
				}
				if sign == "-" {
					return int(c.Of(a) - c.Of(b))
				}
				return int(c.Of(b) - c.Of(a))
			}) {
				t.Errorf("%s%s is no order: %v", sign, c.Name, list)
			}
		}
	}
	slowest, _ := stats.ParseOrder("p99", 3)
	if list, more := of.Listed(slowest); len(list) != 3 || more != len(all)-3 {
		t.Errorf("%d operations are listed, and %d more", len(list), more)
	}
	if _, err := stats.ParseOrder("latency", 0); err == nil || !strings.Contains(err.Error(), "p99") {
		t.Errorf("latency is one figure: %v", err)
	}
	if _, err := stats.ParseOrder("", -1); err == nil {
		t.Error("-1 operations can be listed")
	}
}
