//go:build linux && (amd64 || arm64) && !noverbs

package verbs

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"syscall"
	"time"
	"unsafe"
)

// An identifier is an rdma_cm_id with an event channel of its own.
type identifier struct {
	*manager
	channel, id uintptr
	events      *os.File
	words       *arena // what is told to C, and by it
	out         structure
	param       structure
	data        []byte // private data
	from, to    structure
}

// wordsSize is room for all structures that a connection tells C.
const wordsSize = 8192

// An event is one of the connection manager, copied.
type event struct {
	kind, status     int
	id               uintptr
	data             []byte
	resources, depth byte
}

// newIdentifier makes an event channel, and an rdma_cm_id of its own unless it is to be
// for one that exists.
func (m *manager) newIdentifier(id uintptr) (_ *identifier, err error) {
	i := &identifier{manager: m}
	defer func() {
		if err != nil {
			err = errors.Join(err, i.free())
		}
	}()
	if i.words, err = newArena(wordsSize); err != nil {
		return nil, err
	}
	i.out, i.param, i.data = i.words.make(16), i.words.make(paramSize), i.words.make(256)
	i.from, i.to = i.words.make(sockaddrSize), i.words.make(sockaddrSize)
	if i.channel, err = m.pointer(m.createEventChannel); err != nil {
		return nil, m.noManager(err, i.words.make(8))
	}
	if i.events, err = pollable(i.channel, eventChannelFD, "the connection manager's channel"); err != nil {
		return nil, err
	}
	if id != 0 {
		if err := m.status(m.migrateID, id, i.channel); err != nil {
			return nil, fmt.Errorf("the connection cannot get an event channel of its own: %w", err)
		}
		i.id = id
		return i, nil
	}
	if err := m.status(m.createID, i.channel, address(i.out), 0, portSpaceTCP); err != nil {
		return nil, fmt.Errorf("the connection manager cannot create an identifier: %w", err)
	}
	i.id = pointerAt(address(i.out), 0)
	return i, nil
}

// free gives back what newIdentifier made. No event is left that is not acknowledged.
func (i *identifier) free() (err error) {
	if i.id != 0 {
		err = i.status(i.destroyID, i.id)
	}
	if i.channel != 0 {
		_, _ = i.call(i.destroyEventChannel, i.channel) // which returns nothing
	}
	if i.events != nil {
		err = errors.Join(err, i.events.Close())
	}
	if i.words != nil {
		err = errors.Join(err, i.words.free())
	}
	i.id, i.channel, i.events, i.words = 0, 0, nil, nil
	return err
}

// next is the next event. It is acknowledged already.
func (i *identifier) next(until ...context.Context) (e event, err error) {
	err = wait(i.events, func() error {
		if err := i.status(i.getEvent, i.channel, address(i.out)); err != nil {
			return err
		}
		from := pointerAt(address(i.out), 0)
		e = event{
			kind: int(int32At(from, eventType)), status: int(int32At(from, eventStatus)), id: pointerAt(from, eventID),
			resources: *(*byte)(at(from, eventParam+paramResources)), depth: *(*byte)(at(from, eventParam+paramDepth)),
		}
		if data := pointerAt(from, eventParam+paramData); data != 0 {
			e.data = bytes.Clone(unsafe.Slice((*byte)(at(data, 0)), *(*byte)(at(from, eventParam+paramDataLength))))
		}
		return i.status(i.ackEvent, from)
	}, until...)
	return e, err
}

// expect waits for an event of a kind for at most so long, and says in words what came in
// its place.
func (i *identifier) expect(ctx context.Context, limit time.Duration, kind int) (event, error) {
	limited, cancel := context.WithTimeoutCause(ctx, limit, errLimit)
	defer cancel()
	e, err := i.next(limited)
	if err == nil && e.kind != kind {
		err = e.asError()
	}
	return e, err
}

// errLimit is why waiting ended that took longer than the options say.
var errLimit = errors.New("there is no answer")

// setParam fills in the conn_param for connecting and accepting. As with Linux, a Send that
// finds no Receive is a fault at once, and not tried again: credits are to prevent it.
func (i *identifier) setParam(data []byte, resources, depth int) {
	clear(i.param)
	copy(i.data, data)
	if len(data) > 0 {
		i.param.pointer(paramData, address(i.data))
	}
	i.param[paramDataLength] = byte(len(data))
	i.param[paramResources], i.param[paramDepth] = byte(resources), byte(depth)
	i.param[paramRetries] = 6
}

// noManager says why there is no connection manager. count is memory for an int.
func (m *manager) noManager(err error, count []byte) error {
	if denied := ofMachine().denied(); denied != nil {
		return denied // the library says ENOENT where it is EACCES, or ENODEV
	}
	if why := mayOpen("/dev/infiniband/rdma_cm"); why != nil && errors.Is(err, syscall.ENOENT) {
		err = why
	}
	switch {
	case errors.Is(err, syscall.ENODEV):
		known := errNoDevice()
		if err := m.eachDevice(count, func(uintptr) (bool, error) {
			known = errors.New("librdmacm knows no RDMA device of this machine, though libibverbs does")
			return false, nil
		}); err != nil {
			return err
		}
		return known
	case errors.Is(err, syscall.ENOENT):
		return fmt.Errorf("the kernel's connection manager for programs is not loaded: %w (modprobe rdma_ucm)", err)
	case errors.Is(err, syscall.EACCES) || errors.Is(err, syscall.EPERM):
		return fmt.Errorf("this process may not make RDMA connections: %w; run it as root, or give it access to that file", err)
	}
	return fmt.Errorf("the connection manager cannot be used: %w", err)
}
