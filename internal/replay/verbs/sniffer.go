//go:build linux && (amd64 || arm64) && !noverbs

package verbs

import (
	"errors"
	"fmt"
	"os"
	"strings"
	"syscall"
	"time"

	"github.com/rdmacap/rdmacap/capture/link"
	"github.com/rdmacap/rdmacap/capture/sniffer"
)

// slotSize is how long a frame may be: that of a jumbo frame with what a switch puts
// around it, or of a native packet with its headers.
const slotSize = 10 << 10

// pollAtOnce is how many completions are asked for in one call.
const pollAtOnce = 64

// A Sniffer receives each frame that an RDMA device sends or receives, by a raw packet
// queue pair and a flow of the type sniffer. It is a sniffer.Port.
type Sniffer struct {
	*library
	name    string
	link    link.Type
	context uintptr
	pd, mr  uintptr
	channel uintptr
	cq, qp  uintptr
	flow    uintptr
	events  *os.File
	words   *arena // what is told to C, and by it
	frames  *arena // where the device puts frames
	slots   int
	wr, sge structure
	wc      structure
	out     structure // where post_recv and get_cq_event put pointers
}

// OpenSniffer opens the sniffer of a port of an RDMA device, which may fill a buffer of as
// many bytes before frames are taken, or less if it takes less. The loader finds the
// library by its name, Library. An error says in one line what is missing, and what to use
// instead.
func OpenSniffer(library, device string, port, buffer int) (_ sniffer.Port, err error) {
	l, err := load(library)
	if err != nil {
		return nil, err
	}
	s := &Sniffer{library: l, name: device}
	defer func() {
		if err != nil {
			s.Close() // the error stands already
			err = fmt.Errorf("%s: %w", device, err)
		}
	}()
	const words = 4096 // for the structures, of which the completions are the largest
	if s.words, err = newArena(words + wcSize*pollAtOnce); err != nil {
		return nil, err
	}
	s.wr, s.sge = s.words.make(recvWRSize), s.words.make(sgeSize)
	s.wc, s.out = s.words.make(wcSize*pollAtOnce), s.words.make(16)
	for _, step := range []func() error{
		s.openDevice,
		func() error { return s.queryPort(port) },
		func() error { return s.queues(buffer / slotSize) },
		func() error { return s.receiveOn(port) },
		s.memory,
		func() error { return s.sniff(port) },
		s.listen,
	} {
		if err := step(); err != nil {
			return nil, err
		}
	}
	return s, nil
}

// openDevice finds the device by its name, and opens it.
func (s *Sniffer) openDevice() error {
	var names []string
	err := s.eachDevice(s.words.make(8), func(d uintptr) (more bool, err error) {
		name := textAt(d, deviceName, deviceText)
		if name != s.name {
			names = append(names, name)
			return true, nil
		}
		s.context, err = s.open(d)
		return false, err
	})
	switch {
	case err != nil || s.context != 0:
		return err
	case len(names) == 0:
		return errNoDevice()
	}
	return fmt.Errorf("libibverbs has no such device; it has %s", strings.Join(names, ", "))
}

// queryPort finds out what frames begin with.
func (s *Sniffer) queryPort(port int) error {
	attr := s.words.make(portAttrSize)
	if err := s.status(s.library.queryPort, s.context, uintptr(port), address(attr)); err != nil {
		return fmt.Errorf("port %d cannot be queried: %w", port, err)
	}
	if state := int32At(address(attr), portAttrState); state != portActive {
		return fmt.Errorf("port %d: is not active", port)
	}
	s.link = link.TypeInfiniBand
	if attr[portAttrLinkLayer] == linkLayerEthernet {
		s.link = link.TypeEthernet
	}
	return nil
}

