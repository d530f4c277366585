package main

import (
	"fmt"
	"net/netip"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/spf13/pflag"

	"github.com/rdmacap/rdmacap/internal/fabric"
	"github.com/rdmacap/rdmacap/internal/replay/transport"
)

// TestReplayFlagsInModes gives each flag that the command has in each of its modes: it works, or
// is refused with a message that says where it would. A flag that is not in this table fails.
func TestReplayFlagsInModes(t *testing.T) {
	t.Parallel()
	own := filepath.Join(t.TempDir(), "own.x")
	if err := os.WriteFile(own, []byte("program OWN { version V { void NOTHING(void) = 0; } = 1; } = 300000;\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	modes := []struct {
		name string
		args []string
	}{
		{"--to", []string{"--to", "192.0.2.1"}},
		{"--to --verbatim", []string{"--to", "192.0.2.1", "--verbatim"}},
		{"--listen", []string{"--listen", ":20049"}},
		{"--listen --verbatim", []string{"--listen", ":20049", "--verbatim"}},
	}
	const all, to, toOnly, listens = "1111", "1100", "1000", "0010"
	flags := map[string]struct {
		args  string // separated by |
		works string // a 1 for each mode in which it does
	}{
		"to": {"", to}, "listen": {"", "0011"}, "verbatim": {"", all}, "help": {"", all},
		"pace": {"--pace|2x", to}, "yes": {"--yes", to}, "max-calls": {"--max-calls|5", toOnly}, "max-registered": {"--max-registered|1MiB", all},
		"reply-timeout": {"--reply-timeout|5s", to}, "max-time": {"--max-time|5m", to},
		"inline-send": {"--inline-send|8192", toOnly}, "inline-receive": {"--inline-receive|8192", toOnly},
		"bind": {"--bind", toOnly}, "export": {"--export|/srv|--bind", toOnly}, "keep-owners": {"--keep-owners|--bind", toOnly},
		"ignore":        {"--ignore|nfs3.fattr3.mode,nfs4.server_owner4.so_major_id", toOnly},
		"honor-credits": {"--honor-credits=false", toOnly}, "oversize": {"--oversize", toOnly},
		"edit":      {"--edit|frame.number > 0 : rdma.credits = 1", toOnly},
		"unmatched": {"--unmatched|stall", listens}, "clients": {"--clients|1", listens}, "max-connections": {"--max-connections|1", listens},
		"dry-run": {"--dry-run", all}, "format": {"--format|json", all}, "memory": {"--memory|64MiB", all},
		"connection": {"--connection|1", all}, "select": {"--select|frame.number > 0", all}, "binding": {"--binding|" + own, all},
		"quiet": {"--quiet", all}, "roce-port": {"--roce-port|4792", all}, "iwarp-port": {"--iwarp-port|20050", all}, "decap": {"--decap|none", all},
		"time-source": {"--time-source|capture", all}, "workers": {"--workers|1", all},
	}
	cmd := newReplay(streams{}, nil)
	cmd.InitDefaultHelpFlag()
	cmd.Flags().VisitAll(func(f *pflag.Flag) {
		flag, known := flags[f.Name]
		if !known {
			t.Errorf("--%s is in no row of this table", f.Name)
			return
		}
		delete(flags, f.Name)
		if flag.args == "" {
			return // it chooses the mode
		}
		file := sample("rxe-cb")
		if f.Name == "export" {
			file = sample("rxe-basic") // NFS 3, of which MOUNT gave the root
		}
		for i, mode := range modes {
			args := append([]string{"replay", file, "--dry-run"}, mode.args...)
			args = append(args, strings.Split(flag.args, "|")...)
			r := rdmacap(args...)
			refused := fmt.Sprintf("--%s cannot be combined with %s: it needs --", f.Name, mode.name)
			switch works := flag.works[i] == '1'; {
			case works && (r.status != exitDone || r.out == ""):
				t.Errorf("%q: status %d, %q", args, r.status, r.err)
			case !works && (r.status != exitUnusable || r.out != "" || !strings.Contains(r.err, refused) || !strings.Contains(r.err, "--help")):
				t.Errorf("%q: status %d, %q, want %q", args, r.status, r.err, refused)
			}
		}
	})
	for name := range flags {
		t.Errorf("there is no flag --%s", name)
	}
}

// TestReplayLimits holds that limits of nothing, and below, are refused, and flags that do
// nothing without another.
func TestReplayLimits(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ args, want string }{
		{"--to|192.0.2.1|--max-calls|0", "--max-calls must be at least 1"},
		{"--to|192.0.2.1|--max-calls|-1", "--max-calls must be at least 1"},
		{"--to|192.0.2.1|--max-registered|0", "--max-registered must be greater than zero"},
		{"--to|192.0.2.1|--max-registered|-1", "--max-registered: "},
		{"--to|192.0.2.1|--memory|0", "--memory must be greater than zero"},
		{"--listen|:20049|--memory|0", "--memory must be greater than zero"},
		{"--to|192.0.2.1|--reply-timeout|0s", "--reply-timeout must be greater than zero"},
		{"--to|192.0.2.1|--reply-timeout|-1s", "--reply-timeout must be greater than zero"},
		{"--to|192.0.2.1|--max-time|0s", "--max-time must be greater than zero"},
		{"--to|192.0.2.1|--verbatim|--max-time|-1s", "--max-time must be greater than zero"},
		{"--to|192.0.2.1|--inline-send|0", "--inline-send: private data can announce"},
		{"--to|192.0.2.1|--inline-receive|-1024", "--inline-receive: private data can announce"},
		{"--to|192.0.2.1|--oversize=0", "--oversize takes a number of bytes"},
		{"--to|192.0.2.1|--oversize=-2", "--oversize takes a number of bytes"},
		{"--to|192.0.2.1|--oversize=2000000000", "--oversize takes a number of bytes"},
		{"--to|192.0.2.1|--pace|0x", "--pace: unknown value"},
		{"--to|192.0.2.1|--pace|-1x", "--pace: unknown value"},
		{"--to|192.0.2.1|--connection|0", "use a number from 1, or all"},
		{"--to|192.0.2.1|--export|/srv", "--export needs --bind"},
		{"--to|192.0.2.1|--keep-owners", "--keep-owners needs --bind"},
		{"--listen|:20049|--clients|0", "--clients must be at least 1"},
		{"--listen|:20049|--max-connections|0", "--max-connections must be at least 1"},
		{"--listen|:20049|--max-registered|0", "--max-registered must be greater than zero"},
		{"--listen|:20049|--clients|-1", "--clients must be at least 1"},
	} {
		r := rdmacap(append([]string{"replay", sample("rxe-cb"), "--dry-run"}, strings.Split(c.args, "|")...)...)
		if r.status != exitUnusable || r.out != "" || !strings.Contains(r.err, c.want) || !strings.Contains(r.err, "--help") {
			t.Errorf("%q: status %d, %q, want %q", c.args, r.status, r.err, c.want)
		}
	}
}

