//go:build linux && (amd64 || arm64) && !noverbs

package verbs

import (
	"errors"
	"fmt"

	"github.com/rdmacap/rdmacap/internal/replay/transport"
)

// A window is a memory window of type 2.
type window struct {
	c       *connection
	mw      uintptr
	binding bool
}

var _ transport.Window = (*window)(nil)

// NewWindow makes a memory window that nothing is bound to.
func (c *connection) NewWindow() (transport.Window, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.closed {
		return nil, transport.ErrClosed
	}
	if !c.device.Windows {
		return nil, fmt.Errorf("%s: this device has no memory windows of type 2: advertise a Region, and tell the peer that it may not invalidate handles", c.device.Name)
	}
	mw, err := c.pointer(pointerAt(c.context, contextAllocMW), c.pd, windowType2)
	if err != nil {
		return nil, fmt.Errorf("%s: no memory window: %w", c.device.Name, err)
	}
	w := &window{c: c, mw: mw}
	c.windows[w] = struct{}{}
	return w, nil
}

// Bind posts a bind. The key of the new handle, its low 8 bits, is the next one: a device
// refuses a handle that was in use before.
func (w *window) Bind(id uint64, r transport.Range, a transport.Access) (uint32, error) {
	c := w.c
	c.mu.Lock()
	defer c.mu.Unlock()
	if _, is := c.windows[w]; !is {
		return 0, transport.ErrClosed
	}
	of, bytes, err := c.within(r)
	switch {
	case err != nil:
		return 0, err
	case w.binding:
		return 0, errors.New("the window is being bound: wait for the completion")
	case of.access&transport.Bindable == 0:
		return 0, errors.New("the memory was not registered for windows")
	case len(bytes) == 0:
		return 0, errors.New("a window needs at least one byte")
	}
	old := uint32(int32At(w.mw, mwRkey))
	handle := old&^0xff | (old+1)&0xff
	if err := c.post(work{operation: transport.OpBind, id: id, window: w, handle: handle}, opcodeBind, nil, func(wr structure) {
		wr.pointer(sendWRBindMW, w.mw)
		wr.word(sendWRBindRkey, handle)
		wr.pointer(sendWRBindMR, of.mr)
		wr.pointer(sendWRBindAddr, uintptr(of.offset)+uintptr(r.At))
		wr.pointer(sendWRBindLength, uintptr(r.Length))
		wr.word(sendWRBindAccess, c.rights(a&(transport.RemoteRead|transport.RemoteWrite))&^accessLocalWrite)
	}); err != nil {
		return 0, err
	}
	w.binding = true
	return handle, nil
}

// bound is what happens when the bind has completed: the library leaves it to the caller
// to note the new handle, which the next bind is checked against.
func (w *window) bound(handle uint32, succeeded bool) {
	w.binding = false
	if _, is := w.c.windows[w]; is && succeeded {
		*(*uint32)(at(w.mw, mwRkey)) = handle
	}
}

// Close gives the window back.
func (w *window) Close() error {
	w.c.mu.Lock()
	defer w.c.mu.Unlock()
	return w.free()
}

func (w *window) free() error {
	if _, is := w.c.windows[w]; !is {
		return nil
	}
	if err := w.c.status(pointerAt(w.c.context, contextDeallocMW), w.mw); err != nil {
		return fmt.Errorf("%s: a memory window cannot be released: %w", w.c.device.Name, err)
	}
	delete(w.c.windows, w)
	return nil
}
