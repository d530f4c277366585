package repository

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"strings"
	"testing"
)

// command is a line of a form with a command of rdmacap.
var command = regexp.MustCompile(`(?m)^ *rdmacap (.*)$`)

// TestCommandsOfForms carries out the commands in the forms, in their order, on a sample: a flag that is not there, or an
// XID that the sample lacks, fails.
func TestCommandsOfForms(t *testing.T) {
	t.Parallel()
	folder := t.TempDir()
	program := filepath.Join(folder, "rdmacap")
	if runtime.GOOS == "windows" {
		program += ".exe"
	}
	if out, err := exec.Command("go", "build", "-o", program, root+"/cmd/rdmacap").CombinedOutput(); err != nil {
		t.Fatalf("go build: %v\n%s", err, out)
	}
	sample := read(t, filepath.Join(root, "samples", "rxe-basic.pcap.zst"))
	if err := os.WriteFile(filepath.Join(folder, "trace.pcap"), sample, 0o644); err != nil {
		t.Fatal(err)
	}
	for _, path := range forms(t) {
		lines := command.FindAllStringSubmatch(string(read(t, path)), -1)
		if len(lines) == 0 || !strings.HasPrefix(lines[0][1], "cut ") || !strings.Contains(lines[0][1], " --anonymize ") {
			t.Errorf("%s does not say first how to cut and anonymize a capture", filepath.Base(path))
		}
		for _, line := range lines {
			run := exec.Command(program, words(line[1])...)
			run.Dir = folder
			if out, err := run.CombinedOutput(); err != nil {
				t.Errorf("%s: rdmacap %s: %v\n%s", filepath.Base(path), line[1], err, out)
			}
		}
	}
}

// words are the arguments in a line of a shell that quotes only by '.
func words(line string) (list []string) {
	for _, w := range regexp.MustCompile(`'[^']*'|\S+`).FindAllString(line, -1) {
		list = append(list, strings.Trim(w, "'"))
	}
	return list
}
