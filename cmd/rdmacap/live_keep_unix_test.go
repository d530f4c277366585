//go:build unix

package main

import (
	"os"
	"os/exec"
	"strings"
	"testing"
)

// TestLiveReaderGone: when nobody reads the output any more, what was captured so far is in a
// whole file.
func TestLiveReaderGone(t *testing.T) {
	dir := t.TempDir()
	cmd := exec.Command(os.Args[0], "-test.run=^TestLiveForAPipe$")
	cmd.Env = append(os.Environ(), "LIVE_FOR_A_PIPE="+dir)
	out, in, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	out.Close()
	cmd.Stdout = in
	var diag strings.Builder
	cmd.Stderr = &diag
	if err := cmd.Run(); err == nil || cmd.ProcessState.ExitCode() != 7 {
		t.Errorf("%v: %s", err, diag.String())
	}
	in.Close()
	files := keptFiles(t, dir, "*")
	if len(files) != 1 || !strings.HasSuffix(files[0], "Z.pcapng") {
		t.Fatalf("%q", files)
	}
	must(t, "read", files[0])
}

// TestLiveForAPipe is what TestLiveReaderGone runs.
func TestLiveForAPipe(t *testing.T) {
	dir := os.Getenv("LIVE_FOR_A_PIPE")
	if dir == "" {
		t.Skip("TestLiveReaderGone runs it")
	}
	if status := runProcess([]string{"live", "-r", sample("rxe-acl"), "--write", dir}); status == exitDone {
		os.Exit(7) // and not by a signal
	}
}
