//go:build linux && (amd64 || arm64) && !noverbs

package verbs_test

import (
	"bytes"
	"context"
	"errors"
	"net/netip"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/rdmacap/rdmacap/internal/replay/transport"
	"github.com/rdmacap/rdmacap/internal/replay/verbs"
)

// TestDialRefused holds what is reported of each way in which there is no connection, in one line,
// and that nothing is left.
func TestDialRefused(t *testing.T) {
	f := newFabric(t)
	for _, c := range []struct {
		behavior
		want string
	}{
		{behavior{fail: "create_event_channel", err: syscall.ENODEV}, "though libibverbs does"},
		{behavior{fail: "no_device"}, "libibverbs knows no device"},
		{behavior{fail: "no_support"}, "modprobe"},
		{behavior{fail: "create_event_channel", err: syscall.ENOENT}, "/dev/infiniband/rdma_cm"},
		{behavior{fail: "create_id", err: syscall.ENOMEM}, "cannot create an identifier"},
		{behavior{fail: "resolve_addr", err: syscall.ENETUNREACH}, "no route to it"},
		{behavior{fail: "resolve_addr", err: syscall.ENODEV}, "without RDMA"},
		{behavior{fail: "address_error", err: syscall.ETIMEDOUT}, "is the host up"},
		{behavior{fail: "no_address_event"}, "no answer"},
		{behavior{fail: "resolve_route", err: syscall.EINVAL}, "the route to it"},
		{behavior{fail: "route_error", err: syscall.EINVAL}, "subnet manager"},
		{behavior{fail: "old_context"}, "does not have the layout"},
		{behavior{fail: "query_device", err: syscall.EIO}, "fake0: cannot be asked"},
		{behavior{fail: "alloc_pd", err: syscall.ENOMEM}, "no protection domain"},
		{behavior{fail: "create_comp_channel", err: syscall.ENOMEM}, "no completion channel"},
		{behavior{fail: "create_cq", err: syscall.ENOMEM}, "no completion queue"},
		{behavior{fail: "create_qp", err: syscall.ENOMEM}, "no queue pair"},
		{behavior{fail: "reg_mr", err: syscall.ENOMEM}, "ulimit -l"},
		{behavior{fail: "post_recv", err: syscall.ENOMEM}, "a Receive is not taken"},
		{behavior{fail: "connect", err: syscall.EINVAL}, "cannot be connected to"},
		{behavior{fail: "connect", err: syscall.EADDRINUSE}, "the port to connect from is in use"},
		{behavior{fail: "unreachable", err: syscall.ETIMEDOUT}, "does the host have RDMA"},
		{behavior{fail: "no_answer"}, "no answer within 50ms"},
		{behavior{}, "nothing listens on that port"},
		{behavior{iwarp: true}, "nothing listens on that port"},
	} {
		t.Run(c.fail, func(t *testing.T) {
			conn, err := f.behave(t, c.behavior).Dial(patience(t), here, transport.Options{Limit: brief})
			if err == nil {
				conn.Close()
				t.Fatal("it connected")
			}
			if !strings.HasPrefix(err.Error(), here.String()+": ") || !strings.Contains(err.Error(), c.want) || strings.Contains(err.Error(), "\n") {
				t.Errorf("%v, want it to say %q", err, c.want)
			}
			if r := (*transport.Rejected)(nil); c.fail == "" && (!errors.As(err, &r) || r.Status == 0) {
				t.Errorf("%v is not a Rejected with a status", err)
			}
		})
	}
}

// TestOptionsRefused holds what is reported of options that cannot be.
func TestOptionsRefused(t *testing.T) {
	f := newFabric(t)
	for want, o := range map[string]transport.Options{
		"57 bytes of private data":                   {PrivateData: make([]byte, 57)},
		"take 256 Receives":                          {Receives: 257},
		"take 256 Receives or Sends":                 {Work: 300},
		"room for at least one Receive and":          {Receives: -1},
		"room for at least one Receive and one Send": {SendSize: -1},
	} {
		if _, err := f.behave(t, likeRXE).Dial(patience(t), here, o); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v, want it to say %q", err, want)
		}
	}
}

// TestPortInUse holds that another port is tried where TCP has the one that the kernel chose.
func TestPortInUse(t *testing.T) {
	p := newFabric(t).behave(t, behavior{fail: "connect_twice", err: syscall.EADDRINUSE, iwarp: true})
	c, s := connect(t, p, here, transport.Options{}, transport.Options{})
	greet(t, c, s)
}

// TestSilentHost holds that connecting ends in time where the call does not, and that all
// is given back when it has.
func TestSilentHost(t *testing.T) {
	f := newFabric(t)
	begin := time.Now()
	_, err := f.behave(t, behavior{fail: "connect_waits", iwarp: true}).Dial(patience(t), here, transport.Options{Limit: brief})
	if err == nil || !strings.Contains(err.Error(), "no answer within 50ms") {
		t.Error(err)
	}
	if f.left() == 0 && time.Since(begin) < 300*time.Millisecond {
		t.Error("what the call uses was given back while it ran")
	}
}

