package repository

import (
	"bytes"
	"io/fs"
	"path/filepath"
	"regexp"
	"testing"
)

// alone matches files that are copied without the rest: scripts, the unit, alerts, jobs, assembly.
var alone = regexp.MustCompile(`(\.sh|\.service|\.s|^\.ci/[a-z]+|^lab/run|^lab/guest/init|^docs/monitoring/.*\.yml|^docs/examples/fleet/|^\.github/workflows/.*\.yml)$`)

// TestLicenceOfFilesCopiedAlone holds that these name their licence where a tool looks for it.
func TestLicenceOfFilesCopiedAlone(t *testing.T) {
	t.Parallel()
	found := 0
	err := filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if d.IsDir() {
			if n := d.Name(); n == ".git" || n == "node_modules" || n == "samples" || n == "dist" {
				return fs.SkipDir
			}
			return nil
		}
		name, err := filepath.Rel(root, path)
		if err != nil || !alone.MatchString(filepath.ToSlash(name)) {
			return err
		}
		found++
		lines := bytes.SplitN(read(t, path), []byte("\n"), 4)
		if !bytes.Contains(bytes.Join(lines[:min(3, len(lines))], []byte("\n")), []byte("SPDX-License-Identifier: Apache-2.0")) {
			t.Errorf("the first lines of %s do not have SPDX-License-Identifier: Apache-2.0", name)
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	if found < 15 {
		t.Errorf("only %d files were found: are they elsewhere now?", found)
	}
}
