package fabric

import (
	"context"
	"errors"
	"fmt"
	"net/netip"
	"sync"
	"syscall"

	"github.com/rdmacap/rdmacap/internal/replay/transport"
)

// Where the two sides are; each is of the fabric's one device.
var (
	ServerAddr = netip.MustParseAddr("192.0.2.1")
	ClientAddr = netip.MustParseAddr("192.0.2.2")
)

// The most private data in bytes, as internal/replay/verbs takes it.
const (
	mostRequest = 56
	mostAnswer  = 196
	mostReject  = 148
	mostIWARP   = 255
)

// SoftRoCE is a device like that of the kernel's rxe.
func SoftRoCE() transport.Device {
	return transport.Device{Name: "rxe0", Windows: true, Offsets: true, MostWork: 16384, MostCompletions: 32767, MostReads: 128, MostOwnReads: 128}
}

// SoftIWARP is a device like that of the kernel's siw.
func SoftIWARP() transport.Device {
	return transport.Device{Name: "siw0", IWARP: true, InvalidatesPlain: true, MostWork: 32768, MostCompletions: 524288, MostReads: 128, MostOwnReads: 128}
}

// A Fabric is the provider. Any goroutine may use it.
type Fabric struct {
	device transport.Device

	mu          sync.Mutex
	listeners   map[netip.AddrPort]*listener
	open        map[*connection]struct{}
	connections int    // that were made
	port        uint16 // chosen last
	handles     uint32 // given last
	addresses   uint64 // where the next memory is
	events      []Event
}

var _ transport.Provider = (*Fabric)(nil)

// New returns a fabric of one device, by which a process connects with itself.
func New(d transport.Device) *Fabric {
	return &Fabric{device: d, listeners: make(map[netip.AddrPort]*listener), open: make(map[*connection]struct{}), port: 40000, addresses: 0x7f3a_5c00_0000}
}

// Devices is the one device.
func (f *Fabric) Devices() ([]transport.Device, error) { return []transport.Device{f.device}, nil }

// Left is how many listeners and connections are not closed.
func (f *Fabric) Left() int {
	f.mu.Lock()
	defer f.mu.Unlock()
	return len(f.listeners) + len(f.open)
}

// Dial asks whoever listens for a connection, and waits for the answer.
func (f *Fabric) Dial(ctx context.Context, to netip.AddrPort, o transport.Options) (_ transport.Connection, err error) {
	o = o.WithDefaults()
	defer func() {
		if err != nil {
			err = fmt.Errorf("%v: %w", to, err)
		}
	}()
	if err := f.fits(o, mostRequest); err != nil {
		return nil, err
	}
	r, err := f.ask(to, o)
	if err != nil {
		return nil, err
	}
	limited, cancel := context.WithTimeoutCause(ctx, o.Limit, fmt.Errorf("no answer within %v", o.Limit))
	defer cancel()
	select {
	case <-r.answered:
	case <-limited.Done():
		if r.giveUp() {
			return nil, context.Cause(limited)
		}
		<-r.answered
	}
	if r.err != nil {
		return nil, r.err
	}
	return r.dialed, nil
}

// fits says what the device has too little of.
func (f *Fabric) fits(o transport.Options, most int) error {
	if f.device.IWARP {
		most = mostIWARP
	}
	switch {
	case len(o.PrivateData) > most:
		return fmt.Errorf("%d bytes of private data are more than the %d that can be sent", len(o.PrivateData), most)
	case o.Receives < 1 || o.Work < 1 || o.ReceiveSize < 1 || o.SendSize < 1:
		return errors.New("a connection needs room for a Receive and a Send at the least")
	case max(o.Receives, o.Work) > f.device.MostWork || o.Receives+o.Work > f.device.MostCompletions:
		return fmt.Errorf("the device's queues take %d Receives or Sends, and %d completions", f.device.MostWork, f.device.MostCompletions)
	}
	return nil
}

// ask puts a request before the listener of an address.
func (f *Fabric) ask(to netip.AddrPort, o transport.Options) (*request, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	l := f.listeners[to]
	if l == nil {
		l = f.listeners[netip.AddrPortFrom(netip.IPv4Unspecified(), to.Port())]
	}
	from := o.From
	if !from.IsValid() {
		from = netip.AddrPortFrom(ClientAddr, 0)
	}
	if from.Port() == 0 {
		from = netip.AddrPortFrom(from.Addr(), f.nextPort())
	}
	f.connections++
	number := f.connections
	f.record(Event{Connection: number, Kind: Ask, ToServer: true, From: from, To: to, Bytes: o.PrivateData})
	if l == nil {
		status := 8
		if f.device.IWARP {
			status = -int(syscall.ECONNREFUSED)
		}
		f.record(Event{Connection: number, Kind: Refuse, Status: status})
		return nil, &transport.Rejected{Status: status, Text: "nobody listens at that port for RDMA"}
	}
	r := &request{f: f, number: number, from: from, to: to, asked: o, answered: make(chan struct{})}
	l.waiting = append(l.waiting, r)
	signal(l.wake)
	return r, nil
}

// nextPort is a port that nothing has.
func (f *Fabric) nextPort() uint16 { f.port++; return f.port }

// padded is private data as a transport makes it.
func (f *Fabric) padded(data []byte, to int) []byte {
	if f.device.IWARP {
		to = len(data)
	}
	return append(append(make([]byte, 0, to), data...), make([]byte, to-len(data))...)
}

// signal wakes one that waits, now or later.
func signal(wake chan struct{}) {
	select {
	case wake <- struct{}{}:
	default:
	}
}
