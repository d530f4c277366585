// Package pasts remembers what earlier connections between the same two peers were like. Rules
// about reconnects share it.
package pasts

import (
	"github.com/rdmacap/rdmacap/capture/link"
	"github.com/rdmacap/rdmacap/report/rules"
)

// Peers are a client, a server and the server's port: what a connection and its reconnects have in
// common.
type Peers struct {
	Client, Server link.Addr
	Port           uint16
}

// PeersOf are those of a connection.
func PeersOf(c *rules.Conn) Peers { return Peers{c.Client().Addr, c.Server().Addr, c.Server().Port} }

// Most is how many keys a Table has: as many peers are remembered.
const Most = 1024

// A Table is what is remembered of connections by a key that those between the same two peers have.
type Table[K comparable, T any] map[K]*T

// Of is what is remembered for a key, made when it is first asked for; nil if there are too many already.
func (t *Table[K, T]) Of(k K) *T {
	x := (*t)[k]
	if x == nil && len(*t) < Most {
		if *t == nil {
			*t = make(Table[K, T])
		}
		x = new(T)
		(*t)[k] = x
	}
	return x
}
