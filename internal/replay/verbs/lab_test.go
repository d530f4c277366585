//go:build linux && (amd64 || arm64) && !noverbs

package verbs_test

import (
	"errors"
	"net/netip"
	"os"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/rdmacap/rdmacap/internal/replay/transport"
	"github.com/rdmacap/rdmacap/internal/replay/verbs"
)

// The machine of the lab: its addresses, where nobody listens, and a host that does not exist
// but has a neighbor entry.
var (
	nfsServer = netip.MustParseAddrPort("192.0.2.1:20049")
	ownServer = netip.MustParseAddrPort("192.0.2.1:20100")
	nobody    = netip.MustParseAddrPort("192.0.2.1:20999")
	silent    = netip.MustParseAddrPort("192.0.2.3:20049")
)

// inLab is the provider of real devices, and their kind, rxe or siw, where a test runs in
// the machine of the lab.
func inLab(t *testing.T) (transport.Provider, string) {
	t.Helper()
	kind := os.Getenv("RDMACAP_LAB")
	if kind == "" {
		t.Skip("this is not the machine of the lab (lab/run verbs), which says so by RDMACAP_LAB")
	}
	return verbs.New(verbs.Library, verbs.ManagerLibrary), kind
}

// TestLabDevices holds what is known of the emulated devices.
func TestLabDevices(t *testing.T) {
	p, kind := inLab(t)
	list, err := p.Devices()
	must(t, err)
	if len(list) != 2 {
		t.Fatalf("%d devices: %+v", len(list), list)
	}
	for _, d := range list {
		t.Logf("%+v", d)
		iwarp := kind == "siw"
		if !strings.HasPrefix(d.Name, kind) || d.IWARP != iwarp || d.Windows == iwarp || d.Offsets == iwarp || d.InvalidatesPlain != iwarp || d.MostOwnReads < 1 {
			t.Errorf("%+v", d)
		}
	}
}

// TestLabBothRoles runs the tests of the library of our own over the wire.
func TestLabBothRoles(t *testing.T) {
	p, kind := inLab(t)
	for name, run := range map[string]func(*testing.T, transport.Provider, netip.AddrPort){
		"messages": messages, "send all": sendAll, "read and write": readAndWrite, "close": closing, "reject": reject,
	} {
		t.Run(name, func(t *testing.T) { run(t, p, ownServer) })
	}
	if kind == "siw" {
		t.Run("no windows", func(t *testing.T) { noWindows(t, p, ownServer) })
	} else {
		t.Run("windows", func(t *testing.T) { windows(t, p, ownServer, 20) })
	}
}

// TestLabLarge holds that 256 KiB come whole by RDMA Read and Write.
func TestLabLarge(t *testing.T) {
	p, _ := inLab(t)
	c, s := connect(t, p, ownServer, transport.Options{}, transport.Options{})
	greet(t, c, s)
	want := make([]byte, 256<<10)
	for i := range want {
		want[i] = byte(i * 2654435761 >> 11)
	}
	theirs := register(t, c, transport.Registration{Access: transport.RemoteRead | transport.RemoteWrite}, want)
	mine := register(t, s, transport.Registration{Access: transport.Sink}, make([]byte, len(want)))
	all, there := transport.Range{Region: mine, Length: len(want)}, transport.Remote{Handle: theirs.Handle(), Offset: theirs.Offset()}
	must(t, s.Read(1, all, there))
	next(t, s, transport.OpRead, 1)
	if string(mine.Bytes()) != string(want) {
		t.Error("what was read is not what was there")
	}
	clear(theirs.Bytes())
	must(t, s.Write(2, all, there))
	next(t, s, transport.OpWrite, 2)
	must(t, s.Send(3, []byte("written"))) // after which it is there
	next(t, c, transport.OpReceive, 0)
	if string(theirs.Bytes()) != string(want) {
		t.Error("what was written did not come")
	}
}

