//go:build linux

package fleet

import (
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"testing"
	"time"
)

// manual is the folder of docs/fleet.md and its examples.
const manual = "../../docs"

// documented is the command line of docs/fleet.md in the block that says so: ```sh NAME.
func documented(t *testing.T, name string) string {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(manual, "fleet.md"))
	if err != nil {
		t.Fatal(err)
	}
	found := regexp.MustCompile("(?s)\n```sh "+name+"\n(.*?)\n```\n").FindAllSubmatch(text, -1)
	if len(found) != 1 {
		t.Fatalf("docs/fleet.md has %d blocks %q", len(found), name)
	}
	return string(found[0][1])
}

// A shell carries out command lines in a folder.
type shell struct {
	dir string
	env []string
}

// run returns what a command line prints, and its status.
func (s shell) run(t *testing.T, line string) (out string, status int) {
	t.Helper()
	// Where the time of the tests is over, this fails before, so that daemons are ended.
	ctx := t.Context()
	if late, is := t.Deadline(); is {
		var end context.CancelFunc
		ctx, end = context.WithDeadline(ctx, late.Add(-time.Minute))
		defer end()
	}
	cmd := exec.CommandContext(ctx, "bash", "-c", line)
	cmd.Dir, cmd.Env, cmd.WaitDelay = s.dir, append(os.Environ(), s.env...), 5*time.Second
	text, err := cmd.CombinedOutput()
	if cmd.ProcessState == nil || cmd.ProcessState.ExitCode() < 0 {
		t.Fatalf("%s: %v\n%s", line, err, text)
	}
	return string(text), cmd.ProcessState.ExitCode()
}

// need skips the test where programs are not installed.
func need(t *testing.T, packages string, programs ...string) {
	t.Helper()
	for _, name := range programs {
		if _, err := exec.LookPath(name); err != nil {
			t.Skipf("%s is not installed (Debian: apt install %s): %v", name, packages, err)
		}
	}
}
