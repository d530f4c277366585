package main

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"golang.org/x/sys/unix"

	"github.com/rdmacap/rdmacap/internal/veth"
)

// A terminal is what a process of the test runs on.
type terminal struct {
	t      *testing.T
	master *os.File
	cmd    *exec.Cmd
	before *unix.Termios
	slave  *os.File
	guard  sync.Mutex
	out    bytes.Buffer
	read   chan struct{}
}

// onTerminal runs rdmacap on a terminal of 80 columns and 24 lines that answers nothing.
func onTerminal(t *testing.T, args ...string) *terminal {
	t.Helper()
	master, err := os.OpenFile("/dev/ptmx", os.O_RDWR|unix.O_NOCTTY, 0)
	if err != nil {
		t.Skip("there are no pseudo terminals: ", err)
	}
	fd := int(master.Fd())
	number, err := unix.IoctlGetInt(fd, unix.TIOCGPTN)
	if err == nil {
		err = unix.IoctlSetPointerInt(fd, unix.TIOCSPTLCK, 0)
	}
	if err == nil {
		err = unix.IoctlSetWinsize(fd, unix.TIOCSWINSZ, &unix.Winsize{Row: 24, Col: 80})
	}
	if err != nil {
		t.Fatal(err)
	}
	slave, err := os.OpenFile(fmt.Sprintf("/dev/pts/%d", number), os.O_RDWR|unix.O_NOCTTY, 0)
	if err != nil {
		t.Skip("there are no pseudo terminals: ", err)
	}
	x := &terminal{t: t, master: master, slave: slave, read: make(chan struct{})}
	if x.before, err = unix.IoctlGetTermios(int(slave.Fd()), unix.TCGETS); err != nil {
		t.Fatal(err)
	}
	x.cmd = exec.Command(os.Args[0], append([]string{"-test.run=^TestRunsOnTerminal$", "--"}, args...)...)
	x.cmd.Env = append(os.Environ(), "RUNS_ON_TERMINAL=1", "TERM=xterm-256color", "CI=", "NO_COLOR=")
	x.cmd.Stdin, x.cmd.Stdout, x.cmd.Stderr = slave, slave, slave
	x.cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: true, Setctty: true}
	if err := x.cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		_ = x.cmd.Process.Kill() // it has ended, unless the test failed
		slave.Close()
		master.Close()
		<-x.read
	})
	go func() {
		defer close(x.read)
		b := make([]byte, 4096)
		for {
			n, err := master.Read(b)
			if err != nil {
				return
			}
			x.guard.Lock()
			x.out.Write(b[:n])
			x.guard.Unlock()
		}
	}()
	return x
}

// TestRunsOnTerminal is what onTerminal runs.
func TestRunsOnTerminal(t *testing.T) {
	if os.Getenv("RUNS_ON_TERMINAL") == "" {
		t.Skip("other tests run it")
	}
	args := os.Args
	for len(args) > 0 && args[0] != "--" {
		args = args[1:]
	}
	os.Exit(runProcess(args[1:]))
}

// shown is all that was written to the terminal.
func (x *terminal) shown() string {
	x.guard.Lock()
	defer x.guard.Unlock()
	return x.out.String()
}

// until waits for words on it.
func (x *terminal) until(words string) {
	x.t.Helper()
	for range 4000 {
		if strings.Contains(x.shown(), words) {
			return
		}
		time.Sleep(5 * time.Millisecond)
	}
	x.t.Fatalf("no %q on the terminal: %q", words, x.shown())
}

// press presses keys.
func (x *terminal) press(keys string) {
	if _, err := x.master.WriteString(keys); err != nil {
		x.t.Error(err)
	}
}

