package live

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"golang.org/x/sys/unix"

	"github.com/rdmacap/rdmacap/internal/veth"
)

// withParts is what keeps privileges from being dropped.
const withParts = "test has parts in C, as the race detector"

// TestDropPrivileges captures in a process of its own, whose threads have none of the
// capabilities that it took any more, when it has dropped them, and still captures.
func TestDropPrivileges(t *testing.T) {
	p := veth.New(t)
	cmd := exec.Command(os.Args[0], "-test.run=^TestDropsPrivileges$", "-test.v")
	cmd.Env = append(os.Environ(), "DROPS_PRIVILEGES="+p.Far)
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	in, err := cmd.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	var said strings.Builder
	buffer := make([]byte, 4096)
	for !strings.Contains(said.String(), "dropped") {
		if strings.Contains(said.String(), withParts) {
			t.Skip("this " + withParts)
		}
		n, err := out.Read(buffer)
		if said.Write(buffer[:n]); err != nil {
			t.Fatalf("%v: %s", err, &said)
		}
	}
	if err := p.Send(testFrame(7, 60)); err != nil {
		t.Fatal(err)
	}
	in.Close()
	for n := 1; n > 0; {
		n, _ = out.Read(buffer) // its end is asked below
		said.Write(buffer[:n])
	}
	if err := cmd.Wait(); err != nil {
		t.Fatalf("%v: %s", err, &said)
	}
}

// TestDropsPrivileges is what TestDropPrivileges runs.
func TestDropsPrivileges(t *testing.T) {
	name := os.Getenv("DROPS_PRIVILEGES")
	if name == "" {
		t.Skip("TestDropPrivileges runs it")
	}
	block := make(chan bool)
	for range 4 { // that many threads, at least
		go func() { runtime.LockOSThread(); <-block }()
	}
	runtime.Gosched()
	s := open(t, Options{Filter: Filter{All: true}, Buffer: 8 << 20}, name)
	switch err := DropPrivileges(); {
	case errors.Is(err, errors.ErrUnsupported):
		fmt.Println("this", withParts)
		return
	case err != nil:
		t.Fatal(err)
	}
	tasks, err := filepath.Glob("/proc/self/task/*/status")
	if err != nil || len(tasks) < 5 {
		t.Fatalf("%d threads, %v", len(tasks), err)
	}
	for _, task := range tasks {
		status, err := os.ReadFile(task)
		if err != nil {
			t.Fatal(err)
		}
		for line := range strings.Lines(string(status)) {
			var value uint64
			key, text, _ := strings.Cut(line, ":")
			switch key {
			case "CapEff", "CapPrm", "CapInh", "CapAmb":
				if _, err := fmt.Sscanf(text, "%x", &value); err != nil || value&^keptCapabilities != 0 {
					t.Errorf("%s: %s (%v)", task, line, err)
				}
			case "NoNewPrivs":
				if strings.TrimSpace(text) != "1" {
					t.Errorf("%s: %s", task, line)
				}
			}
		}
	}
	if _, err := Open([]string{name}, Options{}); err == nil || !strings.Contains(err.Error(), "CAP_NET_RAW") {
		t.Errorf("it can open one more: %v", err)
	}
	fmt.Println("dropped")
	_, _ = os.Stdin.Read(make([]byte, 1)) // its end
	s.Stop()
	if n := len(ours(all(t, s))); n != 1 {
		t.Errorf("%d frames, want 1", n)
	}
}

// TestMoreThanCapturing holds which capabilities a process is warned of.
func TestMoreThanCapturing(t *testing.T) {
	for name, c := range map[string]struct {
		set  uint64
		want bool
	}{
		"none":           {0, false},
		"for capturing":  {1<<unix.CAP_NET_RAW | 1<<unix.CAP_NET_ADMIN, false},
		"what is left":   {keptCapabilities, false},
		"to load code":   {1<<unix.CAP_NET_RAW | 1<<unix.CAP_SYS_MODULE, true},
		"of the high 32": {1 << unix.CAP_BPF, true},
		"all":            {1<<(unix.CAP_LAST_CAP+1) - 1, true},
	} {
		if got := moreThanCapturing(c.set); got != c.want {
			t.Errorf("%s: %v", name, got)
		}
	}
}
