package main

import (
	"bufio"
	"os"
	"os/exec"
	"os/signal"
	"strings"
	"syscall"
	"testing"
	"time"

	"golang.org/x/sys/unix"
)

// pipeHolds is how many bytes a pipe holds. Writes of up to 4,096 are not divided.
const pipeHolds = 64 << 10

// heldUp runs `read` of a capture in a process that writes to nobody who reads, until it
// cannot go on, and returns that and what it says.
func heldUp(t *testing.T, path string) (cmd *exec.Cmd, diag *bufio.Scanner) {
	t.Helper()
	cmd = exec.Command(os.Args[0], "-test.run=^TestReadsInProcess$")
	cmd.Env = append(os.Environ(), "READS_IN_PROCESS="+path)
	in, err := cmd.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	said, err := cmd.StderrPipe()
	if err != nil {
		t.Fatal(err)
	}
	// Where the tests run in the background of a shell they ignore SIGINT, and so would what they
	// start: but not if they hear it at that moment.
	heard := make(chan os.Signal, 1)
	signal.Notify(heard, os.Interrupt, syscall.SIGTERM)
	err = cmd.Start()
	signal.Stop(heard)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = cmd.Process.Kill() }) // it has ended, unless the test failed
	go in.Write(unpacked(t, "rxe-cb"))           // it does not end
	diag = bufio.NewScanner(said)
	if !diag.Scan() || diag.Text() != "reading" {
		t.Fatalf("%q", diag.Text())
	}
	for held := 0; held <= pipeHolds-4096; time.Sleep(time.Millisecond) { // until the pipe is full
		if held, err = unix.IoctlGetInt(int(out.(*os.File).Fd()), unix.TIOCINQ); err != nil {
			t.Fatal(err)
		}
	}
	return cmd, diag
}

// endedBy checks that a process ended by a signal.
func endedBy(t *testing.T, cmd *exec.Cmd, signal syscall.Signal) {
	t.Helper()
	if status, ok := cmd.ProcessState.Sys().(syscall.WaitStatus); !ok || !status.Signaled() || status.Signal() != signal {
		t.Errorf("it ended with %v", cmd.ProcessState)
	}
}

// TestInterruptedTwice holds that a second signal ends a process that cannot end by
// itself: nobody reads what it writes.
func TestInterruptedTwice(t *testing.T) {
	cmd, diag := heldUp(t, "-")
	if err := cmd.Process.Signal(syscall.SIGTERM); err != nil {
		t.Fatal(err)
	}
	if !diag.Scan() || !strings.Contains(diag.Text(), "interrupted") {
		t.Fatalf("%q", diag.Text())
	}
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		_ = cmd.Wait() // how it ended is asked below
	}()
	for { // until those that are taken for the first are over
		_ = cmd.Process.Signal(syscall.SIGINT) // it may have ended
		select {
		case <-ended:
		case <-time.After(50 * time.Millisecond):
			continue
		}
		break
	}
	endedBy(t, cmd, syscall.SIGINT)
}

// TestInterruptedFile holds that the first signal ends a process that reads a file.
func TestInterruptedFile(t *testing.T) {
	for _, signal := range []syscall.Signal{syscall.SIGINT, syscall.SIGTERM} {
		cmd, diag := heldUp(t, sample("rxe-cb"))
		if err := cmd.Process.Signal(signal); err != nil {
			t.Fatal(err)
		}
		if diag.Scan() {
			t.Errorf("it says %q", diag.Text())
		}
		_ = cmd.Wait() // how it ended is asked below
		endedBy(t, cmd, signal)
	}
}

// TestReadsInProcess is what other tests run.
func TestReadsInProcess(t *testing.T) {
	path := os.Getenv("READS_IN_PROCESS")
	if path == "" {
		t.Skip("other tests run it")
	}
	os.Stderr.WriteString("reading\n")
	os.Exit(runProcess([]string{"read", "--level", "frame", "-x", path}))
}
