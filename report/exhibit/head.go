package exhibit

import (
	"fmt"
	"time"

	"github.com/rdmacap/rdmacap/dissect"
	"github.com/rdmacap/rdmacap/dissect/flow"
	"github.com/rdmacap/rdmacap/dissect/trail"
	"github.com/rdmacap/rdmacap/field"
	"github.com/rdmacap/rdmacap/report/listing"
)

// A Context is what is known of a frame from those before it. It is made only for those who look at frames.
type Context struct {
	several bool // there are several files: frames are named with theirs
	earlier trail.Earlier
	links   trail.Links // of the frame that was taken last
}

// Following returns what has to follow a capture for the details of a level, each nil where it has not;
// several says that there are several files.
func Following(l listing.Level, several bool) (frames *Context, rpcs *Moves) {
	switch l {
	case listing.LevelFrame:
		return &Context{several: several}, nil
	case listing.LevelRPC:
		return nil, NewMoves(several)
	}
	return nil, nil
}

// Take takes a frame: it is to receive all, in their order, also of those that nobody looks at.
func (x *Context) Take(v *dissect.FrameView) { x.links = x.earlier.Take(v) }

// head is what is known of a frame that does not stand in its bytes: when it was captured, how much of it,
// and which others it goes with.
func head(v *dissect.FrameView, x *Context) field.Node {
	f := v.Frame
	n := field.Node{Name: "Capture"}
	captured := field.ByteCount(len(f.Data)) + " captured"
	if len(f.Data) == int(f.Length) {
		captured = "all captured"
	}
	n.Value = fmt.Sprintf("%s on the wire, %s", field.ByteCount(int(f.Length)), captured)
	add := func(name, value string) { n.Add(field.Node{Name: name, Value: value}) }
	if f.Time != 0 {
		add("Time (UTC)", time.Unix(0, f.Time).UTC().Format("2006-01-02T15:04:05.000000000Z"))
		add("Time since 1970", string(field.AppendSeconds(nil, f.Time))+" s")
	}
	c := v.Connection
	if c == nil {
		return n
	}
	if c.ToServer(v.Verdict.From) {
		add("Direction", "client to server")
	} else {
		add("Direction", "server to client")
	}
	if f.Time != 0 && c.FirstTime != 0 {
		add("Since the connection's first frame", string(field.AppendDuration(nil, f.Time-c.FirstTime)))
	}
	l := &x.links
	other := func(name string, o trail.Sighting) {
		if !o.Known() {
			return
		}
		text := "frame " + o.Ref.Name(x.several)
		if f.Time != 0 && o.Time != 0 {
			text += ", " + string(field.AppendDuration(nil, f.Time-o.Time)) + " before"
		}
		add(name, text)
	}
	other("Previous frame of the connection", l.Before)
	if note := v.Verdict.Note.String(); note != "" {
		add("Order", note)
	}
	if v.Verdict.Note == flow.Duplicate {
		other("Copy of", l.Original)
	} else {
		other("Retransmission of", l.Original)
	}
	if v.IB != nil && v.IB.AETH() != 0 && !v.IB.Syndrome().IsACK() {
		other("NAK of", l.Acknowledged)
	} else {
		other("Acknowledges up to", l.Acknowledged)
	}
	other("Response to the request in", l.Request)
	if m := v.Message; m != nil {
		add("Message", messageTitle(m, x.several))
	}
	return n
}