// queues makes what receives: a completion queue and a raw packet queue pair.
func (s *Sniffer) queues(slots int) (err error) {
	attr := s.words.make(deviceAttrSize)
	if err := s.status(s.queryDevice, s.context, address(attr)); err != nil {
		return fmt.Errorf("cannot be asked: %w", err)
	}
	s.slots = max(1, min(slots, int(int32At(address(attr), deviceAttrMaxWR))))
	if s.pd, err = s.pointer(s.allocPD, s.context); err != nil {
		return fmt.Errorf("no protection domain: %w", err)
	}
	if s.channel, err = s.pointer(s.createChannel, s.context); err != nil {
		return fmt.Errorf("no completion channel: %w", err)
	}
	if s.cq, err = s.pointer(s.createCQ, s.context, uintptr(s.slots), 0, s.channel, 0); err != nil {
		return fmt.Errorf("no completion queue: %w", err)
	}
	init := structure(s.words.make(qpInitSize))
	init.pointer(qpInitSendCQ, s.cq)
	init.pointer(qpInitRecvCQ, s.cq)
	init.word(qpInitRecvWR, uint32(s.slots))
	init.word(qpInitRecvSGE, 1)
	init.word(qpInitType, qpTypeRawPacket)
	if s.qp, err = s.pointer(s.createQP, s.pd, address(init)); err != nil {
		return s.refused("raw packet queue pairs", err)
	}
	return nil
}

// receiveOn has the queue pair receive on a port.
func (s *Sniffer) receiveOn(port int) error {
	attr := structure(s.words.make(qpAttrSize))
	attr.word(qpAttrState, qpStateInit)
	attr[qpAttrPort] = byte(port)
	if err := s.status(s.modifyQP, s.qp, address(attr), maskState|maskPort); err != nil {
		return s.refused("raw packet queue pairs", err)
	}
	attr.word(qpAttrState, qpStateRTR)
	if err := s.status(s.modifyQP, s.qp, address(attr), maskState); err != nil {
		return fmt.Errorf("the queue pair does not receive: %w", err)
	}
	return nil
}

// memory registers where frames go.
func (s *Sniffer) memory() (err error) {
	if s.frames, err = newArena(s.slots * slotSize); err != nil {
		return err
	}
	s.mr, err = s.pointer(s.regMR, s.pd, address(s.frames.bytes), uintptr(len(s.frames.bytes)), accessLocalWrite)
	if errors.Is(err, syscall.ENOMEM) {
		return fmt.Errorf("%d MiB cannot be registered: %w (the limit of locked memory, ulimit -l, applies without CAP_IPC_LOCK)", len(s.frames.bytes)>>20, err)
	}
	if err != nil {
		return fmt.Errorf("memory cannot be registered: %w", err)
	}
	s.sge.word(sgeLength, slotSize)
	s.sge.word(sgeLkey, uint32(int32At(s.mr, mrLkey)))
	s.wr.pointer(recvWRList, address(s.sge))
	s.wr.word(recvWRNumSGE, 1)
	return nil
}

// sniff has the device give the queue pair a copy of each frame.
func (s *Sniffer) sniff(port int) (err error) {
	if pointerAt(s.context, contextABI) != hasVerbsContext || pointerAt(s.context, contextSize) < leastContext ||
		pointerAt(s.context, contextCreateFlow) == 0 {
		return s.refused("a sniffer", syscall.EOPNOTSUPP)
	}
	attr := structure(s.words.make(flowAttrSize))
	attr.word(flowAttrType, flowSniffer)
	attr[flowAttrPort] = byte(port)
	*(*uint16)(at(address(attr), flowAttrLength)) = flowAttrSize
	if s.flow, err = s.pointer(pointerAt(s.context, contextCreateFlow), s.qp, address(attr)); err != nil {
		return s.refused("a sniffer", err)
	}
	return nil
}

// listen gives the device all slots, and asks to be told when it has filled one.
func (s *Sniffer) listen() (err error) {
	for slot := range s.slots {
		if err := s.Post(slot); err != nil {
			return err
		}
	}
	if s.events, err = pollable(s.channel, channelFD, "the completion channel"); err != nil {
		return err
	}
	return s.status(pointerAt(s.context, contextReqNotify), s.cq, 0)
}

