//go:build linux && (amd64 || arm64) && !noverbs

package verbs_test

import (
	"context"
	"net/netip"
	"syscall"
	"testing"
	"time"

	"github.com/ebitengine/purego"

	"github.com/rdmacap/rdmacap/internal/replay/transport"
	"github.com/rdmacap/rdmacap/internal/replay/verbs"
)

// A fabric is testdata/fabric.c: both libraries with a device of their own, by which a
// process connects with itself.
type fabric struct {
	path               string
	set, alive, misuse uintptr
}

// behavior is how a fabric behaves: as iWARP or as RoCE, with memory windows or without, with the
// ways of Soft-RoCE and Soft-iWARP; and which call fails, how.
type behavior struct {
	fail                 string
	err                  syscall.Errno
	iwarp, windows, soft bool
}

// The devices that tests are run on.
var (
	likeRXE = behavior{windows: true, soft: true}
	likeSIW = behavior{iwarp: true, soft: true}
	likeHCA = behavior{windows: true}
)

func newFabric(t *testing.T) *fabric {
	t.Helper()
	f := new(fabric)
	f.path = buildLibrary(t, "fabric.c", map[string]*uintptr{"fabric_set": &f.set, "fabric_alive": &f.alive, "fabric_misuse": &f.misuse})
	return f
}

// behave begins anew, and has it be held at the end of the test that nothing is left and no call was
// wrong.
func (f *fabric) behave(t *testing.T, b behavior) transport.Provider {
	t.Helper()
	var set func(fail string, err, iwarp, windows, soft int)
	purego.RegisterFunc(&set, f.set)
	number := func(b bool) int {
		if b {
			return 1
		}
		return 0
	}
	set(b.fail, int(b.err), number(b.iwarp), number(b.windows), number(b.soft))
	t.Cleanup(func() {
		for begin := time.Now(); f.left() != 0 && time.Since(begin) < 10*time.Second; {
			time.Sleep(10 * time.Millisecond) // a call that was left behind gives back what it used when it returns
		}
		if n := f.left(); n != 0 {
			t.Errorf("%d things were not given back", n)
		}
		if line, _, _ := purego.SyscallN(f.misuse); line != 0 {
			t.Errorf("a call was refused: fabric.c, line %d", line)
		}
	})
	return verbs.New(f.path, f.path)
}

// left is how much was not given back yet.
func (f *fabric) left() int {
	n, _, _ := purego.SyscallN(f.alive)
	return int(n)
}

// where the fabric's device is.
var here = netip.MustParseAddrPort("192.0.2.1:20049")

// brief is how long the steps of a connection may take that fails.
const brief = 50 * time.Millisecond

// patience ends what hangs.
func patience(t *testing.T) context.Context {
	ctx, cancel := context.WithTimeout(context.Background(), 20*time.Second)
	t.Cleanup(cancel)
	return ctx
}

// connect makes a connection of the provider with itself.
func connect(t *testing.T, p transport.Provider, to netip.AddrPort, client, server transport.Options) (c, s transport.Connection) {
	t.Helper()
	l, err := p.Listen(to)
	if err != nil {
		t.Fatal(err)
	}
	defer closed(t, l)
	ctx := patience(t)
	accepted := make(chan error, 1)
	go func() {
		r, err := l.Next(ctx)
		if err == nil {
			s, err = r.Accept(ctx, server)
		}
		accepted <- err
	}()
	c, err = p.Dial(ctx, to, client)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { closed(t, c) })
	if err := <-accepted; err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { closed(t, s) })
	return c, s
}

// closed closes, and holds that all was given back.
func closed(t *testing.T, what interface{ Close() error }) {
	t.Helper()
	if err := what.Close(); err != nil {
		t.Errorf("Close: %v", err)
	}
}

// register registers memory, filled.
func register(t *testing.T, c transport.Connection, r transport.Registration, bytes []byte) transport.Region {
	t.Helper()
	m, err := c.Register(len(bytes), r)
	if err != nil {
		t.Fatal(err)
	}
	copy(m.Bytes(), bytes)
	return m
}

// next takes a completion that has succeeded.
func next(t *testing.T, c transport.Connection, what transport.Operation, id uint64) transport.Completion {
	t.Helper()
	done, err := c.Next(patience(t))
	switch {
	case err != nil:
		t.Fatalf("there is no completion of a %v: %v", what, err)
	case done.Operation != what || done.ID != id || done.Err != nil:
		t.Fatalf("completion of a %v (%d): %v, want that of a %v (%d)", done.Operation, done.ID, done.Err, what, id)
	}
	return done
}

// must is for what has no reason to fail.
func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// greet sends a message from the side that connected: on iWARP the other one may not begin.
func greet(t *testing.T, c, s transport.Connection) {
	t.Helper()
	must(t, c.Send(1, []byte("hello")))
	next(t, c, transport.OpSend, 1)
	must(t, s.Repost(next(t, s, transport.OpReceive, 0)))
}