// TestReplayVerbatimMaxTime has a peer that says nothing: the time limit ends the replay.
func TestReplayVerbatimMaxTime(t *testing.T) {
	t.Parallel()
	f := fabric.New(fabric.SoftRoCE())
	l, err := f.Listen(netip.AddrPortFrom(fabric.ServerAddr, 20049))
	if err != nil {
		t.Fatal(err)
	}
	accepted := make(chan transport.Connection, 1)
	go func() {
		defer close(accepted)
		asked, err := l.Next(t.Context())
		if err != nil {
			t.Error(err)
			return
		}
		c, err := asked.Accept(t.Context(), transport.Options{Receives: 64, ReceiveSize: 4096})
		if err != nil {
			t.Error(err)
			return
		}
		accepted <- c
	}()
	r := replays(f, sample("siw-cb"), "--verbatim", "--to", "192.0.2.1", "--yes", "--reply-timeout", "1h", "--max-time", "1s")
	if r.status != exitDiffers || !strings.Contains(r.out, "the replay reached its time limit") {
		t.Fatalf("status %d, %q, %q", r.status, r.out, r.err)
	}
	if c := <-accepted; c != nil {
		if err := c.Close(); err != nil {
			t.Error(err)
		}
	}
	if err := l.Close(); err != nil {
		t.Error(err)
	}
}

// TestReplayVerbatimMaxRegistered holds that the limit for segments holds for verbatim replays.
func TestReplayVerbatimMaxRegistered(t *testing.T) {
	t.Parallel()
	f := fabric.New(fabric.SoftRoCE())
	served := listens(t, f, sample("siw-cb"), "--verbatim")
	r := replays(f, sample("siw-cb"), "--verbatim", "--to", "192.0.2.1", "--pace", "asap", "--yes", "--max-registered", "100")
	if r.status != exitDiffers || !strings.Contains(r.out, "is not registered, the handle stays as captured") {
		t.Fatalf("status %d, %q, %q", r.status, r.out, r.err) // nobody may have connected to what listens
	}
	<-served
}
