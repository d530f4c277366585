package main

import (
	"errors"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestParse reads the arguments in either order.
func TestParse(t *testing.T) {
	for _, x := range []struct{ args, id, on string }{
		{"HDR-018", "HDR-018", "message"}, {"-on rpc HDR-018", "HDR-018", "rpc"}, {"HDR-018 -on=tick", "HDR-018", "tick"},
	} {
		id, on, err := parse(strings.Fields(x.args))
		if err != nil || id != x.id || on.name != x.on {
			t.Errorf("%s: %s on %q, %v", x.args, id, on.name, err)
		}
	}
	for args, want := range map[string]string{
		"": "usage:", "-on rpc": "usage:", "HDR-018 HDR-019": "usage:", "-at rpc HDR-018": "-at",
		"-on connection HDR-018": "there is no hook \"connection\"; -on is one of these:\n  message ",
	} {
		if _, _, err := parse(strings.Fields(args)); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v, want %s", args, err, want)
		}
	}
	if _, _, err := parse([]string{"-h"}); !errors.Is(err, flag.ErrHelp) {
		t.Errorf("-h: %v", err)
	}
	for _, h := range hooks() {
		if !strings.Contains(usage(), "  "+h.name+" ") {
			t.Errorf("the help does not name %s", h.name)
		}
	}
}

// wrong are conditions that make the check of a hook report something in its sample.
func wrong() map[string]string {
	const reply = "Role() == dissect.RoleAnswer"
	return map[string]string{
		"message": "m." + reply, "rpc": "true", "frame": "v.Message != nil && v.Message." + reply, "access": "true", "setup": "true", "end": "true", "tick": "true",
	}
}

// hooksTest runs the samples of the rules that newrule began with each hook, alone.
const hooksTest = `package hdr

import (
	"testing"

	"github.com/rdmacap/rdmacap/internal/ruletest"
	"github.com/rdmacap/rdmacap/report/rules"
)

func TestHooks(t *testing.T) {
	for _, r := range []*rules.Rule{%s} {
		t.Run(r.ID, func(t *testing.T) { ruletest.Run(t, []*rules.Rule{r}, r.ID) })
	}
}
`

// TestHooks creates a rule with each hook, twice. As it is created, its tests fail, because the sample that
// must fire does not; once its condition is written, that sample passes.
func TestHooks(t *testing.T) {
	files, list, what := make(map[string]string), "", make(map[string]string)
	for i, h := range hooks() {
		for n, condition := range []string{"false", wrong()[h.name]} {
			root, function := repository(t), fmt.Sprintf("hdr%d%02d", 8+n, i)
			id := fmt.Sprintf("HDR-%d%02d", 8+n, i)
			r, err := create(root, id, h)
			if err != nil {
				t.Fatal(err)
			}
			document, err := os.ReadFile(filepath.Join(root, r.document()))
			if err != nil {
				t.Fatal(err)
			}
			check, err := os.ReadFile(filepath.Join(root, r.check()))
			if err != nil {
				t.Fatal(err)
			}
			const placeholder = "const found = false"
			if strings.Count(string(check), placeholder) != 1 {
				t.Fatalf("the check of %s has no condition to be written", h.name)
			}
			files[function+".go"] = strings.Replace(string(check), placeholder, "found := "+condition, 1)
			list += fmt.Sprintf("rules.Documented(%q, %q, %s()), ", h.name, document, function)
			what[id] = h.name
		}
	}
	files["hooks_overlay_test.go"] = fmt.Sprintf(hooksTest, list)
	out, err := overlaid(t, "hdr", "TestHooks", files)
	if err == nil {
		t.Error("rules in which everything says TODO pass their tests")
	}
	for id, hook := range what {
		want := []string{"FAIL: TestHooks/" + id + "/fires:", "PASS: TestHooks/" + id + "/silent:"}
		if strings.HasPrefix(id, "HDR-9") {
			want = []string{"PASS: TestHooks/" + id + "/fires:"}
		}
		for _, line := range want {
			if !strings.Contains(out, "--- "+line) {
				t.Errorf("a rule begun with %s: no %q", hook, line)
			}
		}
	}
	if t.Failed() {
		t.Log(out)
	}
}

// TestEachFileOfTheSkeletonHasAHook requires that newrule offers every check of package skeleton.
func TestEachFileOfTheSkeletonHasAHook(t *testing.T) {
	paths, err := filepath.Glob("skeleton/*.go")
	if err != nil || len(paths) < len(hooks()) {
		t.Fatalf("the skeleton is %v, %v", paths, err)
	}
	for _, path := range paths {
		if name := strings.TrimSuffix(filepath.Base(path), ".go"); !strings.HasSuffix(name, "_test") {
			hookNamed(t, name)
		}
	}
}
