package qp

import (
	"testing"

	"github.com/rdmacap/rdmacap/dissect/flow"
)

// TestIdents holds in which order identifications say that frames were sent, and when they say nothing.
func TestIdents(t *testing.T) {
	const soon, long = 2_000_000, 200_000_000 // nanoseconds
	for _, tt := range []struct {
		name  string
		seen  []uint16
		id    uint16 // of the frame that comes now
		other uint16 // of one that came so many nanoseconds before
		ago   int64
		want  int
	}{
		{"overtaken", []uint16{10, 11, 12, 13, 14, 20}, 15, 20, soon, -1},
		{"sent again", []uint16{10, 11, 12, 13, 14, 20}, 21, 20, soon, 1},
		{"over the end of the field", []uint16{65531, 65532, 65533, 65534, 65535, 3}, 65535, 3, soon, -1},
		{"others count too", []uint16{10, 300, 301, 900, 1400, 1500}, 1450, 1500, soon, -1},
		{"it may have come round", []uint16{10, 11, 12, 13, 14, 20}, 15, 20, long, 0},
		{"a clock that goes back", []uint16{10, 11, 12, 13, 14, 20}, 15, 20, -1, 0},
		{"always 0", []uint16{0, 0, 0, 0, 0, 0}, 0, 0, soon, 0},
		{"random", []uint16{51234, 17, 40211, 9000, 61000, 30000}, 12, 30000, soon, 0},
		{"too few", []uint16{10, 11, 20}, 15, 20, soon, 0},
	} {
		var x idents
		for _, id := range tt.seen {
			x.addIdent(id)
		}
		var p flow.Frame
		p.Link.IPID = tt.id
		x.addIdent(tt.id)
		if got := x.since(&p, tt.other, tt.ago); got != tt.want {
			t.Errorf("%s: %d, want %d", tt.name, got, tt.want)
		}
	}
}
