//go:build linux

package main

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"runtime"
	"strings"
	"time"
	"unsafe"

	"golang.org/x/sys/unix"
)

// near and far are the ends of the wire: what is sent on the one comes to the other.
const near, far = "near0", "far0"

// A wire is a veth pair in a network namespace of its own, which is that of the calling
// goroutine's thread and of the processes that it starts.
type wire struct {
	fd int // a packet socket on near
}

func newWire() (*wire, error) {
	runtime.LockOSThread() // for good: the thread ends with the process
	if err := unix.Unshare(unix.CLONE_NEWNET); err != nil {
		return nil, fmt.Errorf("no network namespace can be made, which takes root: %w", err)
	}
	// Nobody is to speak of itself; where there is no IPv6 there is nothing to turn off.
	_ = os.WriteFile("/proc/sys/net/ipv6/conf/default/disable_ipv6", []byte("1"), 0)
	for _, args := range []string{
		"link add " + near + " mtu 9000 type veth peer name " + far + " mtu 9000",
		"link set " + near + " up", "link set " + far + " up",
	} {
		if out, err := exec.Command("ip", strings.Fields(args)...).CombinedOutput(); err != nil {
			return nil, fmt.Errorf("ip %s: %w: %s", args, err, out)
		}
	}
	fd, err := unix.Socket(unix.AF_PACKET, unix.SOCK_RAW|unix.SOCK_CLOEXEC, 0)
	if err != nil {
		return nil, fmt.Errorf("no packet socket: %w", err)
	}
	r, err := unix.NewIfreq(near)
	if err == nil {
		err = unix.IoctlIfreq(fd, unix.SIOCGIFINDEX, r)
	}
	if err == nil {
		err = unix.Bind(fd, &unix.SockaddrLinklayer{Ifindex: int(r.Uint32())})
	}
	if err == nil {
		err = unix.SetsockoptInt(fd, unix.SOL_PACKET, unix.PACKET_QDISC_BYPASS, 1)
	}
	if err != nil {
		return nil, fmt.Errorf("%s: %w", near, err)
	}
	return &wire{fd}, nil
}

// came is how many frames came to far so far: veth itself drops some where the kernel
// does not keep up, before anybody captures them.
func (w *wire) came() (n int64, err error) {
	table, err := os.ReadFile("/proc/thread-self/net/dev") // of the namespace of this thread
	if err != nil {
		return 0, err
	}
	for line := range strings.Lines(string(table)) {
		if name, counts, _ := strings.Cut(strings.TrimSpace(line), ":"); name == far {
			var size int64
			_, err = fmt.Sscan(counts, &size, &n)
			return n, err
		}
	}
	return 0, fmt.Errorf("nothing is known of %s", far)
}

// message is struct mmsghdr of the kernel.
type message struct {
	header unix.Msghdr
	sent   uint32
	_      [4]byte
}

// A load are frames that can be sent again and again.
type load struct {
	name     string
	frames   int
	bytes    int64
	messages []message
	pieces   []unix.Iovec
}

func newLoad(name string, frames [][]byte) *load {
	l := &load{name: name, frames: len(frames), messages: make([]message, len(frames)), pieces: make([]unix.Iovec, len(frames))}
	for i, f := range frames {
		l.bytes += int64(len(f))
		l.pieces[i].Base = &f[0]
		l.pieces[i].SetLen(len(f))
		l.messages[i].header.Iov = &l.pieces[i]
		l.messages[i].header.SetIovlen(1)
	}
	return l
}

// mean is the mean length of a frame.
func (l *load) mean() int { return int(l.bytes) / l.frames }

// burst is how many frames are sent at once, at most.
const burst = 64

// sendOnce sends the frames once, at a rate a second.
func (w *wire) sendOnce(l *load, rate float64, stop <-chan struct{}) error {
	began, at := time.Now(), 0
	for at < l.frames {
		due := min(l.frames, int(time.Since(began).Seconds()*rate))
		if due == at {
			time.Sleep(50 * time.Microsecond)
			continue
		}
		select {
		case <-stop:
			return context.Canceled
		default:
		}
		n, err := w.some(l, at, min(burst, due-at))
		if err != nil {
			return err
		}
		at += n
	}
	return nil
}

// some sends up to n frames, and returns how many it has sent.
func (w *wire) some(l *load, at, n int) (int, error) {
	done, _, errno := unix.Syscall6(unix.SYS_SENDMMSG, uintptr(w.fd), uintptr(unsafe.Pointer(&l.messages[at])), uintptr(n), 0, 0, 0)
	switch errno {
	case 0:
		return int(done), nil
	case unix.ENOBUFS, unix.EINTR, unix.EAGAIN:
		return 0, nil
	}
	return 0, fmt.Errorf("sendmmsg: %w", errno)
}

// send sends frames at a rate a second for some time, 0 for as many as can be; it goes
// on in the load where it ended before, which at says. It returns how many were sent.
func (w *wire) send(l *load, at *int, rate float64, during time.Duration, stop <-chan struct{}) (sent int64, err error) {
	began := time.Now()
	for {
		took := time.Since(began)
		if took >= during {
			return sent, nil
		}
		select {
		case <-stop:
			return sent, nil
		default:
		}
		n := burst
		if rate > 0 {
			if n = min(n, int(took.Seconds()*rate)-int(sent)); n < min(burst, int(rate/2000)+1) {
				time.Sleep(50 * time.Microsecond)
				continue
			}
		}
		done, err := w.some(l, *at, min(n, l.frames-*at))
		if err != nil {
			return sent, err
		}
		sent += int64(done)
		*at = (*at + done) % l.frames
	}
}
