//go:build long

package main

import (
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// tag is what the commit is called in the clones: no real release has this version.
const tag = "v0.999.0"

// TestWhole makes a release of the commit that is checked out, for one processor, and looks at
// what came out. What is not committed has no part in it.
func TestWhole(t *testing.T) {
	if _, err := exec.LookPath("git"); err != nil {
		t.Skip("git is not installed, which clones the commit: ", err)
	}
	look(t)
	dist := released(t, t.TempDir())
	t.Run("Reproducible", func(t *testing.T) { reproducible(t, dist) })
	t.Run("Version", func(t *testing.T) { stamped(t, dist) })
	t.Run("Lintian", func(t *testing.T) { lintian(t, dist) })
	t.Run("RPM", func(t *testing.T) { rpm(t, dist) })
	t.Run("Installed", func(t *testing.T) { installedInChroot(t, dist) })
}

// look looks at all sources. Go takes the result of a test from its cache unless a file has changed
// that the test itself looked at, and what is looked at for it does not count.
func look(t *testing.T) {
	t.Helper()
	err := filepath.WalkDir("../..", func(path string, d fs.DirEntry, err error) error {
		if err == nil && d.IsDir() && (d.Name() == ".git" || d.Name() == "node_modules" || path == "../../dist") {
			return filepath.SkipDir
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
}

// released makes a release in a new clone in a folder, and returns where it is.
func released(t *testing.T, folder string) string {
	t.Helper()
	sources, err := filepath.Abs("../..")
	if err != nil {
		t.Fatal(err)
	}
	clone := filepath.Join(folder, "clone")
	do(t, folder, "git", "clone", "--quiet", "--no-tags", sources, clone)
	do(t, clone, "git", "tag", tag)
	do(t, clone, "go", "run", "./internal/release", "-out", "dist", "-only", "linux-amd64,linux-amd64-static")
	return filepath.Join(clone, "dist")
}

// do runs a command in a folder and returns what it prints.
func do(t *testing.T, folder string, command ...string) string {
	t.Helper()
	c := exec.Command(command[0], command[1:]...)
	c.Dir = folder
	out, err := c.CombinedOutput()
	if err != nil {
		t.Fatalf("%s: %v\n%s", strings.Join(command, " "), err, out)
	}
	return string(out)
}

// reproducible makes the same release again, in a folder with a longer path and at another time,
// and compares what it consists of.
func reproducible(t *testing.T, dist string) {
	longer := filepath.Join(t.TempDir(), "somewhere", "else", "with-a-longer-path")
	if err := os.MkdirAll(longer, 0o755); err != nil {
		t.Fatal(err)
	}
	again := released(t, longer)
	var sums [2]string
	for i, folder := range []string{dist, again} {
		text, err := os.ReadFile(filepath.Join(folder, "SHA256SUMS"))
		if err != nil {
			t.Fatal(err)
		}
		sums[i] = string(text)
		do(t, folder, "sha256sum", "--check", "--strict", "--quiet", "SHA256SUMS")
	}
	if sums[0] != sums[1] {
		t.Errorf("first\n%sthen\n%s", sums[0], sums[1])
	}
	if n := strings.Count(sums[0], "\n"); n != 6 { // two archives, two bills, two packages
		t.Errorf("there are %d files:\n%s", n, sums[0])
	}
}

// stamped holds that archives have a program that says which release it is.
func stamped(t *testing.T, dist string) {
	for _, kind := range []string{"linux-amd64", "linux-amd64-static"} {
		name := "rdmacap-" + strings.TrimPrefix(tag, "v") + "-" + kind
		folder := t.TempDir()
		do(t, folder, "tar", "-xzf", filepath.Join(dist, name+".tar.gz"))
		said := do(t, folder, filepath.Join(folder, name, "rdmacap"), "version")
		if !strings.HasPrefix(said, "rdmacap "+tag+" ") || strings.Contains(said, "with changes") {
			t.Errorf("%s says %q", kind, said)
		}
	}
}

// lintian holds that Debian's checker has no error or warning that is not overridden, and that no
// override is without use.
func lintian(t *testing.T, dist string) {
	if _, err := exec.LookPath("lintian"); err != nil {
		t.Skip("lintian is not installed (Debian: apt install lintian): its opinion is left out")
	}
	out := do(t, dist, "lintian", "--allow-root", "--fail-on", "error,warning", "--display-info", "--tag-display-limit", "0", theOnly(t, dist, "*.deb"))
	for line := range strings.Lines(out) {
		if strings.Contains(line, "override") {
			t.Error(line)
		}
	}
}

// rpm holds that rpm reads its package: digests, and a file of each kind.
func rpm(t *testing.T, dist string) {
	if _, err := exec.LookPath("rpm"); err != nil {
		t.Skip("rpm is not installed (Debian: apt install rpm): its package is not looked at")
	}
	name := theOnly(t, dist, "*.rpm")
	do(t, dist, "rpm", "-K", "--nosignature", name)
	files := strings.Fields(do(t, dist, "rpm", "-qpl", name))
	has := func(path string) bool {
		for _, f := range files {
			if f == path {
				return true
			}
		}
		return false
	}
	for _, path := range []string{"/usr/bin/rdmacap", "/usr/share/man/man1/rdmacap-check.1.gz", "/usr/share/zsh/site-functions/_rdmacap", "/usr/lib/systemd/system/rdmacap-live@.service", "/usr/share/licenses/rdmacap/LICENSE"} {
		if !has(path) {
			t.Errorf("the package has no %s", path)
		}
	}
	if has("/usr/share/zsh/vendor-completions/_rdmacap") || has("/usr/share/lintian/overrides/rdmacap") {
		t.Error("the package has what is Debian's")
	}
	if got := strings.TrimSpace(do(t, dist, "rpm", "-qpc", name)); got != "/etc/default/rdmacap-live-example" {
		t.Errorf("its configuration is %q", got)
	}
}

// theOnly is the only file of a pattern.
func theOnly(t *testing.T, folder, pattern string) string {
	t.Helper()
	found, err := filepath.Glob(filepath.Join(folder, pattern))
	if err != nil || len(found) != 1 {
		t.Fatalf("%s is %v, %v", pattern, found, err)
	}
	return found[0]
}