// refused reports what the device or the kernel does not do from what this process may not.
func (s *Sniffer) refused(what string, err error) error {
	if errors.Is(err, syscall.EPERM) || errors.Is(err, syscall.EACCES) {
		return fmt.Errorf("%s need the capability CAP_NET_RAW, which this process lacks (%w); run it as root, or setcap cap_net_raw+ep on the program", what, err)
	}
	return fmt.Errorf("this device, or its driver, has no %s (%w); capture on its network interface, on a mirror port of the switch, or with the vendor's tool: ibdump -w - | rdmacap live -r -", strings.TrimPrefix(what, "a "), err)
}

var _ sniffer.Port = (*Sniffer)(nil)

// Link is what frames begin with.
func (s *Sniffer) Link() link.Type { return s.link }

// Slots is how many frames the device may fill.
func (s *Sniffer) Slots() int { return s.slots }

// Frame is a slot of the device.
func (s *Sniffer) Frame(slot int) []byte { return s.frames.bytes[slot*slotSize : (slot+1)*slotSize] }

// Post gives a slot to the device.
func (s *Sniffer) Post(slot int) error {
	s.wr.pointer(recvWRID, uintptr(slot))
	s.sge.pointer(sgeAddr, address(s.Frame(slot)))
	if err := s.status(pointerAt(s.context, contextPostRecv), s.qp, address(s.wr), address(s.out)); err != nil {
		return fmt.Errorf("%s: takes no receive: %w", s.name, err)
	}
	return nil
}

// Poll fills list with what the device has filled.
func (s *Sniffer) Poll(list []sniffer.Arrival) (int, error) {
	most := min(len(list), pollAtOnce)
	r, err := s.call(pointerAt(s.context, contextPollCQ), s.cq, uintptr(most), address(s.wc))
	n := int(int32(r))
	if n < 0 {
		return 0, fmt.Errorf("%s: the completion queue cannot be read: %w", s.name, err)
	}
	for i := range n {
		wc := s.wc[i*wcSize:]
		if status := wc.wordAt(wcStatus); status != statusSuccess {
			return 0, fmt.Errorf("%s: receiving ended: completion status %d", s.name, status)
		}
		list[i] = sniffer.Arrival{Slot: int(wc.wordAt(wcID)), Length: int(min(wc.wordAt(wcLength), slotSize))}
	}
	return n, nil
}

// Wait returns when the device may have filled a slot, or Stop was called.
func (s *Sniffer) Wait() error {
	conn, err := s.events.SyscallConn()
	if err != nil {
		return err
	}
	var failed error
	err = conn.Read(func(uintptr) bool {
		failed = s.status(s.getCQEvent, s.channel, address(s.out), address(s.out[8:]))
		return !errors.Is(failed, syscall.EAGAIN)
	})
	switch {
	case errors.Is(err, os.ErrDeadlineExceeded): // Stop was called
		return nil
	case err != nil || failed != nil:
		return fmt.Errorf("%s: the completion channel cannot be read: %w", s.name, errors.Join(err, failed))
	}
	_, _ = s.call(s.ackCQEvents, s.cq, 1) // which returns nothing
	return s.status(pointerAt(s.context, contextReqNotify), s.cq, 0)
}

// Stop ends Wait, now and whenever it is called again.
func (s *Sniffer) Stop() { _ = s.events.SetReadDeadline(time.Unix(1, 0)) }

// Close gives all back that was made, in the order in which it depends on one another.
func (s *Sniffer) Close() (err error) {
	if s.flow != 0 {
		err = errors.Join(err, s.status(pointerAt(s.context, contextDestroyFlow), s.flow))
	}
	for _, made := range []struct {
		what *uintptr
		f    uintptr
	}{
		{&s.qp, s.destroyQP}, {&s.cq, s.destroyCQ}, {&s.channel, s.destroyChannel},
		{&s.mr, s.deregMR}, {&s.pd, s.deallocPD}, {&s.context, s.closeDevice},
	} {
		if *made.what != 0 {
			err = errors.Join(err, s.status(made.f, *made.what))
			*made.what = 0
		}
	}
	s.flow = 0
	if s.events != nil {
		err = errors.Join(err, s.events.Close())
	}
	for _, a := range []*arena{s.words, s.frames} {
		if a != nil {
			err = errors.Join(err, a.free())
		}
	}
	return err
}
