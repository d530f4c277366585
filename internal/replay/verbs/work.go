//go:build linux && (amd64 || arm64) && !noverbs

package verbs

import (
	"errors"
	"fmt"

	"github.com/rdmacap/rdmacap/internal/replay/transport"
)

// work is what is under way, under the number that its completion has.
type work struct {
	operation transport.Operation
	id        uint64
	window    *window // of a bind, with its new handle
	handle    uint32
}

// receiveBit is in the number of a Receive, with that of its buffer.
const receiveBit = 1 << 32

// Send posts a Send of a copy of the message.
func (c *connection) Send(id uint64, message []byte) error {
	return c.send(work{operation: transport.OpSend, id: id}, opcodeSend, message, nil)
}

// SendAll posts Sends of copies of messages by one call.
func (c *connection) SendAll(first uint64, messages [][]byte) (taken int, err error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if err := c.room(); err != nil || len(messages) == 0 {
		return 0, err
	}
	messages = messages[:min(len(messages), len(c.idle))]
	list, err := newArena(len(messages) * (sendWRSize + sgeSize))
	if err != nil {
		return 0, fmt.Errorf("cannot allocate a list of %d Sends: %w", len(messages), err)
	}
	defer func() { err = errors.Join(err, list.free()) }()
	requests := structure(list.make(len(messages) * sendWRSize))
	for i, m := range messages {
		if len(m) > c.sendSize {
			return 0, c.tooLong(m)
		}
		number, wr := c.idle[len(c.idle)-1-i], requests[i*sendWRSize:]
		describeWork(wr, list.make(sgeSize), number, opcodeSend, c.sends.lkey, c.sendBuffer(number, m))
		if i+1 < len(messages) {
			wr.pointer(sendWRNext, address(wr[sendWRSize:]))
		}
	}
	taken = len(messages)
	if err = c.status(pointerAt(c.context, contextPostSend), c.qp, address(requests), address(c.badWR)); err != nil {
		// Those before the one that is not taken are under way.
		taken = int(pointerAt(address(c.badWR), 0)-address(requests)) / sendWRSize
		if taken < 0 || taken >= len(messages) {
			taken = 0
		}
		err = fmt.Errorf("%s: Send %d of a list of %d was refused: %w", c.device.Name, taken+1, len(messages), err)
	}
	for i := range taken {
		c.work[c.idle[len(c.idle)-1-i]] = work{operation: transport.OpSend, id: first + uint64(i)}
	}
	c.idle = c.idle[:len(c.idle)-taken]
	return taken, err
}

// SendInvalidate posts a Send With Invalidate. libibverbs has the handle at one place, and
// Soft-iWARP's provider takes it from another.
func (c *connection) SendInvalidate(id uint64, message []byte, handle uint32) error {
	return c.send(work{operation: transport.OpSend, id: id}, opcodeSendInvalidate, message, func(wr structure) {
		wr.word(sendWRInvalidate, handle)
		wr.word(sendWRHandle, handle)
	})
}

func (c *connection) send(w work, opcode uint32, message []byte, more func(structure)) error {
	c.mu.Lock()
	defer c.mu.Unlock()
	if len(message) > c.sendSize {
		return c.tooLong(message)
	}
	return c.post(w, opcode, func(number int) (uint32, []byte) {
		return c.sends.lkey, c.sendBuffer(number, message)
	}, more)
}

func (c *connection) tooLong(message []byte) error {
	return fmt.Errorf("a message of %d bytes is longer than this connection can send, %d", len(message), c.sendSize)
}

// sendBuffer is the buffer of work of a number, with a message.
func (c *connection) sendBuffer(number int, message []byte) []byte {
	buffer := c.sends.bytes[number*c.sendSize:][:len(message)]
	copy(buffer, message)
	return buffer
}

// Read posts an RDMA Read.
func (c *connection) Read(id uint64, to transport.Range, from transport.Remote) error {
	if c.ownReads == 0 {
		return errors.New("this side may not issue RDMA Reads: the peer allowed none at connection setup")
	}
	return c.move(work{operation: transport.OpRead, id: id}, opcodeRead, to, from)
}

// Write posts an RDMA Write.
func (c *connection) Write(id uint64, from transport.Range, to transport.Remote) error {
	return c.move(work{operation: transport.OpWrite, id: id}, opcodeWrite, from, to)
}

