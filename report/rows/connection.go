package rows

import (
	"github.com/rdmacap/rdmacap/dissect"
	"github.com/rdmacap/rdmacap/dissect/flow"
	"github.com/rdmacap/rdmacap/report/draft"
	"github.com/rdmacap/rdmacap/report/lines"
	"github.com/rdmacap/rdmacap/report/words"
)

func (t *Text) connectionName(c *dissect.Connection) {
	t.B = append(t.B, lines.Mark...)
	t.B = append(t.B, t.Style.Conn.On...)
	t.B = append(t.B, '#')
	t.place(draft.Placeholder{What: draft.Number, Conn: c})
	t.B = append(t.B, t.Style.Conn.Off...)
	t.B = append(t.B, ' ')
}

// Opening prints who a connection is between, since when, and what its
// setup agreed on.
func (t *Text) Opening(c *dissect.Connection) {
	if t.opts.Separator != 0 {
		return
	}
	t.Stamp(c.FirstTime)
	t.connectionName(c)
	t.B = AppendPeers(t.B, c)
	t.EndStamped()
	t.more()
	t.B = append(t.B, "from frame "...)
	t.B = append(t.B, c.First.Name(t.opts.Files > 1)...)
	if c.FirstTime != 0 {
		t.B = append(t.B, ", "...)
		t.B = t.clock.Append(t.B, c.FirstTime)
	}
	if c.Setup == flow.SetupInferred {
		t.B = append(t.B, "; "...)
		t.B = t.Style.Odd.Append(t.B, "its setup is not in the capture, so its inline thresholds are unknown")
	} else if th, known := c.Thresholds(); known && c.Service == "NFS/RDMA" {
		t.B = append(t.B, "; inline threshold "...)
		t.B = words.AppendThresholds(t.B, th)
		t.B = append(t.B, ", remote invalidation "...)
		t.B = append(t.B, words.Invalidation(c)...)
	}
	t.EndStamped()
}

// AppendPeers says who a connection is between, and what it carries.
func AppendPeers(b []byte, c *dissect.Connection) []byte {
	b = append(b, c.Transport.String()...)
	b = append(b, lines.Gap...)
	b = words.AppendEndpoint(b, c.Client())
	b = append(b, " → "...)
	b = words.AppendEndpoint(b, c.Server())
	if c.Service != "" {
		b = append(b, lines.Gap...)
		b = append(b, c.Service...)
	}
	return b
}

// Closing prints what a connection came to.
func (t *Text) Closing(c *dissect.Connection) {
	if t.opts.Separator != 0 {
		return
	}
	t.Stamp(t.closingTime(c))
	t.connectionName(c)
	t.B = words.AppendClosing(t.B, t.Style.Inks(), c)
	t.EndStamped()
	for _, line := range Version2(c, t.opts.Files > 1) {
		t.more()
		t.B = append(t.B, line...)
		t.EndStamped()
	}
}
