//go:build linux && (amd64 || arm64) && !noverbs

package verbs

import (
	"errors"
	"fmt"
	"syscall"

	"github.com/rdmacap/rdmacap/internal/replay/transport"
)

// pageSize is that of which a device translates addresses at the least: an offset and the
// address after it are alike within one.
const pageSize = 4096

// A region is registered memory of a connection.
type region struct {
	c          *connection
	memory     *arena
	bytes      []byte
	offset     uint64
	mr         uintptr
	lkey, rkey uint32
	access     transport.Access
}

var _ transport.Region = (*region)(nil)

// Register registers memory.
func (c *connection) Register(length int, r transport.Registration) (transport.Region, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.closed {
		return nil, transport.ErrClosed
	}
	made, err := c.register(length, r)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", c.device.Name, err)
	}
	return made, nil
}

func (c *connection) register(length int, r transport.Registration) (_ *region, err error) {
	switch {
	case length < 1:
		return nil, fmt.Errorf("%d bytes cannot be registered", length)
	case r.At && !c.device.Offsets:
		return nil, fmt.Errorf("memory cannot be advertised at the offset %#016x: this device ignores the offset and uses the address", r.Offset)
	}
	within := int(r.Offset % pageSize)
	memory, err := newArena(within + length)
	if err != nil {
		return nil, fmt.Errorf("cannot allocate %d bytes to register: %w", length, err)
	}
	made := &region{c: c, memory: memory, bytes: memory.bytes[within : within+length : within+length], access: r.Access}
	made.offset = uint64(address(made.bytes))
	if r.At {
		made.offset = r.Offset
		made.mr, err = c.pointer(c.regMRAt, c.pd, address(made.bytes), uintptr(length), uintptr(r.Offset), uintptr(c.rights(r.Access)))
	} else {
		made.mr, err = c.pointer(c.regMR, c.pd, address(made.bytes), uintptr(length), uintptr(c.rights(r.Access)))
	}
	if err != nil {
		err = errors.Join(err, memory.free())
		if errors.Is(err, syscall.ENOMEM) {
			return nil, fmt.Errorf("%d bytes cannot be registered: %w (the limit of locked memory, ulimit -l, applies without CAP_IPC_LOCK, and with Soft-iWARP always)", length, err)
		}
		return nil, fmt.Errorf("%d bytes cannot be registered: %w", length, err)
	}
	made.lkey, made.rkey = uint32(int32At(made.mr, mrLkey)), uint32(int32At(made.mr, mrRkey))
	c.regions[made] = struct{}{}
	return made, nil
}

// rights are the access flags of memory.
func (c *connection) rights(a transport.Access) uint32 {
	rights := uint32(accessLocalWrite)
	for _, f := range []struct {
		access transport.Access
		flag   uint32
		has    bool
	}{
		{transport.RemoteRead, accessRemoteRead, true},
		{transport.RemoteWrite, accessRemoteWrite, true},
		{transport.Sink, accessRemoteWrite, c.device.IWARP}, // where a Read Response is a tagged message as a Write is
		{transport.Bindable, accessBind, c.device.Windows},
	} {
		if a&f.access != 0 && f.has {
			rights |= f.flag
		}
	}
	return rights
}

func (r *region) Handle() uint32 { return r.rkey }
func (r *region) Offset() uint64 { return r.offset }
func (r *region) Bytes() []byte  { return r.bytes }

// Close deregisters the memory.
func (r *region) Close() error {
	r.c.mu.Lock()
	defer r.c.mu.Unlock()
	return r.free()
}

// free deregisters the memory if that was not done yet.
func (r *region) free() error {
	if _, is := r.c.regions[r]; !is {
		return nil
	}
	if err := r.c.status(r.c.deregMR, r.mr); err != nil {
		return fmt.Errorf("%s: memory cannot be deregistered: %w", r.c.device.Name, err)
	}
	delete(r.c.regions, r)
	return r.memory.free()
}

// within is the part of a region that a range is, which has to be of this connection.
func (c *connection) within(r transport.Range) (*region, []byte, error) {
	if c.closed {
		return nil, nil, transport.ErrClosed
	}
	of, is := r.Region.(*region)
	if !is || of.c != c {
		return nil, nil, errors.New("the memory does not belong to this connection")
	}
	if _, is := c.regions[of]; !is {
		return nil, nil, errors.New("the memory is no longer registered")
	}
	if r.At < 0 || r.Length < 0 || r.At > len(of.bytes)-r.Length {
		return nil, nil, fmt.Errorf("%d bytes from %d on are not within memory of %d", r.Length, r.At, len(of.bytes))
	}
	return of, of.bytes[r.At : r.At+r.Length], nil
}
