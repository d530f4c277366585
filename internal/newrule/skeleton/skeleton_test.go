package skeleton

import (
	"os"
	"testing"

	"github.com/rdmacap/rdmacap/internal/ruletest"
	"github.com/rdmacap/rdmacap/internal/scene"
	"github.com/rdmacap/rdmacap/report/rules"
)

// TestNothingReported reads the document, plays its samples, and requires that no check reports anything: so
// the sample that must fire fails until somebody writes the check.
func TestNothingReported(t *testing.T) {
	text, err := os.ReadFile("hdr000.rule")
	if err != nil {
		t.Fatal(err)
	}
	for name, check := range map[string]rules.Check{
		"message": hdr000message(), "rpc": hdr000rpc(), "frame": hdr000frame(), "access": hdr000access(),
		"setup": hdr000setup(), "end": hdr000end(), "tick": hdr000tick(),
	} {
		r := rules.Documented("hdr000.rule", string(text), check)
		fires, silent := r.Samples()
		if len(fires) != 1 || len(silent) != 1 {
			t.Fatalf("%d samples fire and %d do not", len(fires), len(silent))
		}
		for _, s := range r.AllSamples() {
			for _, over := range []scene.Transport{scene.RoCE, scene.IWARP} {
				if found := ruletest.Check(t, []*rules.Rule{r}, ruletest.Frames(t, s.Text(), over)); len(found) > 0 {
					t.Errorf("%s: %s over %s: %d findings", name, s.Name, over, len(found))
				}
			}
		}
	}
}