func (c *connection) move(w work, opcode uint32, here transport.Range, there transport.Remote) error {
	c.mu.Lock()
	defer c.mu.Unlock()
	of, bytes, err := c.within(here)
	switch {
	case err != nil:
		return err
	case w.operation == transport.OpRead && of.access&transport.Sink == 0:
		return errors.New("the memory was not registered as a sink of RDMA Reads")
	}
	return c.post(w, opcode, func(int) (uint32, []byte) { return of.lkey, bytes }, func(wr structure) {
		wr.pointer(sendWROffset, uintptr(there.Offset))
		wr.word(sendWRHandle, there.Handle)
	})
}

// Invalidate posts a Local Invalidate.
func (c *connection) Invalidate(id uint64, handle uint32) error {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.post(work{operation: transport.OpInvalidate, id: id}, opcodeInvalidate, nil, func(wr structure) {
		wr.word(sendWRInvalidate, handle)
	})
}

// post gives the device a work request. bytes is where the data of work of this number
// is, if it has data; more fills in what else the operation takes.
func (c *connection) post(w work, opcode uint32, data func(number int) (lkey uint32, b []byte), more func(structure)) error {
	if err := c.room(); err != nil {
		return err
	}
	number := c.idle[len(c.idle)-1]
	wr := c.sendWR
	clear(wr)
	var lkey uint32
	var b []byte
	if data != nil {
		lkey, b = data(number)
	}
	describeWork(wr, c.sge, number, opcode, lkey, b)
	if more != nil {
		more(wr)
	}
	if err := c.status(pointerAt(c.context, contextPostSend), c.qp, address(wr), address(c.badWR)); err != nil {
		return fmt.Errorf("%s: %v is not taken: %w", c.device.Name, w.operation, err)
	}
	c.idle = c.idle[:len(c.idle)-1]
	c.work[number] = w
	return nil
}

// room says why no work can be published.
func (c *connection) room() error {
	switch {
	case c.closed:
		return transport.ErrClosed
	case c.down.Err() != nil:
		return c.ended()
	case len(c.idle) == 0:
		return transport.ErrFull
	}
	return nil
}

// describeWork fills in a work request, which is zeroes, and its list of data, if it has any.
func describeWork(wr, sge structure, number int, opcode, lkey uint32, b []byte) {
	wr.pointer(sendWRID, uintptr(number))
	wr.word(sendWROpcode, opcode)
	wr.word(sendWRFlags, sendSignaled)
	if len(b) > 0 {
		describeBytes(sge, b, lkey)
		wr.pointer(sendWRList, address(sge))
		wr.word(sendWRNumSGE, 1)
	}
}

// postReceive gives the device the buffer of a number.
func (c *connection) postReceive(slot int) error {
	clear(c.recvWR)
	c.recvWR.pointer(recvWRID, uintptr(slot)|receiveBit)
	c.recvWR.pointer(recvWRList, address(c.sge))
	c.recvWR.word(recvWRNumSGE, 1)
	describeBytes(c.sge, c.buffer(slot), c.receives.lkey)
	if err := c.status(pointerAt(c.context, contextPostRecv), c.qp, address(c.recvWR), address(c.badWR)); err != nil {
		return fmt.Errorf("a Receive is not taken: %w", err)
	}
	c.posted++
	return nil
}

func describeBytes(sge structure, b []byte, lkey uint32) {
	sge.pointer(sgeAddr, address(b))
	sge.word(sgeLength, uint32(len(b)))
	sge.word(sgeLkey, lkey)
}

// buffer is where a Receive puts its message.
func (c *connection) buffer(slot int) []byte {
	return c.receives.bytes[slot*c.receiveSize : (slot+1)*c.receiveSize]
}

// Repost gives the buffer of a message back to the device. After the end of the connection
// nothing more is received, which Next says.
func (c *connection) Repost(of transport.Completion) error {
	c.mu.Lock()
	defer c.mu.Unlock()
	switch {
	case c.closed:
		return transport.ErrClosed
	case of.Operation != transport.OpReceive || of.Slot < 0 || of.Slot >= len(c.receives.bytes)/c.receiveSize || !c.held[of.Slot]:
		return errors.New("there is no such message to release")
	case c.down.Err() != nil:
		return nil
	}
	c.held[of.Slot] = false
	return c.postReceive(of.Slot)
}
