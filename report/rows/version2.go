package rows

import (
	"github.com/rdmacap/rdmacap/dissect"
	"github.com/rdmacap/rdmacap/report/words"
)

// Version2 are lines on how a connection on which another version than 1 was tried came to its
// version, and what its ends announced last; none of other connections. Several says that the
// frames are of several files.
func Version2(c *dissect.Connection, several bool) (list []string) {
	n, ok := c.Negotiation()
	if !ok {
		return nil
	}
	list = append(list, string(words.AppendNegotiation(nil, c, &n)))
	announced := func(who string, line *dissect.Timeline) {
		if len(line.Changes()) > 0 {
			list = append(list, string(words.AppendAnnounced(append([]byte(who), " announced "...), several, line)))
		}
	}
	announced("client", c.Characteristics(c.ClientEnd))
	announced("server", c.Characteristics(c.ClientEnd.Peer()))
	return list
}
