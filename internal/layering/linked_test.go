package layering

import (
	"os/exec"
	"slices"
	"strings"
	"testing"
)

// unlinked are packages that the program is not to have in it, with all below them, and why.
var unlinked = map[string]string{
	"github.com/prometheus":      "every command paid 2 ms and 10 MB for it; report/metrics writes the text itself, and tests have it judged",
	"google.golang.org/protobuf": "nothing is written in its format; it came with Prometheus's client",
	"github.com/google/gopacket": "importing it costs milliseconds at start-up; rocev2/layers is for other programs",
	"html/template":              templates,
	"expvar":                     "it publishes the command line to whoever asks",
	"net/http/pprof":             "it shows the program's memory to whoever asks",
}

// templates is why there are none. cobra imports text/template for those that users of it
// may set: as we set none, the linker leaves it out.
const templates = "where a template is carried out, the linker keeps each exported method of the program, a sixth of it: any may be called by its name"

// TestTheProgramLinksNoMore holds that none of these come in again, through whatever
// package.
func TestTheProgramLinksNoMore(t *testing.T) {
	out, err := exec.Command("go", "list", "-deps", module+"/cmd/rdmacap").Output()
	if err != nil {
		t.Fatalf("go list: %v", err)
	}
	list := strings.Fields(string(out))
	if len(list) < 200 {
		t.Errorf("go list found %d packages", len(list))
	}
	for _, path := range list {
		if above, why := linkedAgain(path); above != "" {
			t.Errorf("the program links %s: %s", path, why)
		}
	}
}

// TestNoTemplates holds that none of our packages but those for tests has templates.
func TestNoTemplates(t *testing.T) {
	for _, p := range listPackages(t) {
		if ours := strings.TrimPrefix(p.ImportPath, module+"/"); slices.Contains(p.Imports, "text/template") && slices.Contains(order, ours) {
			t.Errorf("%s imports text/template: %s", ours, templates)
		}
	}
}

// linkedAgain is what of unlinked a package is, or is below of, and why it is there.
func linkedAgain(path string) (above, why string) {
	for above, why := range unlinked {
		if path == above || strings.HasPrefix(path, above+"/") {
			return above, why
		}
	}
	return "", ""
}

// TestLinkedAgainCanFail shows that a package is found, and those below it.
func TestLinkedAgainCanFail(t *testing.T) {
	for path, want := range map[string]string{
		"html/template": "html/template", "expvar": "expvar", "html": "", "net/http/pprof": "net/http/pprof", "net/http/pprofs": "",
		"github.com/prometheus/client_golang/prometheus": "github.com/prometheus", "net/http": "",
	} {
		if got, _ := linkedAgain(path); got != want {
			t.Errorf("%s is of %q, want %q", path, got, want)
		}
	}
}
