package api

import (
	"encoding/json"
	"errors"
	"io"
	"os"
	"os/exec"
	"strings"
	"testing"
)

// A listed is what go list says of a package.
type listed struct {
	ImportPath, Name, Dir string
	// GoFiles are the names of its files without tests.
	GoFiles []string
	// Export is the file of its exported API as compiled, with -export.
	Export string
}

// goList lists packages as they are on Linux on amd64, whatever this machine is: files differ
// elsewhere, and testdata is of that one.
func goList(t *testing.T, args ...string) (list []listed) {
	t.Helper()
	args = append([]string{"list", "-json=ImportPath,Name,Dir,GoFiles,Export"}, args...)
	cmd := exec.Command("go", args...)
	cmd.Env = append(os.Environ(), "GOOS=linux", "GOARCH=amd64")
	cmd.Stderr = os.Stderr
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("go %s: %v", strings.Join(args, " "), err)
	}
	for dec := json.NewDecoder(strings.NewReader(string(out))); ; {
		var p listed
		if err := dec.Decode(&p); errors.Is(err, io.EOF) {
			return list
		} else if err != nil {
			t.Fatal(err)
		}
		list = append(list, p)
	}
}

// importPaths are the import paths of packages of the module.
func importPaths(names []string) (paths []string) {
	for _, name := range names {
		paths = append(paths, module+"/"+name)
	}
	return paths
}
