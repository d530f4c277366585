//go:build linux && (amd64 || arm64) && !noverbs

package verbs_test

import (
	"bytes"
	"errors"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/ebitengine/purego"

	"github.com/rdmacap/rdmacap/capture"
	"github.com/rdmacap/rdmacap/capture/link"
	"github.com/rdmacap/rdmacap/capture/sniffer"
	"github.com/rdmacap/rdmacap/internal/replay/verbs"
)

// A fake is testdata/fake.c: a library with a device of its own, which refuses what does
// not fit the headers that it was built with.
type fake struct {
	path             string
	set, alive, sent uintptr
}

// setting is how the fake behaves: which call fails, how; how many frames come, how many of
// them at once at most; what the port and the context say.
type setting struct {
	fail                 string
	err                  syscall.Errno
	frames, burst        int
	infiniband, down     bool
	withoutVerbsContexts bool
}

func newFake(t *testing.T) *fake {
	t.Helper()
	f := new(fake)
	f.path = buildLibrary(t, "fake.c", map[string]*uintptr{"fake_set": &f.set, "fake_alive": &f.alive, "fake_sent": &f.sent})
	return f
}

// libraries is the folder of those that were built, each once for all tests.
var libraries string

func TestMain(m *testing.M) {
	var err error
	if libraries, err = os.MkdirTemp("", "verbs"); err != nil {
		panic(err)
	}
	status := m.Run()
	os.RemoveAll(libraries)
	os.Exit(status)
}

// buildLibrary builds a library of testdata with the installed headers, and returns its path.
func buildLibrary(t *testing.T, source string, functions map[string]*uintptr) string {
	t.Helper()
	for _, header := range []string{"infiniband/verbs.h", "rdma/rdma_cma.h"} {
		if _, err := os.Stat("/usr/include/" + header); err != nil {
			t.Skipf("the header %s is not installed (libibverbs-dev, librdmacm-dev)", header)
		}
	}
	gcc, err := exec.LookPath("gcc")
	if err != nil {
		t.Skip("there is no gcc to build a library with")
	}
	path := filepath.Join(libraries, source+".so")
	if _, err := os.Stat(path); err == nil {
		// an earlier test has built it
	} else if out, err := exec.Command(gcc, "-shared", "-fPIC", "-Wall", "-Werror", "-o", path, filepath.Join("testdata", source)).CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	handle, err := purego.Dlopen(path, purego.RTLD_NOW)
	if err != nil {
		t.Fatal(err)
	}
	for name, at := range functions {
		if *at, err = purego.Dlsym(handle, name); err != nil {
			t.Fatal(err)
		}
	}
	return path
}

func (f *fake) open(s setting, slots int) (sniffer.Port, error) {
	var set func(fail string, err, frames, burst, link, state, compat int)
	purego.RegisterFunc(&set, f.set)
	choose := func(first bool, a, b int) int {
		if first {
			return a
		}
		return b
	}
	set(s.fail, int(s.err), s.frames, s.burst, choose(s.infiniband, 1, 2), choose(s.down, 1, 4), choose(s.withoutVerbsContexts, 0, 1))
	return verbs.OpenSniffer(f.path, "fake0", 1, slots*10<<10)
}

func (f *fake) count(of uintptr) int {
	n, _, _ := purego.SyscallN(of)
	return int(n)
}

// TestSniffer holds that every frame that the device gives comes, whole and in order, and
// that all that was made is given back.
func TestSniffer(t *testing.T) {
	f := newFake(t)
	for _, c := range []struct {
		name          string
		frames, burst int
		slots         int
		infiniband    bool
		starves       bool
	}{
		{"one role at a time", 300, 1, 64, false, false},
		{"in bursts", 5000, 7, 64, false, false},
		{"more than the device takes", 500, 16, 1 << 20, false, false},
		{"as many as there are slots", 500, 64, 8, true, true},
	} {
		t.Run(c.name, func(t *testing.T) {
			port, err := f.open(setting{frames: c.frames, burst: c.burst, infiniband: c.infiniband}, c.slots)
			if err != nil {
				t.Fatal(err)
			}
			source := sniffer.New(port)
			want := link.TypeEthernet
			if c.infiniband {
				want = link.TypeInfiniBand
			}
			marked, last := 0, int64(0)
			for i := range c.frames {
				var x capture.Frame
				if err := source.Next(&x); err != nil {
					t.Fatalf("frame %d: %v", i+1, err)
				}
				if length := 64 + i%1000; x.Number != int64(i+1) || x.Link != want || x.Time < last || int(x.Length) != length ||
					!bytes.Equal(x.Data, bytes.Repeat([]byte{byte(i)}, length)) {
					t.Fatalf("frame %d: number %d, link %d, %d bytes of %d at %d", i+1, x.Number, x.Link, len(x.Data), x.Length, x.Time)
				}
				last = x.Time
				if x.Dropped() {
					marked++
				}
			}
			source.Stop()
			if err := source.Next(new(capture.Frame)); err != io.EOF {
				t.Errorf("after Stop: %v", err)
			}
			if (marked > 0) != c.starves || (source.Starved() > 0) != c.starves {
				t.Errorf("%d frames behind a loss, no slot left %d times", marked, source.Starved())
			}
			if err := source.Close(); err != nil {
				t.Errorf("Close: %v", err)
			}
			if n := f.count(f.alive); n != 0 {
				t.Errorf("%d things were not given back", n)
			}
		})
	}
}

