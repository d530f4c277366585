package fabric

import (
	"errors"
	"fmt"

	"github.com/rdmacap/rdmacap/internal/replay/transport"
)

// page is what an offset and the address after it are alike within.
const page = 4096

// memory is what a handle stands for.
type memory struct {
	bytes  []byte
	offset uint64
	access transport.Access
	window *window // whose handle it is
}

// within is the part that a peer names.
func (m *memory) within(offset uint64, length int) ([]byte, bool) {
	at := offset - m.offset
	if at > uint64(len(m.bytes)) || uint64(length) > uint64(len(m.bytes))-at {
		return nil, false
	}
	return m.bytes[at:][:length], true
}

// A region is registered memory.
type region struct {
	c      *connection
	handle uint32
	memory
}

// Register registers memory under a handle that was never there before.
func (c *connection) Register(length int, r transport.Registration) (transport.Region, error) {
	c.f.mu.Lock()
	defer c.f.mu.Unlock()
	switch {
	case c.closed:
		return nil, transport.ErrClosed
	case length < 1:
		return nil, fmt.Errorf("%s: %d bytes cannot be registered", c.f.device.Name, length)
	case r.At && !c.f.device.Offsets:
		return nil, fmt.Errorf("%s: memory cannot be advertised at the offset %#016x: this device takes any and goes by the address", c.f.device.Name, r.Offset)
	}
	made := &region{c: c, handle: c.f.nextHandle(), memory: memory{bytes: make([]byte, length), offset: c.f.addresses, access: r.Access}}
	c.f.addresses += uint64(length+2*page-1) &^ (page - 1)
	if r.At {
		made.offset = r.Offset
	}
	if c.f.device.IWARP && r.Access&transport.Sink != 0 {
		made.access |= transport.RemoteWrite
	}
	c.handles[made.handle] = &made.memory
	c.regions[made] = struct{}{}
	return made, nil
}

// nextHandle is an R_key or STag whose key, its low 8 bits, is not that of others.
func (f *Fabric) nextHandle() uint32 {
	f.handles++
	return f.handles<<8 | (0x51+f.handles*7)&0xff
}

func (r *region) Handle() uint32 { return r.handle }
func (r *region) Offset() uint64 { return r.offset }
func (r *region) Bytes() []byte  { return r.bytes }

// Close deregisters the memory, which a window that is bound keeps from being.
func (r *region) Close() error {
	r.c.f.mu.Lock()
	defer r.c.f.mu.Unlock()
	if _, is := r.c.regions[r]; !is {
		return nil
	}
	for w := range r.c.windows {
		if w.shows == r && r.c.handles[w.handle] != nil {
			return fmt.Errorf("%s: memory cannot be deregistered: a window is bound to it", r.c.f.device.Name)
		}
	}
	if r.c.handles[r.handle] == &r.memory {
		delete(r.c.handles, r.handle)
	}
	delete(r.c.regions, r)
	return nil
}

// here is the part of this side's memory that a range is.
func (c *connection) here(r transport.Range) (*region, []byte, error) {
	if c.closed {
		return nil, nil, transport.ErrClosed
	}
	of, is := r.Region.(*region)
	if !is || of.c != c {
		return nil, nil, errors.New("the memory is not of this connection")
	}
	if _, is := c.regions[of]; !is {
		return nil, nil, errors.New("the memory is not registered any more")
	}
	if r.At < 0 || r.Length < 0 || r.At > len(of.bytes)-r.Length {
		return nil, nil, fmt.Errorf("%d bytes from %d on are not within memory of %d", r.Length, r.At, len(of.bytes))
	}
	return of, of.bytes[r.At:][:r.Length], nil
}

// A window has a handle of its own, whose key is another each time it is bound.
type window struct {
	c       *connection
	handle  uint32
	shows   *region
	binding bool
}

// NewWindow returns a window that nothing is bound to.
func (c *connection) NewWindow() (transport.Window, error) {
	c.f.mu.Lock()
	defer c.f.mu.Unlock()
	switch {
	case c.closed:
		return nil, transport.ErrClosed
	case !c.f.device.Windows:
		return nil, fmt.Errorf("%s: this device has no memory windows of type 2: advertise a Region, and tell the peer that it may not invalidate handles", c.f.device.Name)
	}
	w := &window{c: c, handle: c.f.nextHandle()}
	c.windows[w] = struct{}{}
	return w, nil
}

// Bind gives the window its next handle.
func (w *window) Bind(id uint64, r transport.Range, access transport.Access) (uint32, error) {
	c := w.c
	c.f.mu.Lock()
	defer c.f.mu.Unlock()
	if _, is := c.windows[w]; !is {
		return 0, transport.ErrClosed
	}
	of, bytes, err := c.here(r)
	switch {
	case err != nil:
		return 0, err
	case w.binding:
		return 0, errors.New("the window is being bound: wait for the completion")
	case of.access&transport.Bindable == 0:
		return 0, errors.New("the memory was not registered for windows")
	case len(bytes) == 0:
		return 0, errors.New("a window shows one byte at the least")
	}
	if err := c.take1(); err != nil {
		return 0, err
	}
	done := transport.Completion{Operation: transport.OpBind, ID: id, Handle: w.handle&^0xff | (w.handle+1)&0xff}
	if c.handles[w.handle] != nil {
		c.breaks(done, 6, -1)
		return done.Handle, nil
	}
	w.handle, w.shows, w.binding = done.Handle, of, true
	c.handles[w.handle] = &memory{bytes: bytes, offset: of.offset + uint64(r.At), access: access & (transport.RemoteRead | transport.RemoteWrite), window: w}
	c.complete(done)
	return w.handle, nil
}

// Close gives the window back.
func (w *window) Close() error {
	w.c.f.mu.Lock()
	defer w.c.f.mu.Unlock()
	if _, is := w.c.windows[w]; is {
		delete(w.c.windows, w)
		delete(w.c.handles, w.handle)
	}
	return nil
}
