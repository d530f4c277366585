package process

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"testing"

	"github.com/rdmacap/rdmacap/report/metrics/exposition"
)

var update = flag.Bool("update", false, "write the goldens of what is printed now")

// TestNames holds the names, kinds and help texts of all that there is on Linux. Whoever
// changes one breaks alerts and dashboards of users.
func TestNames(t *testing.T) {
	list := Append(nil)
	exposition.Sort(list)
	text := regexp.MustCompile(`(?m)^([^#].*) \S+$`).ReplaceAllString(string(exposition.Append(nil, list)), "$1 …")
	text = regexp.MustCompile(`version="[^"]*"`).ReplaceAllString(text, `version="go"`)
	golden := filepath.Join("testdata", "names.prom")
	if *update {
		if err := os.WriteFile(golden, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(golden)
	if err != nil || text != string(want) {
		t.Errorf("%v; the text is not that of %s (-update writes it):\n%s", err, golden, text)
	}
}

// folder writes files as they are in /proc.
func folder(t *testing.T, files map[string]string) string {
	t.Helper()
	dir := t.TempDir()
	for name, text := range files {
		path := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

// stats has what matters set, and a name that looks like other fields.
const stats = "42 (a) R 1 (x) S 1 42 42 34816 42 4194304 4561 0 3 0 250 50 7 8 20 0 9 0 12345 1845686272 7117 18446744073709551615 1 1\n"

// TestProc holds what is read of files with known numbers.
func TestProc(t *testing.T) {
	got := make(map[string]float64)
	for _, f := range appendProc(nil, folder(t, map[string]string{
		"self/stat":        stats,
		"stat":             "cpu  1 2 3\nintr 5 6 7\nbtime 1795770000\nprocesses 8\n",
		"self/net/netstat": "TcpExt: SyncookiesSent InOctets\nTcpExt: 1 2\nIpExt: InNoRoutes InOctets OutOctets InMcastOctets\nIpExt: 3 111 222 4\n",
	})) {
		got[f.Name] = f.Series[0].Value
	}
	delete(got, "process_open_fds") // of a folder that is none of /proc
	want := map[string]float64{
		"process_cpu_seconds_total": 3, "process_virtual_memory_bytes": 1845686272, "process_resident_memory_bytes": 7117 * float64(os.Getpagesize()),
		"process_start_time_seconds": 1795770123.45, "process_network_receive_bytes_total": 111, "process_network_transmit_bytes_total": 222,
	}
	if fmt.Sprint(got) != fmt.Sprint(want) {
		t.Errorf("%v, want %v", got, want)
	}
}

// TestProcLacks holds that nothing is reported of what cannot be read, as a unit with
// ProcSubset=pid cannot read /proc/stat.
func TestProcLacks(t *testing.T) {
	for _, c := range []struct {
		files map[string]string
		want  string
	}{
		{nil, "[]"},
		{map[string]string{"self/stat": stats}, "[process_cpu_seconds_total process_virtual_memory_bytes process_resident_memory_bytes]"},
		{map[string]string{"self/stat": stats, "stat": "cpu 1\nbtime soon\n"}, "[process_cpu_seconds_total process_virtual_memory_bytes process_resident_memory_bytes]"},
		{map[string]string{"self/stat": stats[:60]}, "[]"},
		{map[string]string{"self/stat": ""}, "[]"},
		{map[string]string{"self/stat": "42 (a) R 1 (x) S 1 42 42 34816 42 4194304 4561 0 3 0 many 50 7 8 20 0 9 0 1 1 1 1"}, "[]"},
		{map[string]string{"self/net/netstat": "IpExt: InOctets OutOctets\nIpExt: 1\n"}, "[]"},
		{map[string]string{"self/net/netstat": "IpExt: InOctets OutOctets\n"}, "[]"},
		{map[string]string{"self/net/netstat": "IpExt: InOctets OutOctets\nIpExt: 1 x\n"}, "[]"},
		{map[string]string{"self/net/netstat": "\n\nIpExt:\nIpExt: 7 8\n"}, "[]"},
	} {
		names := []string{}
		for _, f := range appendProc(nil, folder(t, c.files)) {
			if f.Name != "process_open_fds" { // of a folder that is none of /proc
				names = append(names, f.Name)
			}
		}
		if got := fmt.Sprint(names); got != c.want {
			t.Errorf("of %q there is %s, want %s", c.files, got, c.want)
		}
	}
}

// TestOpenFiles holds that files are counted which are opened here, in either way to count.
func TestOpenFiles(t *testing.T) {
	open := func() *os.File {
		f, err := os.Open("/dev/null")
		if err != nil {
			t.Fatal(err)
		}
		return f
	}
	defer open().Close() // whatever the runtime opens with the first
	before := values(t)["process_open_fds"]
	const more = 10
	for range more {
		defer open().Close()
	}
	if got := values(t)["process_open_fds"]; got != before+more {
		t.Errorf("%v files are open, want %v", got, before+more)
	}
	dir := folder(t, map[string]string{"fd/0": "", "fd/1": "", "fd/2": ""})
	if n, ok := counted(filepath.Join(dir, "fd")); !ok || n != 3 {
		t.Errorf("%d files are counted, %v", n, ok)
	}
	if n, ok := openFiles(filepath.Join(dir, "nothing")); ok {
		t.Errorf("%d files are open of a process that is not there", n)
	}
}
