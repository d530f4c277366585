package metrics

import (
	"net"
	"net/http"
	"net/netip"
	"sync"
)

// A clients is a listener whose connections are counted. None waits until another ends: where
// there are as many as there may be, the one that nothing happened on for the longest is
// closed, so that whoever holds idle connections keeps nobody out.
type clients struct {
	net.Listener
	most, mostOfOne int

	guard sync.Mutex
	turn  uint64 // counts what happens on connections
	open  map[*counted]struct{}
	of    map[string]int // open connections, by client
}

// A counted connection is one of a clients.
type counted struct {
	net.Conn
	all    *clients
	client string
	turn   uint64 // when something last happened on it
}

// newClients has at most so many connections, and of one client.
func newClients(l net.Listener, most, mostOfOne int) *clients {
	return &clients{Listener: l, most: most, mostOfOne: mostOfOne, open: make(map[*counted]struct{}), of: make(map[string]int)}
}

// Accept implements net.Listener.
func (x *clients) Accept() (net.Conn, error) {
	c, err := x.Listener.Accept()
	if err != nil {
		return nil, err
	}
	one := &counted{Conn: c, all: x, client: clientOf(c.RemoteAddr())}
	if over := x.admit(one); over != nil {
		_ = over.Conn.Close() // whoever it is has been told by that
	}
	return one, nil
}

// admit counts a connection, and returns the one that has to go for it, if one has.
func (x *clients) admit(one *counted) (over *counted) {
	x.guard.Lock()
	defer x.guard.Unlock()
	switch {
	case x.of[one.client] >= x.mostOfOne:
		over = x.stillest(one.client)
	case len(x.open) >= x.most:
		over = x.stillest(x.busiest())
	}
	if over != nil {
		x.remove(over)
	}
	x.turn++
	one.turn = x.turn
	x.open[one] = struct{}{}
	x.of[one.client]++
	return over
}

// stillest is the client's connection that nothing happened on for the longest.
func (x *clients) stillest(client string) (s *counted) {
	for c := range x.open {
		if c.client == client && (s == nil || c.turn < s.turn) {
			s = c
		}
	}
	return s
}

// busiest is the client with the most connections, of several the first by name.
func (x *clients) busiest() (client string) {
	for c, n := range x.of {
		if m := x.of[client]; n > m || n == m && c < client {
			client = c
		}
	}
	return client
}

func (x *clients) remove(c *counted) {
	if _, is := x.open[c]; !is {
		return
	}
	delete(x.open, c)
	if x.of[c.client]--; x.of[c.client] == 0 {
		delete(x.of, c.client)
	}
}

// changed is told that a request begins, or was answered: an http.Server.ConnState.
func (x *clients) changed(c net.Conn, state http.ConnState) {
	one, is := c.(*counted)
	if !is || state != http.StateActive && state != http.StateIdle {
		return
	}
	x.guard.Lock()
	defer x.guard.Unlock()
	x.turn++
	one.turn = x.turn
}

// Close implements net.Conn.
func (c *counted) Close() error {
	c.all.guard.Lock()
	c.all.remove(c)
	c.all.guard.Unlock()
	return c.Conn.Close()
}

// clientOf is who is at an address: of all that a client may have at will, as any of
// 127.0.0.0/8 on this host, or of an IPv6 network's 2^64, there is one.
func clientOf(a net.Addr) string {
	p, err := netip.ParseAddrPort(a.String())
	if err != nil {
		return a.String()
	}
	switch ip := p.Addr().Unmap(); {
	case ip.IsLoopback():
		return "loopback"
	case ip.Is6():
		network, _ := ip.WithZone("").Prefix(64) // which it has
		return network.String()
	default:
		return ip.String()
	}
}