// ended waits for the end and returns the exit status, and what was written after the screen,
// which must have been left, and the terminal be as it was.
func (x *terminal) ended() (status int, behind string) {
	x.t.Helper()
	var exit *exec.ExitError
	if err := x.cmd.Wait(); err != nil && !isExit(err, &exit) {
		x.t.Fatal(err)
	}
	after, err := unix.IoctlGetTermios(int(x.slave.Fd()), unix.TCGETS)
	if err != nil {
		x.t.Fatal(err)
	}
	if *after != *x.before {
		x.t.Errorf("the terminal is not as it was: %+v, want %+v", after, x.before)
	}
	x.slave.WriteString("\x00end")
	x.until("\x00end")
	all := strings.TrimSuffix(x.shown(), "\x00end")
	_, behind, left := strings.Cut(all, "\x1b[?1049l")
	if !left || strings.Count(all, "\x1b[?25h") == 0 {
		x.t.Errorf("the screen was not left: %q", all[max(0, len(all)-300):])
	}
	return x.cmd.ProcessState.ExitCode(), behind
}

func isExit(err error, exit **exec.ExitError) (is bool) {
	*exit, is = err.(*exec.ExitError)
	return is
}

// TestNothingAsksTheTerminal holds that a command writes to a terminal what it writes, and
// asks it for nothing: initializing bubbletea would.
func TestNothingAsksTheTerminal(t *testing.T) {
	x := onTerminal(t, "version")
	_ = x.cmd.Wait() // what was written is what counts
	x.until("\n")
	if got, want := x.shown(), strings.ReplaceAll(must(t, "version"), "\n", "\r\n"); got != want {
		t.Errorf("%q, want %q", got, want)
	}
}

// TestTop reads a file to its end, looks at it, and quits.
func TestTop(t *testing.T) {
	x := onTerminal(t, "live", "--top", "-r", sample("rxe-cb"))
	x.until("END OF INPUT")
	x.press("\r")
	x.until("connection #1")
	x.until("NFS4 ")
	x.press("q")
	status, behind := x.ended()
	if status != exitDone || !strings.Contains(behind, "on 2 of 2 connections") || strings.Contains(behind, "interrupted") {
		t.Errorf("status %d, %q", status, behind)
	}
}

// TestTopEnds ends it in the middle of a file that grows: the user quits, presses the key that
// interrupts, or the process is told to end.
func TestTopEnds(t *testing.T) {
	data := unpacked(t, "rxe-cb")
	path := filepath.Join(t.TempDir(), "growing.pcap")
	if err := os.WriteFile(path, data[:len(data)/2], 0o600); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		how    string
		end    func(x *terminal)
		status int
	}{
		{"q", func(x *terminal) { x.press("q") }, exitDone},
		{"ctrl+c", func(x *terminal) { x.press("\x03") }, exitInterrupted},
		{"SIGTERM", func(x *terminal) { _ = x.cmd.Process.Signal(syscall.SIGTERM) }, exitInterrupted},
	} {
		x := onTerminal(t, "live", "--top", "--follow", "-r", path)
		x.until("2 connections")
		c.end(x)
		status, behind := x.ended()
		said := strings.Contains(behind, "interrupted: partial results follow")
		if status != c.status || said != (c.status == exitInterrupted) || !strings.Contains(behind, "2 connections") {
			t.Errorf("%s: status %d, %q", c.how, status, behind)
		}
	}
}

// TestTopOnInterface plays a sample onto an interface: what came of it stands in the last line,
// and in the summary, and the signal is an interruption.
func TestTopOnInterface(t *testing.T) {
	p := veth.New(t)
	frames, file := carried(t, "rxe-cb", plain())
	read := must(t, "read", "--format", "ndjson", file)
	got := whileLive(t, func(out *watched) {
		for _, f := range frames {
			if err := p.Send(f); err != nil {
				t.Error(err)
			}
		}
		out.until("2 ended") // there is a line a second
	}, "-i", p.Far, "--top")
	rpcs := fmt.Sprintf("%d RPCs on 2 connections", len(lastingRecords(t, read, "rpc")))
	if got.status != exitInterrupted || !strings.Contains(got.err, "interrupted: partial results follow") ||
		!strings.Contains(got.out, "  0 connections, 2 ended  calls/s ") || !strings.Contains(got.out, rpcs) {
		t.Errorf("%+v, want %s", got, rpcs)
	}
}
