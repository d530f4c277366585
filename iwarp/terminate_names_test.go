package iwarp

import (
	"slices"
	"testing"
)

// The codes that have names are those of IANA's registry of RDDP errors, which
// RFC 6580 created, and no others.
func TestErrorNames(t *testing.T) {
	registry := map[[2]uint8][]uint8{
		{0, 1}: {0, 1, 2, 3, 4, 9, 0xFF},
		{0, 2}: {5, 6, 7, 8, 9, 0xFF},
		{1, 1}: {0, 1, 2, 3, 4},
		{1, 2}: {1, 2, 3, 4, 5, 6},
		{2, 0}: {1, 2, 3, 4, 5, 6, 7},
	}
	for size := range 256 {
		layer, etype := uint8(size>>4), uint8(size&15)
		codes, named := registry[[2]uint8{layer, etype}]
		catastrophic := layer < 2 && etype == 0 // and any code
		if got := etypeName(layer, etype) != ""; got != (named || catastrophic) || (layerName(layer) != "") != (layer < 3) {
			t.Errorf("layer %d, type %d: %q, %q", layer, etype, layerName(layer), etypeName(layer, etype))
		}
		for code := range 256 {
			name := ecodeName(layer, etype, uint8(code))
			if got, want := name != "", slices.Contains(codes, uint8(code)); got != want {
				t.Errorf("layer %d, type %d, code %#x: %q", layer, etype, code, name)
			}
			if _, known := appendError(nil, layer, etype, uint8(code)); known != (name != "" || catastrophic) {
				t.Errorf("layer %d, type %d, code %#x is known: %v", layer, etype, code, known)
			}
		}
	}
}
