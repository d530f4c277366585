package catalogue_test

import (
	"fmt"
	"math/rand/v2"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/rdmacap/rdmacap/capture"
	"github.com/rdmacap/rdmacap/internal/damage"
	"github.com/rdmacap/rdmacap/internal/long"
	"github.com/rdmacap/rdmacap/internal/ruletest"
	"github.com/rdmacap/rdmacap/internal/scene"
	"github.com/rdmacap/rdmacap/report/finding"
	"github.com/rdmacap/rdmacap/report/rules"
	"github.com/rdmacap/rdmacap/report/rules/catalogue"
)

// sameAcross asks the rules about a capture, once with CrossConnection told at once of what is
// published, then with it told so late that connections, messages and RPCs went on or are over by
// then, and then with the connections spread over several Checkers: they must say the same,
// in the same order.
func sameAcross(t *testing.T, what string, list []*rules.Rule, frames []capture.Frame) {
	t.Helper()
	want := whole(ruletest.Check(t, list, frames))
	same := func(how string, found []*finding.Finding) {
		t.Helper()
		got := whole(found)
		for i := range max(len(got), len(want)) {
			if i >= len(got) || i >= len(want) || got[i] != want[i] {
				t.Fatalf("%s, %s: finding %d\n%v\nwant\n%v", what, how, i, got[i:min(i+1, len(got))], want[i:min(i+1, len(want))])
			}
		}
	}
	same("Across told at the end", ruletest.CheckLate(t, list, frames, -1))
	same("Across told every 7 frames", ruletest.CheckLate(t, list, frames, 7))
	same("with 3 Checkers", checkShards(t, list, frames, 3))
}

// TestAcross has samples, and those with many bytes changed.
func TestAcross(t *testing.T) {
	t.Parallel()
	rounds := long.Pick(2, 20)
	all := catalogue.All()
	names, err := filepath.Glob("../../../samples/*.pcap.zst")
	if err != nil || len(names) == 0 {
		t.Fatal(names, err)
	}
	few := []string{"rxe-cb", "siw-cb", "rxe-krb", "version2-roce", "fallback-roce"}
	for _, path := range names {
		name, _, _ := strings.Cut(filepath.Base(path), ".")
		if !long.Tests && !slices.Contains(few, name) {
			continue
		}
		list := ruletest.Sample(t, path)
		sameAcross(t, name, all, list)
		list = list[:min(len(list), 1500)]
		for seed := range rounds {
			rnd := rand.New(rand.NewPCG(uint64(seed), 12))
			data := make([]byte, 8*(1+rnd.IntN(60)))
			for i := range data {
				data[i] = byte(rnd.Uint32())
			}
			sameAcross(t, fmt.Sprintf("%s with seed %d", name, seed), all, damage.Edit(list, data))
		}
	}
}

// TestAcrossScenes has the samples of the rules: of those that look across
// connections, or of all.
func TestAcrossScenes(t *testing.T) {
	t.Parallel()
	all := catalogue.All()
	across := []string{"CM-005", "SYM-004", "SYM-006", "SYM-008", "CREDIT-002", "V2-010", "SEC-003", "SEC-005", "RPC-004", "RPC-005", "HDR-014", "ULB-014", "ULB-015",
		"ULB-016", "ULB-017", "TRANS-007", "TRANS-010"}
	for _, r := range all {
		if !long.Tests && !slices.Contains(across, r.ID) {
			continue
		}
		for _, s := range r.AllSamples() {
			for over, not := range map[scene.Transport]rules.Transport{scene.RoCE: rules.IWARP, scene.IWARP: rules.RoCE} {
				if s.Over != not {
					sameAcross(t, fmt.Sprintf("%s, %s", r.ID, s.Name), all, ruletest.Frames(t, s.Text(), over))
				}
			}
		}
	}
}

// whole are findings with all that they have, as lines.
func whole(list []*finding.Finding) (lines []string) {
	for _, f := range list {
		cause, conn := "", 0
		if f.Cause != nil {
			cause = fmt.Sprint(f.Cause.ID(), f.Cause.Frame)
		}
		if f.Connection != nil {
			conn = f.Connection.ID
		}
		lines = append(lines, fmt.Sprint(f.Severity, f.ID(), conn, f.Message, f.XID, f.HasXID, f.Call, f.Frame, f.Frames, f.Time, f.From, f.HasFrom,
			f.Evidence, f.Bytes, f.Doubt, f.Advice, f.Count, f.Last, f.LastTime, f.Consequences, cause))
	}
	return lines
}