// TestDialCanceled holds that connecting ends with the context.
func TestDialCanceled(t *testing.T) {
	ctx, cancel := context.WithTimeout(context.Background(), brief)
	defer cancel()
	if _, err := newFabric(t).behave(t, behavior{fail: "no_answer"}).Dial(ctx, here, transport.Options{}); !errors.Is(err, context.DeadlineExceeded) {
		t.Error(err)
	}
}

// TestReject holds that who is rejected knows by whom, with the data that came.
func TestReject(t *testing.T) { onBoth(t, reject) }

func reject(t *testing.T, p transport.Provider, to netip.AddrPort) {
	l, err := p.Listen(to)
	must(t, err)
	defer closed(t, l)
	dialed := make(chan error, 1)
	go func() {
		_, err := p.Dial(patience(t), to, transport.Options{PrivateData: []byte("let me in")})
		dialed <- err
	}()
	r, err := l.Next(patience(t))
	must(t, err)
	if !bytes.HasPrefix(r.PrivateData(), []byte("let me in")) || !r.Peer().IsValid() {
		t.Errorf("%q of %v on %v", r.PrivateData(), r.Peer(), r.Device())
	}
	must(t, r.Reject([]byte("no")))
	rejected := (*transport.Rejected)(nil)
	if err := <-dialed; !errors.As(err, &rejected) || strings.TrimRight(string(rejected.PrivateData), "\x00") != "no" || !strings.Contains(err.Error(), "refused") {
		t.Errorf("%v, with %q", err, rejected.PrivateData)
	}
	if _, err := r.Accept(patience(t), transport.Options{}); err == nil {
		t.Error("it could be answered twice")
	}
}

// TestListen holds what is reported where one cannot listen, and how listening ends.
func TestListen(t *testing.T) {
	f := newFabric(t)
	for _, c := range []struct {
		behavior
		want string
	}{
		{behavior{fail: "bind_addr", err: syscall.EACCES}, "CAP_NET_BIND_SERVICE"},
		{behavior{fail: "bind_addr", err: syscall.ENODEV}, "no RDMA device of this machine"},
		{behavior{fail: "listen", err: syscall.EADDRINUSE}, "another program"},
	} {
		if _, err := f.behave(t, c.behavior).Listen(here); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%v, want it to say %q", err, c.want)
		}
	}
	l, err := f.behave(t, likeRXE).Listen(netip.AddrPortFrom(netip.IPv4Unspecified(), 0))
	must(t, err)
	if l.Addr().Port() == 0 {
		t.Error("there is no port")
	}
	ctx, cancel := context.WithTimeout(context.Background(), time.Millisecond)
	defer cancel()
	if _, err := l.Next(ctx); !errors.Is(err, context.DeadlineExceeded) {
		t.Error(err)
	}
	told := make(chan error, 1)
	go func() { told <- second(l.Next(context.Background())) }()
	time.Sleep(time.Millisecond) // mostly, it waits
	closed(t, l)
	if err := <-told; !errors.Is(err, transport.ErrClosed) {
		t.Error(err)
	}
}

// TestPeerGivesUp holds that a request whose peer is gone cannot be accepted, and leaves nothing.
func TestPeerGivesUp(t *testing.T) {
	p := newFabric(t).behave(t, likeRXE)
	l, err := p.Listen(here)
	must(t, err)
	defer closed(t, l)
	if _, err := p.Dial(patience(t), here, transport.Options{Limit: brief}); err == nil || !strings.Contains(err.Error(), "no answer") {
		t.Error(err)
	}
	r, err := l.Next(patience(t))
	must(t, err)
	if _, err := r.Accept(patience(t), transport.Options{}); err == nil {
		t.Error("it was accepted")
	}
}

// TestDevices holds what is known of a device.
func TestDevices(t *testing.T) {
	f := newFabric(t)
	for _, c := range []struct {
		behavior
		want transport.Device
	}{
		{likeRXE, transport.Device{Name: "fake0", Windows: true, Offsets: true, MostWork: 256, MostCompletions: 1024, MostReads: 8, MostOwnReads: 4}},
		{likeSIW, transport.Device{Name: "fake0", IWARP: true, InvalidatesPlain: true, MostWork: 256, MostCompletions: 1024, MostReads: 8, MostOwnReads: 4}},
	} {
		list, err := f.behave(t, c.behavior).Devices()
		if err != nil || len(list) != 1 || list[0] != c.want {
			t.Errorf("%+v (%v), want %+v", list, err, c.want)
		}
	}
	for want, b := range map[string]behavior{
		"no RDMA support": {fail: "get_device_list", err: syscall.ENOSYS}, "knows no device": {fail: "no_device"},
		"/dev/infiniband/uverbs77": {fail: "open_device", err: syscall.ENOENT},
	} {
		if _, err := f.behave(t, b).Devices(); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v, want it to say %q", err, want)
		}
	}
}

// TestNoManager holds what is reported where librdmacm is missing.
func TestNoManager(t *testing.T) {
	f := newFabric(t)
	for want, p := range map[string]transport.Provider{
		"libibverbs1": verbs.New("libthereisnone.so.1", f.path), "librdmacm1": verbs.New(f.path, "libthereisnone.so.1"),
	} {
		if _, err := p.Dial(patience(t), here, transport.Options{}); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v, want it to say %q", err, want)
		}
	}
}
