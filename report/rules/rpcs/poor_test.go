package rpcs_test

import (
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/rdmacap/rdmacap/capture"
	"github.com/rdmacap/rdmacap/internal/ruletest"
	"github.com/rdmacap/rdmacap/report/finding"
	"github.com/rdmacap/rdmacap/report/rules/rpcs"
)

// TestPoorCaptures takes frames out of captures of healthy peers, or puts them out of
// order: no such capture may accuse them of anything. Where the last reply is missing
// nothing reports whether there was one, so RPC-001 may be in doubt. GARBAGE_ARGS stand in
// rxe-krb, whose server could not unwrap what its client protected.
func TestPoorCaptures(t *testing.T) {
	for _, name := range []string{"rxe-acl", "rxe-krb", "rxe-thresh", "rxe-cb", "siw-basic", "siw-cb"} {
		whole := ruletest.Sample(t, "../../../samples/"+name+".pcap.zst")
		for seed := range uint64(4) {
			r := rand.New(rand.NewPCG(seed, 1))
			lost, late, swapped := make([]capture.Frame, 0, len(whole)), whole[r.IntN(len(whole)):], slices.Clone(whole)
			for i := range whole {
				if r.IntN(100) > 0 {
					lost = append(lost, whole[i])
				}
			}
			for i := range len(whole) - 8 {
				if r.IntN(20) == 0 {
					j := i + 1 + r.IntN(6)
					swapped[i], swapped[j] = swapped[j], swapped[i]
				}
			}
			for what, list := range map[string][]capture.Frame{"frames lost": lost, "begun late": late, "frames out of order": swapped} {
				list = slices.Clone(list)
				for i := range list {
					list[i].Number = int64(i + 1)
				}
				for _, f := range ruletest.Check(t, rpcs.Rules(), list) {
					if f.Rule.ID != "RPC-005" && f.Severity > finding.Note && (f.Rule.ID != "RPC-001" || f.Doubt == "") {
						t.Errorf("%s, %s, seed %d: %s in frame %d: %s (%s)", name, what, seed, f.ID(), f.Frame.Number, f.Message, f.Doubt)
					}
				}
			}
		}
	}
}
