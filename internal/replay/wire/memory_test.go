package wire_test

import (
	"context"
	"errors"
	"net/netip"
	"testing"

	"github.com/rdmacap/rdmacap/dissect/rpcrdma"
	"github.com/rdmacap/rdmacap/internal/fabric"
	"github.com/rdmacap/rdmacap/internal/replay/script"
	"github.com/rdmacap/rdmacap/internal/replay/transport"
	"github.com/rdmacap/rdmacap/internal/replay/wire"
)

// connect makes a connection on a fabric of a device: both sides.
func connect(t *testing.T, d transport.Device, work int) (client, server transport.Connection) {
	t.Helper()
	f := fabric.New(d)
	l, err := f.Listen(netip.AddrPortFrom(fabric.ServerAddr, 20049))
	if err != nil {
		t.Fatal(err)
	}
	accepted := make(chan transport.Connection, 1)
	go func() {
		ask, err := l.Next(t.Context())
		if err != nil {
			t.Error(err)
			return
		}
		c, err := ask.Accept(t.Context(), transport.Options{})
		if err != nil {
			t.Error(err)
		}
		accepted <- c
	}()
	if client, err = f.Dial(t.Context(), l.Addr(), transport.Options{Work: work}); err != nil {
		t.Fatal(err)
	}
	server = <-accepted
	t.Cleanup(func() {
		if err := errors.Join(client.Close(), server.Close(), l.Close()); err != nil || f.Left() != 0 {
			t.Errorf("%v, %d left", err, f.Left())
		}
	})
	return client, server
}

// drain gives completions to a Memory until there are none.
func drain(t *testing.T, c transport.Connection, m *wire.Memory) {
	t.Helper()
	now, cancel := context.WithCancel(t.Context())
	cancel()
	for {
		done, err := c.Next(now)
		if err != nil {
			return
		}
		if _, err := m.Completed(done); err != nil {
			t.Fatal(err)
		}
	}
}

// TestMemory advertises segments in each way of invalidation: the peer finds their data, their
// memory is counted, and it is given back, whether the peer invalidated it or not.
func TestMemory(t *testing.T) {
	for _, way := range []wire.Invalidation{wire.NoInvalidation, wire.ByWindows, wire.ByRegistration} {
		t.Run(way.String(), func(t *testing.T) {
			d := fabric.SoftRoCE()
			if way == wire.ByRegistration {
				d = fabric.SoftIWARP()
			}
			client, server := connect(t, d, 0)
			if got := wire.InvalidationOf(client.Device(), way != wire.NoInvalidation); got != way {
				t.Fatalf("the way is %v", got)
			}
			m := wire.NewMemory(client, way, 5000)
			s := script.Segment{Segment: rpcrdma.Segment{Handle: 1, Length: 1000, Offset: 0xdead0123}, Purpose: rpcrdma.ForRead}
			for i := range 3 {
				a, err := m.Advertise(&s, 1000, []byte("data"))
				if err != nil {
					t.Fatal(err)
				}
				if (a.Offset == s.Offset) != d.Offsets || a.Length != 1000 || m.Used() != 1000 {
					t.Errorf("%+v, %d used", a.Segment, m.Used())
				}
				if err := client.Send(1, []byte("go")); err != nil { // iWARP's server may not begin
					t.Fatal(err)
				}
				sink, err := server.Register(4, transport.Registration{Access: transport.Sink})
				if err != nil {
					t.Fatal(err)
				}
				if err := server.Read(1, transport.Range{Region: sink, Length: 4}, transport.Remote{Handle: a.Handle, Offset: a.Offset}); err != nil {
					t.Fatal(err)
				}
				if string(sink.Bytes()) != "data" {
					t.Errorf("the peer reads %q", sink.Bytes())
				}
				invalidated := i == 1 && way != wire.NoInvalidation
				if invalidated {
					if err := server.SendInvalidate(2, []byte("done"), a.Handle); err != nil {
						t.Fatal(err)
					}
				}
				drain(t, client, m)
				if err := m.Release(a, invalidated); err != nil {
					t.Fatal(err)
				}
				drain(t, client, m)
				if m.Used() != 0 || m.Busy() != 0 {
					t.Errorf("%d used, %d busy", m.Used(), m.Busy())
				}
			}
			full, err := m.Advertise(&s, 4500, nil)
			if err != nil {
				t.Fatal(err)
			}
			if _, err := m.Advertise(&s, 501, nil); !errors.As(err, new(*wire.LimitReached)) {
				t.Errorf("beyond the limit: %v", err)
			}
			if err := m.Release(full, false); err != nil {
				t.Fatal(err)
			}
			empty, err := m.Advertise(&s, 0, nil)
			if err != nil || empty.Length != 0 || len(empty.Bytes()) != 0 {
				t.Errorf("an empty segment: %v", err)
			}
		})
	}
}

// TestMemoryFull releases windows while the send queue is full: they are given back when there
// is room.
func TestMemoryFull(t *testing.T) {
	client, _ := connect(t, fabric.SoftRoCE(), 2)
	m := wire.NewMemory(client, wire.ByWindows, 1<<20)
	s := script.Segment{Segment: rpcrdma.Segment{Length: 100}, Purpose: rpcrdma.ForWrite}
	var list []*wire.Advertised
	for range 2 {
		a, err := m.Advertise(&s, 100, nil)
		if err != nil {
			t.Fatal(err)
		}
		list = append(list, a)
	}
	if _, err := m.Advertise(&s, 100, nil); !errors.Is(err, transport.ErrFull) || m.Used() != 200 {
		t.Fatalf("a third bind: %v, %d used", err, m.Used())
	}
	for _, a := range list {
		if err := m.Release(a, false); err != nil {
			t.Fatal(err)
		}
	}
	if m.Busy() != 4 {
		t.Errorf("%d busy, want two binds and two invalidations", m.Busy())
	}
	drain(t, client, m)
	if m.Used() != 0 || m.Busy() != 0 {
		t.Errorf("%d used, %d busy", m.Used(), m.Busy())
	}
}
