package main

import (
	"strings"
	"testing"

	"github.com/rdmacap/rdmacap/capture/device"
	"github.com/rdmacap/rdmacap/internal/replay/verbs"
)

// TestInterfacesLibraries holds that a library counts as there only if this build uses it: run
// it with -tags noverbs, too.
func TestInterfacesLibraries(t *testing.T) {
	m, err := device.Survey()
	if err != nil {
		t.Fatal(err)
	}
	lines := strings.Split(strings.TrimSpace(must(t, "interfaces", "--format", "ndjson")), "\n")
	process := decode(t, lines[len(lines)-1]).(map[string]any)
	text := must(t, "interfaces")
	for _, l := range m.Libraries {
		said := process[l.Name].(map[string]any)
		if want := l.Found && verbs.Built; said["have"] != want {
			t.Errorf("%s: found %v, built %v: %v", l.Name, l.Found, verbs.Built, said)
		}
		if !verbs.Built && said["remedy"] != nil {
			t.Errorf("no command mends a build: %v", said)
		}
	}
	if without := strings.Contains(text, "without the tag noverbs"); without == verbs.Built || len(m.Libraries) == 0 {
		t.Errorf("built with verbs: %v, %d libraries:\n%s", verbs.Built, len(m.Libraries), text)
	}
}
