package skeleton

import (
	"os"
	"testing"

	"github.com/rdmacap/rdmacap/internal/ruletest"
	"github.com/rdmacap/rdmacap/internal/scene"
	"github.com/rdmacap/rdmacap/report/rules"
)

// TestNothingReported reads the document, plays its samples, and requires that the rule reports nothing: so
// the sample that must fire fails until somebody writes the check.
func TestNothingReported(t *testing.T) {
	text, err := os.ReadFile("hdr000.rule")
	if err != nil {
		t.Fatal(err)
	}
	r := rules.Documented("hdr000.rule", string(text), hdr000())
	fires, silent := r.Samples()
	if len(fires) != 1 || len(silent) != 1 {
		t.Fatalf("%d samples fire and %d do not", len(fires), len(silent))
	}
	for _, s := range r.AllSamples() {
		for _, over := range []scene.Transport{scene.RoCE, scene.IWARP} {
			if found := ruletest.Check(t, []*rules.Rule{r}, ruletest.Frames(t, s.Text(), over)); len(found) > 0 {
				t.Errorf("%s over %s: %d findings", s.Name, over, len(found))
			}
		}
	}
}
