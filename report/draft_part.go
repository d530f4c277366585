package report

import "github.com/rdmacap/rdmacap/dissect"

// A rowsPart writes drafts of rows or records. It is a dissect.Part.
type rowsPart struct {
	out    dissect.Sink // a Text or a JSON
	b      *[]byte      // what that writes to
	drafts *drafter
}

// Connection drafts what is said of a connection.
func (p *rowsPart) Connection(c *dissect.Connection, final bool) {
	p.out.Connection(c, final)
	p.wrote()
}

// Frame drafts what is said of a frame.
func (p *rowsPart) Frame(v *dissect.FrameView) {
	p.out.Frame(v)
	p.wrote()
}

// Message drafts what is said of a message.
func (p *rowsPart) Message(m *dissect.Message) {
	p.out.Message(m)
	p.wrote()
}

// RPC drafts what is said of an RPC.
func (p *rowsPart) RPC(r *dissect.RPC) {
	p.out.RPC(r)
	p.wrote()
}

func (p *rowsPart) wrote() { p.drafts.wrote(len(*p.b)) }

// forget lets go of a connection that is over, where p drafts records and is not told.
func (p *rowsPart) forget(c *dissect.Connection) { delete(p.out.(*JSON).told, c) }

// drafted is how many parts the draft has.
func (p *rowsPart) drafted() int { return p.drafts.now.Len() }

// Cut is that of dissect.Part.
func (p *rowsPart) Cut() (q dissect.Queue) {
	q, *p.b = p.drafts.cut(*p.b)
	return q
}

// Shardable reports whether parts of it may be written apart: a filter must not ask for
// numbers of connections.
func (o *Options) Shardable() bool { return o.Filter == nil || o.Filter.Another() != nil }

// ofPart are the options of a part.
func (o *Options) ofPart() Options {
	p := *o
	if o.Filter != nil {
		p.Filter = o.Filter.Another()
	}
	return p
}
