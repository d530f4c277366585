//go:build linux

package fleet

import (
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/rdmacap/rdmacap/internal/duckdb"
	"github.com/rdmacap/rdmacap/internal/long"
)

// TestTasks exports many captures one by one, and by what docs/fleet.md distributes them with: the
// files and the rows in them are the same. The last line of the list names a capture that there is
// not, which what the manual says must find.
func TestTasks(t *testing.T) {
	if !long.Tests {
		t.Skip("it builds the program and runs it some hundred times: make long does, or go test -tags long -timeout 40m ./internal/fleet")
	}
	const n = 200
	dir := t.TempDir()
	if out, err := exec.Command("go", "build", "-o", filepath.Join(dir, "bin", "rdmacap"), "../../cmd/rdmacap").CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	env := []string{"PATH=" + filepath.Join(dir, "bin") + ":" + os.Getenv("PATH")}
	list := captures(t, filepath.Join(dir, "captures"), n) + "nfs9\t/nonesuch.pcap\n"
	by := func(name string) shell {
		s := shell{filepath.Join(dir, name), env}
		if err := os.Mkdir(s.dir, 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(s.dir, "captures.tsv"), []byte(list), 0o600); err != nil {
			t.Fatal(err)
		}
		return s
	}
	const loop = `while IFS=$'\t' read -r host file; do rdmacap export parquet -q --host "$host" "$file" -o fleet || echo "status $?"; done <captures.tsv`
	out, _ := by("loop").run(t, loop)
	if !strings.HasSuffix(out, "\nstatus 2\n") || strings.Count(out, "\n") != 2 {
		t.Fatalf("of %d captures and one that is not there, the loop says %q", n, out)
	}
	t.Run("parallel", func(t *testing.T) {
		need(t, "parallel", "parallel")
		s := by("parallel")
		if out, status := s.run(t, documented(t, "parallel")); status != 1 {
			t.Fatalf("status %d: %s", status, out)
		}
		failed, _ := s.run(t, documented(t, "parallel-failed"))
		if !strings.HasPrefix(failed, fmt.Sprintf("%d 2 0 rdmacap export ", n+1)) || strings.Count(failed, "\n") != 1 {
			t.Errorf("these failed: %s", failed)
		}
		compare(t, dir, n, "parallel")
	})
	t.Run("slurm", func(t *testing.T) {
		s := by("slurm")
		s.env = append(append(s.env, slurm(t)...), "SBATCH_WAIT=1") // wait, and end with the highest status
		script, err := os.ReadFile(filepath.Join(manual, "examples", "fleet", "export.sbatch"))
		if err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(s.dir, "export.sbatch"), script, 0o700); err != nil {
			t.Fatal(err)
		}
		if out, status := s.run(t, documented(t, "slurm")); status != 2 {
			t.Fatalf("status %d: %s", status, out)
		}
		failed, _ := s.run(t, documented(t, "slurm-failed"))
		if !strings.HasSuffix(failed, fmt.Sprintf("_%d.log\n", n+1)) || strings.Count(failed, "\n") != 1 {
			t.Errorf("these failed: %s", failed)
		}
		compare(t, dir, n, "slurm")
		before := filesOf(t, s.dir)
		if out, status := s.run(t, "sbatch --array=7,17 export.sbatch captures.tsv fleet"); status != 0 {
			t.Fatalf("status %d: %s", status, out)
		}
		after := filesOf(t, s.dir)
		other := 0
		for name, file := range after {
			if before[name] == nil || !os.SameFile(before[name], file) {
				other++
			}
		}
		if len(after) != len(before) || other != 2*len(datasets()) {
			t.Errorf("two tasks were repeated: of %d files there are %d, of which %d are others", len(before), len(after), other)
		}
		compare(t, dir, n, "slurm")
	})
}

func datasets() []string { return []string{"rpcs", "messages", "findings", "connections"} }

// filesOf are the files of datasets below a folder, by their names there.
func filesOf(t *testing.T, dir string) map[string]fs.FileInfo {
	t.Helper()
	files := make(map[string]fs.FileInfo)
	root := os.DirFS(filepath.Join(dir, "fleet"))
	err := fs.WalkDir(root, ".", func(path string, d fs.DirEntry, err error) error {
		if err == nil && !d.IsDir() {
			files[path], err = d.Info()
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return files
}

// compare holds what a task per capture wrote against what the loop wrote.
func compare(t *testing.T, dir string, captures int, tasks string) {
	t.Helper()
	want, got := names(filesOf(t, filepath.Join(dir, "loop"))), names(filesOf(t, filepath.Join(dir, tasks)))
	if !slices.Equal(got, want) || len(want) != captures*len(datasets()) {
		t.Fatalf("the loop wrote %d files, %s %d: %q", len(want), tasks, len(got), got)
	}
	var sql []string
	for _, d := range datasets() {
		ours, theirs := fmt.Sprintf("FROM 'loop/fleet/%s/*/*/*.parquet'", d), fmt.Sprintf("FROM '%s/fleet/%s/*/*/*.parquet'", tasks, d)
		sql = append(sql, fmt.Sprintf(`SELECT '%s' AS dataset, (SELECT count(*) > 0 AND count(DISTINCT capture) = %d %s) AS whole,
			(SELECT count(*) %[3]s) = (SELECT count(*) %[4]s) AS as_many,
			(SELECT count(*) FROM (SELECT * %[3]s EXCEPT ALL SELECT * %[4]s)) AS missing,
			(SELECT count(*) FROM (SELECT * %[4]s EXCEPT ALL SELECT * %[3]s)) AS more`, d, captures, ours, theirs))
	}
	for i, rows := range duckdb.Query(t, dir, sql...) {
		if r := fmt.Sprint(rows); len(rows) != 1 || r != fmt.Sprintf("[map[as_many:true dataset:%s missing:0 more:0 whole:true]]", datasets()[i]) {
			t.Errorf("%s: %s", tasks, r)
		}
	}
}

func names(files map[string]fs.FileInfo) (list []string) {
	for name := range files {
		list = append(list, name)
	}
	slices.Sort(list)
	return list
}
