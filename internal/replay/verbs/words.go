//go:build linux && (amd64 || arm64) && !noverbs

package verbs

import (
	"errors"
	"fmt"
	"syscall"

	"github.com/rdmacap/rdmacap/internal/replay/transport"
)

// Reasons of InfiniBand's CM for a REJ (InfiniBand specification, volume 1, 12.6.7.2).
const (
	reasonNoService = 8
	reasonConsumer  = 28
)

// asError says what an event means that was not waited for.
func (e event) asError() error {
	why := e.reason()
	switch e.kind {
	case addressError:
		return e.addressError(ofMachine())
	case routeError:
		return fmt.Errorf("not found (%w): is the subnet manager running?", why)
	case rejected:
		return e.rejection()
	case unreachable:
		return fmt.Errorf("no answer (%w): does the host have RDMA, and does a firewall allow it (UDP port 4791 for RoCE)?", why)
	case connectError:
		return fmt.Errorf("the connection was not made (%w)", why)
	case disconnected:
		return errors.New("the peer disconnected")
	case deviceRemoval:
		return errors.New("the RDMA device was removed")
	}
	return fmt.Errorf("the connection manager reports event %d (%w)", e.kind, why)
}

// addressError says why an address was not resolved. Where librdmacm may not open the device by
// which the route leaves it reports that, too, as an address that was not resolved, but with no
// reason that the network would give.
func (e event) addressError(files deviceFiles) error {
	switch syscall.Errno(-e.status) {
	case syscall.ETIMEDOUT, syscall.EHOSTUNREACH, syscall.ENETUNREACH, syscall.EHOSTDOWN:
	default:
		if denied := files.denied(); denied != nil {
			return denied
		}
	}
	return fmt.Errorf("not found (%w): is the host up, and on the network of an RDMA device of this machine?", e.reason())
}

// reason is why, as the status of an event says.
func (e event) reason() error {
	switch {
	case e.status == 0:
		return errors.New("no reason is given")
	case e.status > 0:
		return fmt.Errorf("reason %d", e.status)
	}
	return syscall.Errno(-e.status)
}

// rejection says who refused the connection.
func (e event) rejection() error {
	r := &transport.Rejected{Status: e.status, PrivateData: e.data}
	switch {
	case e.status == reasonNoService || e.status == -int(syscall.ECONNREFUSED):
		r.Text = "nothing listens on that port for RDMA (NFS servers use 20049 if configured: 'rpc.nfsd --rdma=20049')"
	case e.status == reasonConsumer || e.status == -int(syscall.ECONNRESET):
		r.Text = "the program that listens on that port refused the connection"
	default:
		r.Text = fmt.Sprintf("the connection was rejected with reason %d", e.status)
	}
	return r
}

// advice is what to do about completions of a status, beside the library's text.
func advice(status uint32) string {
	switch status {
	case 1, 2: // Soft-RoCE says 2, and Soft-iWARP does where the peer refused
		return "a message was longer than its Receive, or there was no Receive for it: more messages than credits?"
	case 4:
		return "the memory used is not registered for this"
	case 5:
		return "it was not carried out because the connection had ended"
	case 6:
		return "the window is already bound, or its memory is not registered for windows"
	case 9:
		return "the peer's request cannot be carried out: a peer may only invalidate the handle of a memory window"
	case 10:
		return "the peer has no such memory, or it is not registered for this"
	case 11:
		return "the peer could not receive it: is the message longer than its Receives?"
	case 12:
		return "the peer does not answer: is its host up, and on the network?"
	case 13:
		return "the peer has posted no Receive for it: were more messages sent than it granted credits?"
	}
	return ""
}

// workFailed is why a connection ends by work that failed. Work is flushed where the queue
// pair has found a fault of its own to end by, or the peer has: on some devices that is all
// that receives it.
func workFailed(operation transport.Operation, failed *transport.WorkError) error {
	if failed.Status == transport.Flushed {
		return fmt.Errorf("the peer disconnected, or one side found a fault (%w)", failed)
	}
	return fmt.Errorf("%v failed: %w", operation, failed)
}

// workError says what a completion's status means.
func (m *manager) workError(status uint32) *transport.WorkError {
	text := fmt.Sprintf("status %d", status)
	if s, err := m.pointer(m.statusText, uintptr(status)); err == nil {
		text = fmt.Sprintf("%s (%s)", textAt(s, 0, 64), text)
	}
	if a := advice(status); a != "" {
		text += ": " + a
	}
	return &transport.WorkError{Status: int(status), Text: text}
}
