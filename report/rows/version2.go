package rows

import (
	"github.com/rdmacap/rdmacap/dissect"
	"github.com/rdmacap/rdmacap/report/words"
)

// version2 prints how a connection on which another version than 1 was tried came to
// its version, and what its ends announced last.
func (t *Text) version2(c *dissect.Connection) {
	n, ok := c.Negotiation()
	if !ok {
		return
	}
	t.more()
	t.B = words.AppendNegotiation(t.B, c, &n)
	t.End()
	t.announced("client", c.Characteristics(c.ClientEnd))
	t.announced("server", c.Characteristics(c.ClientEnd.Peer()))
}

// announced prints the characteristics that an end announced, as they are in force.
func (t *Text) announced(who string, line *dissect.Timeline) {
	if len(line.Changes()) == 0 {
		return
	}
	t.more()
	t.B = append(t.B, who...)
	t.B = append(t.B, " announced "...)
	t.B = words.AppendAnnounced(t.B, t.opts.Files > 1, line)
	t.End()
}
