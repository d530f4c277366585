package main

import (
	"bytes"
	"context"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/rdmacap/rdmacap/internal/fabric"
	"github.com/rdmacap/rdmacap/internal/replay/responder"
	"github.com/rdmacap/rdmacap/internal/replay/transport"
	"github.com/rdmacap/rdmacap/internal/replay/verbatim"
)

// replays runs a replay on a fabric.
func replays(f *fabric.Fabric, args ...string) result {
	var out, err bytes.Buffer
	s := streams{in: strings.NewReader(""), out: &out, err: &err}
	status := execute(context.Background(), newReplay(s, f), args, s)
	return result{out.String(), err.String(), status}
}

// listens runs one that listens, and returns what becomes of it when it listens.
func listens(t *testing.T, f *fabric.Fabric, args ...string) <-chan result {
	t.Helper()
	ended := make(chan result, 1)
	go func() { ended <- replays(f, append(args, "--listen", "192.0.2.1")...) }()
	for begin := time.Now(); f.Left() == 0; time.Sleep(time.Millisecond) {
		if time.Since(begin) > 20*time.Second {
			t.Fatal("it does not listen")
		}
	}
	return ended
}

// TestReplayBothRoles has one rdmacap replay the client of a capture and another its server:
// as live ones, and verbatim.
func TestReplayBothRoles(t *testing.T) {
	t.Parallel()
	for _, d := range []transport.Device{fabric.SoftRoCE(), fabric.SoftIWARP()} {
		for _, verbatim := range []bool{false, true} {
			f := fabric.New(d)
			args := []string{sample("siw-cb"), "--format", "ndjson"}
			more := []string{"--clients", "1"}
			want := `{"type":"replay_served","connections":1,"refused_connections":0,"idle_connections":0,"over_limit":0,"captured":58,"unused":0,"calls":58,"again":0,"own":0,"other_data":0,"adapted":0,"no_room":0,"reads":0,"writes":16,`
			if verbatim {
				args = append(args, "--verbatim")
				more, want = nil, `{"type":"replay_verbatim","side":"server","sent":62,"received":62,"moved":16,"other":0}`
			}
			served := listens(t, f, append(args, more...)...)
			if r := replays(f, append(args, "--to", "192.0.2.1", "--pace", "asap", "--yes")...); r.status != exitDone || r.err != "" {
				t.Errorf("%s: verbatim %v: --to: status %d, %q", d.Name, verbatim, r.status, r.err)
			}
			if r := <-served; r.status != exitDone || !strings.HasPrefix(r.out, want) {
				t.Errorf("%s: verbatim %v: --listen: status %d, %q\n%s", d.Name, verbatim, r.status, r.err, r.out)
			}
			if f.Left() != 0 {
				t.Errorf("%d connections and listeners are left", f.Left())
			}
		}
	}
}

// TestReplayListenUnmatched holds that calls that match none are listed, and the exit status.
func TestReplayListenUnmatched(t *testing.T) {
	t.Parallel()
	f := fabric.New(fabric.SoftRoCE())
	served := listens(t, f, sample("rxe-cb"), "--select", "nfs.op == GETATTR", "--clients", "1")
	replays(f, sample("rxe-cb"), "--to", "192.0.2.1", "--pace", "asap", "--yes")
	if r := <-served; r.status != exitDiffers || !strings.Contains(r.out, "match none: ") || !strings.Contains(r.err, "is served at 192.0.2.1:20049") {
		t.Errorf("status %d, %q\n%s", r.status, r.err, r.out)
	}
}

// TestReplayListenDryRun holds what a server says that it would do.
func TestReplayListenDryRun(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name string
		args []string
	}{
		{"replay-listen-dry-run-rxe-loss.txt", []string{sample("rxe-loss"), "--listen", ":20049"}},
		{"replay-listen-dry-run-format-ndjson-siw-cb.txt", []string{sample("siw-cb"), "--listen", "[2001:db8::1]:9", "--format", "ndjson"}},
		{"replay-verbatim-dry-run-version2-roce.txt", []string{sample("version2-roce"), "--listen", "192.0.2.1", "--verbatim"}},
		{"replay-verbatim-dry-run-format-ndjson-rxe-krb.txt", []string{sample("rxe-krb"), "--to", "192.0.2.1", "--verbatim", "--format", "ndjson"}},
	} {
		r := rdmacap(append([]string{"replay", "--dry-run"}, c.args...)...)
		if r.status != exitDone {
			t.Errorf("%s: status %d, %s", c.name, r.status, r.err)
		}
		golden(t, c.name, r.out)
	}
}

// TestReplayListenRefused holds what is reported where nothing is served.
func TestReplayListenRefused(t *testing.T) {
	t.Parallel()
	basic := sample("rxe-basic")
	for _, c := range []struct {
		args []string
		want string
	}{
		{[]string{basic, "--listen", "here"}, `--listen: "here" is not an address and port`},
		{[]string{basic, "--listen", ":20049", "--unmatched", "shout"}, `--unmatched: unknown value "shout": use error, stall or disconnect`},
		{[]string{sample("rxe-cb"), "--listen", ":20049", "--memory", "600k"}, "a connection needs 790528 bytes of memory for Receives and Sends, and the limit leaves "},
		{[]string{basic, "--listen", ":20049", "--clients", "-1"}, "--clients must be at least 1"},
		{[]string{basic, "--listen", ":20049", "--to", "192.0.2.1"}, "--to and --listen cannot be combined"},
		{[]string{basic, "--to", "192.0.2.1", "--verbatim"}, "if 192.0.2.1 is a server and not another rdmacap, the replay would, or may, change files there"},
		{[]string{sample("rxe-krb"), "--listen", ":20049"}, "the call uses RPCSEC_GSS"},
	} {
		if r := rdmacap(append([]string{"replay"}, c.args...)...); r.status != exitUnusable || r.out != "" || !strings.Contains(r.err, c.want) {
			t.Errorf("replay %q: status %d, %q, standard error\n%q, want\n%q", c.args, r.status, r.out, r.err, c.want)
		}
	}
}

// TestReplayListenDocumented holds that docs/json.md names every member of the records.
func TestReplayListenDocumented(t *testing.T) {
	t.Parallel()
	doc, err := os.ReadFile(filepath.Join("..", "..", "docs", "json.md"))
	if err != nil {
		t.Fatal(err)
	}
	for _, record := range []any{responder.Plan{}, responder.Report{}, responder.NamedCount{}, verbatim.Plan{}, verbatim.Result{}} {
		for of, i := reflect.TypeOf(record), 0; i < of.NumField(); i++ {
			name, _, _ := strings.Cut(of.Field(i).Tag.Get("json"), ",")
			if name != "-" && of.Field(i).IsExported() && !strings.Contains(string(doc), "`"+name+"`") {
				t.Errorf("docs/json.md does not name %q of %v", name, of)
			}
		}
	}
}
