package main

import (
	"bufio"
	"os"
	"os/exec"
	"strings"
	"syscall"
	"testing"
	"time"

	"golang.org/x/sys/unix"
)

// pipeHolds is how many bytes a pipe holds. Writes of up to 4,096 are not divided.
const pipeHolds = 64 << 10

// TestInterruptedTwice holds that a second signal ends a process that cannot end by
// itself: nobody reads what it writes.
func TestInterruptedTwice(t *testing.T) {
	cmd := exec.Command(os.Args[0], "-test.run=^TestReadsStandardInput$")
	cmd.Env = append(os.Environ(), "READS_STANDARD_INPUT=1")
	in, err := cmd.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	diag, err := cmd.StderrPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	defer cmd.Process.Kill()
	go in.Write(unpacked(t, "rxe-cb")) // it does not end
	lines := bufio.NewScanner(diag)
	if !lines.Scan() || lines.Text() != "reading" {
		t.Fatalf("%q", lines.Text())
	}
	for held := 0; held <= pipeHolds-4096; time.Sleep(time.Millisecond) { // until the pipe is full
		if held, err = unix.IoctlGetInt(int(out.(*os.File).Fd()), unix.TIOCINQ); err != nil {
			t.Fatal(err)
		}
	}
	if err := cmd.Process.Signal(syscall.SIGINT); err != nil {
		t.Fatal(err)
	}
	if !lines.Scan() || !strings.Contains(lines.Text(), "interrupted") {
		t.Fatalf("%q", lines.Text())
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
	if status, ok := cmd.ProcessState.Sys().(syscall.WaitStatus); !ok || !status.Signaled() || status.Signal() != syscall.SIGINT {
		t.Errorf("it ended with %v", cmd.ProcessState)
	}
}

// TestReadsStandardInput is what TestInterruptedTwice runs.
func TestReadsStandardInput(t *testing.T) {
	if os.Getenv("READS_STANDARD_INPUT") == "" {
		t.Skip("TestInterruptedTwice runs it")
	}
	os.Stderr.WriteString("reading\n")
	run([]string{"read", "--level", "frame", "-x", "-"}, streams{os.Stdin, os.Stdout, os.Stderr})
}
