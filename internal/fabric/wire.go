package fabric

import (
	"bytes"
	"errors"
	"io"
	"slices"
	"time"

	"github.com/rdmacap/rdmacap/capture"
	"github.com/rdmacap/rdmacap/internal/build"
)

// A wire is a conversation of package build, over RoCE or over iWARP.
type wire interface {
	Send(d build.Direction, data []byte) build.Span
	SendInvalidate(d build.Direction, handle uint32, data []byte) build.Span
	Write(d build.Direction, handle uint32, offset uint64, data []byte) build.Span
	Read(d build.Direction, handle uint32, offset uint64, data []byte) build.Span
	Ack(d build.Direction) build.Span
	Wait(time.Duration)
	Now() time.Time
}

// Frames are the events as a capture has them: what crossed, acknowledged, an event each
// millisecond. What broke a connection has the answer that its device gives.
func (f *Fabric) Frames() build.Frames {
	var list []build.Frames
	events := f.Events()
	for n := 1; n <= f.asked(events); n++ {
		if frames := f.frames(n, events); frames != nil {
			list = append(list, *frames)
		}
	}
	return build.Merge(list...)
}

// Captured is the same as whoever reads captures gets it.
func (f *Fabric) Captured() (list []capture.Frame, err error) {
	var b bytes.Buffer
	if err := build.WritePcap(&b, f.Frames()); err != nil {
		return nil, err
	}
	source, err := capture.NewReader(&b, "fabric", 0)
	if err != nil {
		return nil, err
	}
	for {
		var one capture.Frame
		switch err := source.Next(&one); {
		case errors.Is(err, io.EOF):
			return list, nil
		case err != nil:
			return nil, err
		}
		one.Data = slices.Clone(one.Data)
		list = append(list, one)
	}
}

// asked is how many connections were asked for.
func (*Fabric) asked(events []Event) (n int) {
	for _, e := range events {
		n = max(n, e.Connection)
	}
	return n
}

// frames are those of one connection. All events take their time, also others', so that
// the connections keep their order.
func (f *Fabric) frames(n int, events []Event) *build.Frames {
	var ask, agree Event
	for _, e := range events {
		switch {
		case e.Connection != n:
		case e.Kind == Ask:
			ask = e
		case e.Kind == Agree:
			agree = e
		}
	}
	client := build.Host{Addr: ask.From.Addr(), Port: ask.From.Port(), QPN: 0x11 + 2*uint32(n), CommID: 0x8dae0ff3 + uint32(n), Private: some(ask.Bytes)}
	server := build.Host{Addr: ask.To.Addr(), QPN: 0x12 + 2*uint32(n), CommID: 0x481ec7f8 + uint32(n), Private: some(agree.Bytes)}
	var t exchange
	if f.device.IWARP {
		c := build.NewIWARP(build.IWARPSetup{Client: client, Server: server, Service: ask.To.Port(), CRC: true})
		t = &iwarp{IWARP: c}
	} else {
		c := build.NewConversation(build.Setup{Client: client, Server: server, Service: ask.To.Port()})
		t = &roce{Conversation: c}
	}
	start := t.Now()
	const each = time.Millisecond
	for i, e := range events {
		if e.Connection != n {
			continue
		}
		t.Wait(max(0, start.Add(time.Duration(i)*each).Sub(t.Now())))
		d := build.ToClient
		if e.ToServer {
			d = build.ToServer
		}
		switch {
		case e.Kind == Ask:
		case e.Kind == Agree:
			t.connect()
		case e.Kind == Refuse:
			t.refuse(e)
		case e.Kind == Leave:
			t.leave(d)
		case e.Status != 0:
			t.fails(d, e)
		default:
			cross(t, d, e)
		}
	}
	return t.frames()
}

// some is private data that is not what package build has for none.
func some(b []byte) []byte { return append([]byte{}, b...) }

// cross appends what was done, and its acknowledgement.
func cross(t wire, d build.Direction, e Event) {
	switch e.Kind {
	case Send:
		t.Send(d, e.Bytes)
	case SendInvalidate:
		t.SendInvalidate(d, e.Remote.Handle, e.Bytes)
	case Write:
		t.Write(d, e.Remote.Handle, e.Remote.Offset, e.Bytes)
	case Read:
		t.Read(d, e.Remote.Handle, e.Remote.Offset, e.Bytes)
		return // its response is that
	}
	t.Ack(d.Opposite())
}

// A exchange appends what is each transport's own.
type exchange interface {
	wire
	connect()
	refuse(e Event)
	leave(d build.Direction)
	fails(d build.Direction, e Event)
	frames() *build.Frames
}

type roce struct{ *build.Conversation }

func (c *roce) connect()                { c.Connect() }
func (c *roce) leave(d build.Direction) { c.DisconnectBy(d) }
func (c *roce) frames() *build.Frames   { return &c.Frames }
func (c *roce) refuse(e Event) {
	c.Request()
	c.Reject(uint16(e.Status), e.Bytes)
}

// fails appends work that the peer refuses: Receiver Not Ready, or a NAK of the AETH's
// codes (InfiniBand specification, volume 1, 9.7.5.1.1), and the end of the connection.
func (c *roce) fails(d build.Direction, e Event) {
	psn := c.NextPSN(d)
	if e.Kind == Read {
		c.ReadRequest(d, e.Remote.Handle, e.Remote.Offset, len(e.Bytes))
	} else {
		cross(unanswered{c}, d, e)
	}
	const invalidRequest, accessError = 0x61, 0x62
	switch e.Status {
	case 13:
		c.RNR(d.Opposite(), psn, 14)
	case 10:
		c.Nak(d.Opposite(), psn, accessError)
	default:
		c.Nak(d.Opposite(), psn, invalidRequest)
	}
	c.DisconnectBy(d)
}

// unanswered is a wire without acknowledgements.
type unanswered struct{ wire }

func (unanswered) Ack(build.Direction) build.Span { return build.Span{} }

type iwarp struct{ *build.IWARP }

func (c *iwarp) connect()              { c.Connect() }
func (c *iwarp) frames() *build.Frames { return &c.Frames }
func (c *iwarp) refuse(e Event) {
	c.Handshake()
	c.Request()
	c.Reject(e.Bytes)
}
func (c *iwarp) leave(d build.Direction) {
	c.Close(d)
	c.Close(d.Opposite())
	c.Ack(d)
}

// fails appends work that the peer terminates the stream for, with the layer, type and
// code of RFC 5040, section 4.8 and RFC 5041, section 8.
func (c *iwarp) fails(d build.Direction, e Event) {
	stop := build.Termination{Layer: 1, EType: 2, ECode: 2} // DDP, untagged, no buffer available
	switch {
	case e.Kind == Read:
		c.ReadRequest(d, e.Remote.Handle, e.Remote.Offset, len(e.Bytes))
		stop = build.Termination{EType: 1} // RDMAP, remote protection, invalid STag
	case e.Status == 10:
		cross(unanswered{c}, d, e)
		stop = build.Termination{Layer: 1, EType: 1} // DDP, tagged, invalid STag
	default:
		cross(unanswered{c}, d, e)
		if e.Status == 11 && e.Kind == Send {
			stop.ECode = 5 // message too long for the buffer
		} else if e.Status == 11 {
			stop = build.Termination{EType: 1, ECode: 9} // STag cannot be invalidated
		}
	}
	c.Terminate(d.Opposite(), stop)
	c.leave(d.Opposite())
}
