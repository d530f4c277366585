package k8s

import (
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
)

// TestScript has a shell carry out what the container does, with another rdmacap that only prints
// what it was asked for: index N is line N + 1, and one without a line ends with status 2.
func TestScript(t *testing.T) {
	shell, err := exec.LookPath("sh")
	if err != nil {
		t.Skip("there is no shell")
	}
	dir := t.TempDir()
	list := filepath.Join(dir, "captures.tsv")
	for path, text := range map[string]string{
		list:                          "nfs7\t/captures/a trace.pcap\nnfs8\t/captures/b.pcap\nno tab\n",
		filepath.Join(dir, "rdmacap"): "#!/bin/sh\nprintf '<%s>' \"$@\"\n",
	} {
		if err := os.WriteFile(path, []byte(text), 0o700); err != nil {
			t.Fatal(err)
		}
	}
	container := job(t).Spec.Template.Spec.Containers[0]
	if len(container.Command) != 2 || container.Command[0] != "sh" || len(container.Args) != 1 {
		t.Fatalf("the container carries out %q %q", container.Command, container.Args)
	}
	for index, want := range map[string]struct {
		out    string
		status int
	}{
		"0": {"<export><parquet><--host><nfs7></captures/a trace.pcap><-o></fleet>", 0},
		"1": {"<export><parquet><--host><nfs8></captures/b.pcap><-o></fleet>", 0},
		"2": {"line 3 of " + list + " is not HOST, a tab and FILE\n", 2},
		"3": {"line 4 of " + list + " is not HOST, a tab and FILE\n", 2},
	} {
		cmd := exec.Command(shell, append(container.Command[1:], container.Args...)...)
		cmd.Env = []string{"PATH=" + dir + ":" + os.Getenv("PATH"), "LIST=" + list, "DIR=/fleet", "JOB_COMPLETION_INDEX=" + index}
		out, err := cmd.CombinedOutput()
		status := 0
		if exit := new(exec.ExitError); errors.As(err, &exit) {
			status = exit.ExitCode()
		} else if err != nil {
			t.Fatal(err)
		}
		if string(out) != want.out || status != want.status {
			t.Errorf("index %s: %q, status %d, want %q, %d", index, out, status, want.out, want.status)
		}
	}
}
