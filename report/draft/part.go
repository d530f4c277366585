package draft

import "github.com/rdmacap/rdmacap/dissect"

// A Part writes drafts of rows or records. It is a dissect.Part.
type Part struct {
	Out  dissect.Sink // a Text or a JSON
	B    *[]byte      // what that writes to
	Rows *Deferrer
	// Records are those of connections, nil if it writes none.
	Records Records
}

// Connection drafts what is reported of a connection.
func (p *Part) Connection(c *dissect.Connection, final bool) {
	p.Out.Connection(c, final)
	p.Wrote()
}

// Frame drafts what is reported of a frame.
func (p *Part) Frame(v *dissect.FrameView) {
	p.Out.Frame(v)
	p.Wrote()
}

// Message drafts what is reported of a message.
func (p *Part) Message(m *dissect.Message) {
	p.Out.Message(m)
	p.Wrote()
}

// RPC drafts what is reported of an RPC.
func (p *Part) RPC(r *dissect.RPC) {
	p.Out.RPC(r)
	p.Wrote()
}

// Wrote notes what was written at an event, by Out itself.
func (p *Part) Wrote() { p.Rows.wrote(len(*p.B)) }

// Drafted is how many parts the draft has.
func (p *Part) Drafted() int { return p.Rows.current.Len() }

// Flush is that of dissect.Part.
func (p *Part) Flush() (q dissect.Queue) {
	q, *p.B = p.Rows.flush(*p.B)
	return q
}

// Accessed is a Part with an output that is also told of RDMA operations.
type Accessed struct {
	*Part
	dissect.AccessSink
}
