package trans

import (
	"slices"

	"github.com/rdmacap/rdmacap/capture/link"
	"github.com/rdmacap/rdmacap/dissect"
	"github.com/rdmacap/rdmacap/dissect/flow"
	"github.com/rdmacap/rdmacap/report/rules"
	"github.com/rdmacap/rdmacap/rocev2"
)

func trans018() rules.Check {
	return rules.Check{
		On: []rules.Event{
			rules.OnFrame(rules.Completing|rules.Datagram, frame018), rules.OnEnd(end018), rules.OnPublished(entropy018), rules.OnPublished(gone018),
		},
	}
}

const (
	// fewestQueues is how many queue pairs make a missing spread worth a note, mostRoutes
	// of how many pairs of hosts they are counted.
	fewestQueues = 4
	mostRoutes   = 1024
)

// A route is from one host to another.
type route struct{ from, to link.Addr }

// routeSlot is where CrossConnection keeps it of each connection.
const routeSlot = rules.RefSlot[route](rules.KeepsTRANS)

// An entropy is the source port of a connection's first message.
type entropy struct {
	about *rules.About
	route route
	port  uint16
}

// A gone connection needs its queue pair no more.
type gone struct{}

// frame018 posts the source port of the first message, and the end.
func frame018(c *rules.Conn, v *dissect.FrameView, _ rules.Reporter) {
	if c.Closing != flow.Open && v.IB != nil && v.IB.OpCode.Transport() == rocev2.TransportUD {
		rules.Publish(c, gone{})
		return
	}
	if v.Message == nil || c.Messages != 1 || v.Link.Transport != link.RoCEv2 || v.Link.SrcPort == 0 {
		return
	}
	rules.Publish(c, entropy{rules.AboutFrame(v), route{v.Link.Src(), v.Link.Dst()}, v.Link.SrcPort})
}

// A spread has the open queue pairs from one host to another.
type spread struct {
	open     []queue
	reported bool
}

// A queue is an open queue pair that sends from a port.
type queue struct {
	entry *rules.ConnRef
	port  uint16
}

// spreads are those of a capture.
type spreads struct{ routes map[route]*spread }

// spreadsSlot is where CrossConnection keeps it.
const spreadsSlot = rules.CrossSlot[spreads](rules.KeepsTRANS)

// entropy018 looks whether the newest queue pairs of two hosts share a port.
func entropy018(e *rules.ConnRef, x *entropy, report rules.Reporter) {
	all := spreadsSlot.Of(e.CrossConnection)
	if all.routes == nil {
		all.routes = make(map[route]*spread)
	}
	s := all.routes[x.route]
	if s == nil {
		if len(all.routes) >= mostRoutes {
			return
		}
		s = new(spread)
		all.routes[x.route] = s
	}
	if s.reported || len(s.open) > 0 && s.open[0].port != x.port {
		s.reported = true // they are spread
		return
	}
	s.open = append(s.open, queue{e, x.port})
	*routeSlot.Of(e) = x.route
	if len(s.open) < fewestQueues {
		return
	}
	s.reported = true
	if f := report.About("", x.about, ""); f != nil {
		f.Messagef("all %d queue pairs from %s to %s send from one UDP port, %d", len(s.open), x.route.from, x.route.to, x.port)
		f.See("queue pairs", len(s.open), nil).See("UDP source ports", 1, len(s.open))
	}
}

// end018 posts that a connection is over.
func end018(c *rules.Conn, _ rules.Reporter) {
	if !c.IWARP() {
		rules.Publish(c, gone{})
	}
}

// gone018 forgets a queue pair.
func gone018(e *rules.ConnRef, _ *gone, _ rules.Reporter) {
	r := routeSlot.IfAny(e)
	if r == nil {
		return
	}
	if s := spreadsSlot.Of(e.CrossConnection).routes[*r]; s != nil {
		s.open = slices.DeleteFunc(s.open, func(q queue) bool { return q.entry == e })
	}
}