// TestLabRefused holds what is reported where there is no connection, and how long it takes.
func TestLabRefused(t *testing.T) {
	p, kind := inLab(t)
	for _, c := range []struct {
		to   netip.AddrPort
		want string
	}{
		{nobody, "nothing listens on that port"},
		{silent, "does not answer within 3s"},
		{netip.MustParseAddrPort("203.0.113.1:20049"), "no route to it"},
		{netip.MustParseAddrPort("127.0.0.1:20049"), map[string]string{"rxe": "without RDMA", "siw": "the route to it"}[kind]},
	} {
		begin := time.Now()
		conn, err := p.Dial(patience(t), c.to, transport.Options{Limit: 3 * time.Second})
		if err == nil {
			conn.Close()
			t.Errorf("%v: it connected", c.to)
			continue
		}
		t.Logf("%s, %v: %v", kind, time.Since(begin).Round(time.Millisecond), err)
		if !strings.Contains(err.Error(), c.want) {
			t.Errorf("%v, want it to say %q", err, c.want)
		}
	}
	for at, want := range map[netip.AddrPort]string{
		nfsServer: "the kernel's NFS server, listens on this port", netip.MustParseAddrPort("203.0.113.1:20049"): "no device has the address",
	} {
		if _, err := p.Listen(at); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v, want it to say %q", err, want)
		} else {
			t.Logf("%s: %v", kind, err)
		}
	}
}

// TestLabBroken holds that each fault ends the connection on both sides, whichever channel
// reports it, and with which status where Soft-RoCE says it to the side that did it.
func TestLabBroken(t *testing.T) {
	p, kind := inLab(t)
	for name, c := range map[string]struct {
		status int
		fault  func(c transport.Connection) error
	}{
		"a message too long":       {11, func(c transport.Connection) error { return c.Send(7, make([]byte, 200)) }},
		"an unknown handle":        {10, func(c transport.Connection) error { return write(t, c, transport.Remote{Handle: 0x123456}) }},
		"an unknown to invalidate": {0, func(c transport.Connection) error { return c.SendInvalidate(7, nil, 0x123456) }},
		"more than Receives": {13, func(c transport.Connection) error {
			for range 8 {
				if err := c.Send(7, nil); err != nil {
					return err
				}
			}
			return nil
		}},
	} {
		status, fault := c.status, c.fault
		t.Run(name, func(t *testing.T) {
			small := transport.Options{Receives: 2, Work: 8, ReceiveSize: 100, SendSize: 200}
			c, s := connect(t, p, ownServer, small, small)
			begin := time.Now()
			if err, d := fault(c), (*transport.Disconnected)(nil); err != nil && !errors.As(err, &d) {
				t.Fatal(err)
			}
			ctx := patience(t)
			var both sync.WaitGroup
			for side, conn := range map[string]transport.Connection{"requester": c, "responder": s} {
				both.Go(func() {
					for {
						done, err := conn.Next(ctx)
						switch d := (*transport.Disconnected)(nil); {
						case errors.As(err, &d):
							t.Logf("%s, %v, %s: %v", kind, time.Since(begin).Round(time.Millisecond), side, err)
							if w := (*transport.WorkError)(nil); kind == "rxe" && status != 0 && side == "requester" && (!errors.As(err, &w) || w.Status != status) {
								t.Errorf("the reason is not status %d", status)
							}
							return
						case err != nil:
							t.Errorf("%s: %v", side, err)
							return
						case done.Err != nil:
							t.Logf("%s, %v, %s: %v: %v", kind, time.Since(begin).Round(time.Millisecond), side, done.Operation, done.Err)
						}
					}
				})
			}
			both.Wait()
		})
	}
}

func write(t *testing.T, c transport.Connection, to transport.Remote) error {
	mine := register(t, c, transport.Registration{}, make([]byte, 8))
	return c.Write(7, transport.Range{Region: mine, Length: 8}, to)
}

// TestLabHold connects to the NFS server, registers 64 MiB and stays until it is killed: the
// lab then holds that the kernel gives all back.
func TestLabHold(t *testing.T) {
	p, _ := inLab(t)
	file := os.Getenv("RDMACAP_LAB_HOLD")
	if file == "" {
		t.Skip("nobody kills this process (RDMACAP_LAB_HOLD)")
	}
	c, err := p.Dial(patience(t), nfsServer, transport.Options{})
	must(t, err)
	_, err = c.Register(64<<20, transport.Registration{Access: transport.RemoteWrite})
	must(t, err)
	must(t, os.WriteFile(file, nil, 0o600))
	time.Sleep(time.Minute)
	t.Error("nobody killed this process")
}
