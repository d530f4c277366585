package veth

import (
	"os/exec"
	"runtime"
	"strings"
	"testing"

	"golang.org/x/sys/unix"
)

// A Pair are two interfaces. What is sent on Near comes to Far.
type Pair struct {
	Near, Far string
	Sender    // on Near
}

// New makes a pair, and skips the test where that is not permitted. The test's goroutine
// stays in their namespace, on a thread of its own; sockets that it opens are theirs.
func New(t testing.TB) *Pair {
	t.Helper()
	ip, err := exec.LookPath("ip")
	if err != nil {
		t.Skip("there is no command ip (iproute2) to make a veth pair with: ", err)
	}
	runtime.LockOSThread() // for good: the thread ends with the goroutine
	if err := unix.Unshare(unix.CLONE_NEWNET); err != nil {
		t.Skip("no network namespace can be made (it takes CAP_SYS_ADMIN): ", err)
	}
	p := &Pair{Near: "near0", Far: "far0"}
	for _, args := range []string{
		"link add near0 mtu 65535 type veth peer name far0 mtu 65535",
		"link set near0 up", "link set far0 up",
	} {
		if out, err := exec.Command(ip, strings.Fields(args)...).CombinedOutput(); err != nil {
			t.Skipf("ip %s: %v: %s", args, err, out)
		}
	}
	p.Sender = NewSender(t, p.Near)
	Await(t, p.Near, p.Far)
	return p
}

// A Sender sends on an interface.
type Sender struct{ fd int }

// NewSender returns one for an interface of the test's namespace.
func NewSender(t testing.TB, name string) Sender {
	t.Helper()
	fd, err := unix.Socket(unix.AF_PACKET, unix.SOCK_RAW|unix.SOCK_CLOEXEC, 0)
	if err != nil {
		t.Skip("no packet socket (it takes CAP_NET_RAW): ", err)
	}
	t.Cleanup(func() { unix.Close(fd) })
	r, err := unix.NewIfreq(name)
	if err == nil {
		err = unix.IoctlIfreq(fd, unix.SIOCGIFINDEX, r)
	}
	if err == nil {
		err = unix.Bind(fd, &unix.SockaddrLinklayer{Ifindex: int(r.Uint32())})
	}
	if err != nil {
		t.Fatal(err)
	}
	return Sender{fd}
}

// Send sends a frame. Any goroutine may.
func (s Sender) Send(frame []byte) error {
	for {
		if _, err := unix.Write(s.fd, frame); err != unix.ENOBUFS && err != unix.EINTR {
			return err
		}
	}
}

// Set runs the command ip in the namespace, with arguments.
func (p *Pair) Set(t testing.TB, args ...string) {
	t.Helper()
	if out, err := exec.Command("ip", args...).CombinedOutput(); err != nil {
		t.Fatalf("ip %s: %v: %s", strings.Join(args, " "), err, out)
	}
}

// SetUp sets an interface up, or down. Any goroutine may.
func (p *Pair) SetUp(name string, up bool) error {
	r, err := unix.NewIfreq(name)
	if err != nil {
		return err
	}
	if err := unix.IoctlIfreq(p.fd, unix.SIOCGIFFLAGS, r); err != nil {
		return err
	}
	flags := r.Uint16() &^ unix.IFF_UP
	if up {
		flags |= unix.IFF_UP
	}
	r.SetUint16(flags)
	return unix.IoctlIfreq(p.fd, unix.SIOCSIFFLAGS, r)
}
