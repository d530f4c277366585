package xdr

import (
	"os/exec"
	"strings"
	"testing"
)

// TestWordsAreInlined asks the compiler: every decoder above this package is
// made of these reads, and a call for each word would cost more than the word.
func TestWordsAreInlined(t *testing.T) {
	tool, err := exec.LookPath("go")
	if err != nil {
		t.Skip("the go command is not in the path, so the compiler cannot be asked")
	}
	out, err := exec.Command(tool, "build", "-gcflags=-m", ".").CombinedOutput()
	if err != nil {
		t.Fatalf("go build -gcflags=-m: %v\n%s", err, out)
	}
	for _, method := range []string{"Uint32", "Uint64", "Skip", "Offset", "Remaining", "Bad"} {
		if want := "can inline (*Cursor)." + method + "\n"; !strings.Contains(string(out), want) {
			t.Errorf("the compiler no longer says %q", strings.TrimSpace(want))
		}
	}
}