// TestSnifferStopped holds that what waits for frames does not when it is stopped.
func TestSnifferStopped(t *testing.T) {
	port, err := newFake(t).open(setting{}, 8)
	if err != nil {
		t.Fatal(err)
	}
	source := sniffer.New(port)
	ended := make(chan error)
	go func() { ended <- source.Next(new(capture.Frame)) }()
	source.Stop()
	if err := <-ended; err != io.EOF {
		t.Error(err)
	}
	if err := source.Close(); err != nil {
		t.Error(err)
	}
}

// TestSnifferRefused holds what is reported of each way in which there is no sniffer, and
// that nothing is left behind.
func TestSnifferRefused(t *testing.T) {
	f := newFake(t)
	for _, c := range []struct {
		setting
		want string
	}{
		{setting{fail: "get_device_list", err: syscall.ENOSYS}, "no RDMA support"},
		{setting{fail: "no_device"}, "libibverbs knows no device"},
		{setting{fail: "open_device", err: syscall.ENOENT}, "/dev/infiniband/uverbs77"},
		{setting{down: true}, "port 1: is not active"},
		{setting{fail: "create_qp", err: syscall.EPERM}, "CAP_NET_RAW"},
		{setting{fail: "create_qp", err: syscall.EOPNOTSUPP}, "has no raw packet queue pairs"},
		{setting{fail: "modify_qp", err: syscall.EPERM}, "CAP_NET_RAW"},
		{setting{fail: "reg_mr", err: syscall.ENOMEM}, "ulimit -l"},
		{setting{fail: "create_flow", err: syscall.EPERM}, "CAP_NET_RAW"},
		{setting{fail: "create_flow", err: syscall.EOPNOTSUPP}, "has no sniffer"},
		{setting{withoutVerbsContexts: true}, "has no sniffer"},
		{setting{fail: "post_recv", err: syscall.ENOMEM}, "takes no receive"},
	} {
		port, err := f.open(c.setting, 8)
		if err == nil {
			port.Close()
			t.Errorf("%+v: it opened", c.setting)
			continue
		}
		if !strings.HasPrefix(err.Error(), "fake0: ") || !strings.Contains(err.Error(), c.want) || strings.Contains(err.Error(), "\n") {
			t.Errorf("%+v: %v, want it to say %q", c.setting, err, c.want)
		}
		if n := f.count(f.alive); n != 0 {
			t.Errorf("%+v: %d things were not given back", c.setting, n)
		}
	}
}

// TestSnifferFails holds what is reported where the device fails later.
func TestSnifferFails(t *testing.T) {
	f := newFake(t)
	for _, fail := range []string{"poll_cq", "completion"} {
		port, err := f.open(setting{fail: fail, frames: 5, burst: 2}, 8)
		if err != nil {
			t.Fatal(err)
		}
		if err := sniffer.New(port).Next(new(capture.Frame)); err == nil || errors.Is(err, io.EOF) {
			t.Errorf("%s fails: %v", fail, err)
		}
		if err := port.Close(); err != nil {
			t.Error(err)
		}
	}
}

// TestNoLibrary holds what is reported where there is no libibverbs.
func TestNoLibrary(t *testing.T) {
	if _, err := verbs.OpenSniffer("libthereisnone.so.1", "fake0", 1, 1<<20); err == nil || !strings.Contains(err.Error(), "libibverbs1") {
		t.Error(err)
	}
}
