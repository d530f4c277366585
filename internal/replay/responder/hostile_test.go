package responder_test

import (
	"bytes"
	"errors"
	"math/rand/v2"
	"net/netip"
	"testing"

	"github.com/rdmacap/rdmacap/internal/build"
	"github.com/rdmacap/rdmacap/internal/fabric"
	"github.com/rdmacap/rdmacap/internal/long"
	"github.com/rdmacap/rdmacap/internal/replay/responder"
	"github.com/rdmacap/rdmacap/internal/replay/transport"
	"github.com/rdmacap/rdmacap/internal/replaytest"
)

// TestHostileClients holds that whatever a client sends is answered or ends the connection,
// and the next client is served.
func TestHostileClients(t *testing.T) {
	c := sample(t, "rxe-basic", 3)
	f := fabric.New(fabric.SoftRoCE())
	// Those that have ended may count until the server sees it: the limits are not what is tested.
	none := responder.Limits{MaxConnections: 1 << 20, Memory: 1 << 40}
	server, err := responder.New(c, responder.Options{Specs: specs(t), Connections: long.Pick(300, 20_000), Limits: none})
	replaytest.Must(t, err)
	listening, ended := make(chan struct{}), make(chan error, 1)
	go func() {
		ended <- server.Serve(replaytest.Patience(t), f, at, func(netip.AddrPort) { close(listening) })
	}()
	<-listening
	r := rand.New(rand.NewPCG(1, 2))
	for range long.Pick(300, 20_000) {
		conn, err := f.Dial(replaytest.Patience(t), at, transport.Options{PrivateData: build.PrivateData(4096, 4096, true), SendSize: 1 << 14})
		replaytest.Must(t, err)
		sent := 0
		for range 1 + r.IntN(3) {
			m := c.Messages[r.IntN(len(c.Messages))]
			data := bytes.Clone(m.Bytes)
			for range r.IntN(6) {
				at := r.IntN(min(len(data), 120))
				data[at] = byte(r.IntN(4)) << (r.IntN(2) * 6)
			}
			data = data[:len(data)-r.IntN(2)*r.IntN(len(data)/2)]
			if conn.Send(uint64(sent), data) == nil {
				sent++
			}
		}
		for range sent { // what of it was sent, and some answers, or the end
			done, err := conn.Next(replaytest.Patience(t))
			var left *transport.Disconnected
			if errors.As(err, &left) {
				break
			}
			replaytest.Must(t, err)
			if done.Operation == transport.OpReceive {
				replaytest.Must(t, conn.Repost(done))
			}
		}
		replaytest.Must(t, conn.Close())
	}
	replaytest.Must(t, <-ended)
	if n := f.Left(); n != 0 {
		t.Errorf("%d are left", n)
	}
	report := server.Report()
	t.Logf("%d calls, %d unmatched, %d notes", report.Calls, report.UnmatchedCalls(), len(report.Notes)+report.MoreNotes)
	if report.Calls < 100 || report.UnmatchedCalls() == 0 || len(report.Notes) == 0 {
		t.Errorf("the messages were no test: %+v", report)
	}
}
