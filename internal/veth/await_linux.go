package veth

import (
	"encoding/binary"
	"testing"
	"time"

	"golang.org/x/sys/unix"
)

// probeType is the second EtherType for local experiments (IEEE 802, section 9.2.4), which
// no test uses.
const probeType = 0x88B6

// Await returns when what is sent on the one interface of a pair comes to the other. The
// kernel starts their queues some time after both were set up, later on a busy machine,
// and loses without a word what is sent before.
func Await(t testing.TB, near, far string) {
	t.Helper()
	sender := NewSender(t, near)
	arrived := newReceiver(t, far)
	probe := make([]byte, 60)
	binary.BigEndian.PutUint16(probe[12:], probeType)
	for since := time.Now(); ; {
		if err := sender.Send(probe); err != nil {
			t.Fatalf("%s: %v", near, err)
		}
		if arrived() {
			break
		}
		if time.Since(since) > 30*time.Second {
			t.Fatalf("nothing that is sent on %s comes to %s", near, far)
		}
	}
	for arrived() { // probes that were slow
	}
}

// newReceiver returns a function that waits a moment for a probe on an interface and
// reports whether one came.
func newReceiver(t testing.TB, name string) (arrived func() bool) {
	t.Helper()
	fd, err := unix.Socket(unix.AF_PACKET, unix.SOCK_RAW|unix.SOCK_CLOEXEC, 0)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { unix.Close(fd) })
	r, err := unix.NewIfreq(name)
	if err == nil {
		err = unix.IoctlIfreq(fd, unix.SIOCGIFINDEX, r)
	}
	if err == nil {
		protocol := binary.NativeEndian.Uint16([]byte{probeType >> 8, probeType & 0xff}) // in network byte order
		err = unix.Bind(fd, &unix.SockaddrLinklayer{Protocol: protocol, Ifindex: int(r.Uint32())})
	}
	if err == nil {
		moment := unix.NsecToTimeval(int64(10 * time.Millisecond))
		err = unix.SetsockoptTimeval(fd, unix.SOL_SOCKET, unix.SO_RCVTIMEO, &moment)
	}
	if err != nil {
		t.Fatal(err)
	}
	frame := make([]byte, 64)
	return func() bool {
		n, _, err := unix.Recvfrom(fd, frame, 0)
		return err == nil && n > 0
	}
}
