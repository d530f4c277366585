package metrics

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log"
	"net"
	"net/http"
	"strconv"
	"strings"
	"syscall"
	"time"
)

// Address reads where to listen: PORT after a colon is that of 127.0.0.1; other addresses
// are written out.
func Address(text string) (string, error) {
	host, port, err := net.SplitHostPort(text)
	if err != nil {
		return "", fmt.Errorf("%q is not :PORT, for 127.0.0.1, or ADDRESS:PORT", text)
	}
	if n, err := strconv.ParseUint(port, 10, 16); err != nil || strings.HasPrefix(port, "+") {
		return "", fmt.Errorf("%q: a port is a number from 0 (any free one) to 65535", text)
	} else if host == "" {
		host, port = "127.0.0.1", strconv.FormatUint(n, 10)
	}
	return net.JoinHostPort(host, port), nil
}

// limits are those on who asks.
type limits struct {
	// header is how long the header of a request may take, read the whole of it, write its
	// answer from there on; idle is how long a connection may have none.
	header, read, write, idle, end time.Duration
	connections, ofOne             int // at most, of all and of one client
}

var serving = limits{
	header: 5 * time.Second, read: 5 * time.Second, write: 10 * time.Second, idle: 30 * time.Second,
	end:         2 * time.Second,
	connections: 32, ofOne: 8,
}

// maxRequest is how many bytes of the header of a request are read, at most.
const maxRequest = 16 << 10

// A Server answers requests about Metrics.
type Server struct {
	// Address is where it listens, with the port.
	Address string
	http    http.Server
	limits  limits
	done    chan struct{}
}

// Serve answers requests on an address, until Close. An error says in a line why it
// cannot listen there.
func (m *Metrics) Serve(address string) (*Server, error) {
	listener, err := net.Listen("tcp", address)
	if err != nil {
		return nil, listenError(address, err)
	}
	return m.answer(listener, serving), nil
}

// answer answers what connects to a listener, which it closes in the end.
func (m *Metrics) answer(listener net.Listener, l limits) *Server {
	s := &Server{Address: listener.Addr().String(), limits: l, done: make(chan struct{})}
	all := newClients(listener, l.connections, l.ofOne)
	s.http = http.Server{
		Handler:           guarded(local(m.handler(), listener.Addr())),
		ConnState:         all.changed,
		ReadHeaderTimeout: l.header, ReadTimeout: l.read, WriteTimeout: l.write, IdleTimeout: l.idle,
		MaxHeaderBytes: maxRequest,
		ErrorLog:       log.New(io.Discard, "", 0), // about clients; standard error is for what concerns the user
	}
	go func() {
		defer close(s.done)
		_ = s.http.Serve(all) // it ends with Close
	}()
	return s
}

// listenError says why nothing can listen on an address.
func listenError(address string, err error) error {
	switch {
	case errors.Is(err, syscall.EADDRINUSE):
		return fmt.Errorf("%s is in use: another program listens there", address)
	case errors.Is(err, syscall.EADDRNOTAVAIL):
		return fmt.Errorf("%s: this machine has no such address", address)
	case errors.Is(err, syscall.EACCES):
		return fmt.Errorf("%s: listening is not permitted: ports below 1024 need root or CAP_NET_BIND_SERVICE", address)
	}
	var op *net.OpError
	if errors.As(err, &op) {
		err = op.Err
	}
	return fmt.Errorf("%s: cannot be listened on: %w", address, err)
}

// Close ends answering: requests that are being answered are, for a while.
func (s *Server) Close() {
	ctx, cancel := context.WithTimeout(context.Background(), s.limits.end)
	defer cancel()
	if s.http.Shutdown(ctx) != nil {
		_ = s.http.Close() // what is still open then is not worth waiting for
	}
	<-s.done
}
