package responder_test

import (
	"bytes"
	"errors"
	"math/rand/v2"
	"net/netip"
	"slices"
	"testing"

	"github.com/rdmacap/rdmacap/dissect/rpcrdma"
	"github.com/rdmacap/rdmacap/internal/build"
	"github.com/rdmacap/rdmacap/internal/fabric"
	"github.com/rdmacap/rdmacap/internal/replay/responder"
	"github.com/rdmacap/rdmacap/internal/replay/transport"
	"github.com/rdmacap/rdmacap/internal/replaytest"
	"github.com/rdmacap/rdmacap/internal/ruletest"
	"github.com/rdmacap/rdmacap/report/finding"
	"github.com/rdmacap/rdmacap/report/rules/catalogue"
)

// faultless holds that no rule finds a fault of the server in what crossed. That an RDMA_ERROR or
// GARBAGE_ARGS was sent is a finding about the call (HDR-014, RPC-005). Own are rules that look at what the test wants.
func faultless(t *testing.T, f *fabric.Fabric, own ...string) (found int) {
	t.Helper()
	frames, err := f.Captured()
	replaytest.Must(t, err)
	for _, x := range ruletest.Check(t, catalogue.All(), frames) {
		found++
		if x.Severity == finding.Note || slices.Contains(own, x.Rule.ID) || x.Rule.ID == "HDR-014" || x.Rule.ID == "RPC-005" || x.HasFrom && x.Connection != nil && x.From == x.Connection.ClientEnd {
			continue
		}
		t.Errorf("%s in frame %d: %s", x.ID(), x.Frame.Number, x.Message)
	}
	return found
}

// TestAnswersToFaults holds what is answered to messages that no client may send, and that check
// finds nothing wrong with the answers.
func TestAnswersToFaults(t *testing.T) {
	const dropped = rpcrdma.Proc(99)
	null := build.NFS3Null(8).Bytes
	header := func(h build.Header) []byte { h.XID, h.Credits = 8, 32; return h.With(null) }
	other := build.Header{XID: 8, Credits: 32}
	for _, test := range []struct {
		name    string
		message []byte
		proc    rpcrdma.Proc
		code    rpcrdma.ErrorCode
		version uint32
	}{
		{"version 2", header(build.Header{Vers: 2}), rpcrdma.RDMAError, rpcrdma.ErrVers, 2},
		{"version 9", header(build.Header{Vers: 9}), rpcrdma.RDMAError, rpcrdma.ErrVers, 9},
		{"version 0xffffffff, and no more than the fixed words", numbers(8, 0xffffffff, 32, 0), rpcrdma.RDMAError, rpcrdma.ErrVers, 0xffffffff},
		{"RDMA_NOMSG without chunks", build.Header{XID: 8, Credits: 32, Proc: build.NOMSG}.Bytes(), rpcrdma.RDMAError, rpcrdma.ErrChunk, 1},
		{"RDMA_NOMSG with a Read chunk elsewhere", build.Header{XID: 8, Credits: 32, Proc: build.NOMSG, Reads: []build.ReadSegment{{Position: 4, Segment: build.Segment{Handle: 1, Length: 4}}}}.Bytes(), rpcrdma.RDMAError, rpcrdma.ErrChunk, 1},
		{"RDMA_MSG without an RPC message", other.Bytes(), rpcrdma.RDMAError, rpcrdma.ErrChunk, 1},
		{"RDMA_MSGP", header(build.Header{Proc: build.MSGP}), rpcrdma.RDMAError, rpcrdma.ErrChunk, 1},
		{"RDMA_DONE", build.Header{XID: 8, Credits: 32, Proc: build.DONE}.Bytes(), dropped, 0, 0},
		{"RDMA_ERROR", build.Header{XID: 8, Credits: 32, Proc: build.ERROR, Err: 2}.Bytes(), dropped, 0, 0},
		{"RDMA_ERROR of version 9", build.Header{XID: 8, Vers: 9, Credits: 32, Proc: build.ERROR, Err: 2}.Bytes(), dropped, 0, 0},
		{"a procedure that nobody defines", header(build.Header{Proc: 77}), rpcrdma.RDMAError, rpcrdma.ErrChunk, 1},
		{"a header of 12 bytes", numbers(8, 1, 32), dropped, 0, 0},
		{"a header of 24 bytes", numbers(8, 1, 32, 0, 0, 0), dropped, 0, 0},
		{"nothing", nil, dropped, 0, 0},
		{"a Read list that never ends", append(numbers(8, 1, 32, 0, 1, 0, 1, 4, 0, 0), bytes.Repeat([]byte{1}, 40)...), rpcrdma.RDMAError, rpcrdma.ErrChunk, 1},
		{"another XID in the RPC message", other.With(build.NFS3Null(9).Bytes), rpcrdma.RDMAError, rpcrdma.ErrChunk, 1},
		{"NULL with a Read chunk", build.Header{XID: 8, Credits: 32, Reads: []build.ReadSegment{{Position: 40}}}.With(null), rpcrdma.RDMAError, rpcrdma.ErrChunk, 1},
		{"text", []byte("GET / HTTP/1.1\r\nHost: server\r\n\r\n  "), rpcrdma.RDMAError, rpcrdma.ErrVers, 790644820},
		{"an RPC message of another kind", other.With(numbers(8, 5, 0, 0, 0, 0)), rpcrdma.RDMAError, rpcrdma.ErrChunk, 1},
		{"an RPC-over-RDMA", other.With(numbers(8, 0, 3, 100003, 3, 0, 0, 0, 0, 0)), rpcrdma.RDMAMsg, 0, 1},
		{"an RPC header that ends early", other.With(numbers(8, 0, 2, 100003)), rpcrdma.RDMAMsg, 0, 1},
	} {
		for _, d := range []transport.Device{fabric.SoftRoCE(), fabric.SoftIWARP()} {
			t.Run(test.name+" on "+d.Name, func(t *testing.T) {
				f := fabric.New(d)
				_, left := serve(t, f, conversation(t, captured(t, false), 0), responder.Options{})
				l := dial(t, f, false)
				l.ask(build.Header{}, build.NFS3Null(7))
				replaytest.Must(t, l.Send(1, test.message))
				replaytest.Must(t, l.Send(2, build.Header{XID: 10, Credits: 32}.With(build.NFS3Null(10).Bytes)))
				answers := l.answers(10)
				switch {
				case test.proc == dropped:
					if len(answers) != 1 {
						t.Errorf("it was answered: %+v", answers[0])
					}
				case len(answers) != 2:
					t.Errorf("%d answers", len(answers))
				default:
					h := answers[0]
					if xid := h.XID; test.name != "text" && xid != 8 || h.Proc != test.proc || h.Error != test.code || h.Version != test.version {
						t.Errorf("%+v", h)
					}
				}
				replaytest.Must(t, l.Close())
				left()
				faultless(t, f)
			})
		}
	}
}

// answers takes the headers of all messages up to that with an XID.
func (l *live) answers(last uint32) (list []rpcrdma.Header) {
	l.t.Helper()
	for {
		got, err := l.Next(replaytest.Patience(l.t))
		switch {
		case err != nil || got.Err != nil:
			l.t.Fatal(err, got.Err)
		case got.Operation == transport.OpReceive:
			var h rpcrdma.Header
			h.Decode(got.Message)
			list = append(list, h)
			replaytest.Must(l.t, l.Repost(got))
			if h.XID == last {
				return list
			}
		}
	}
}

// TestAnswersToGarbage sends what is next to captured calls, of which the server reads whatever it can: check
// finds nothing wrong with what it sends.
func TestAnswersToGarbage(t *testing.T) {
	c := sample(t, "rxe-basic", 3)
	r := rand.New(rand.NewPCG(3, 4))
	const clients = 60
	f := fabric.New(fabric.SoftRoCE())
	server, err := responder.New(c, responder.Options{Specs: specs(t), Connections: clients})
	replaytest.Must(t, err)
	listening, ended := make(chan struct{}), make(chan error, 1)
	go func() {
		ended <- server.Serve(replaytest.Patience(t), f, at, func(netip.AddrPort) { close(listening) })
	}()
	<-listening
	for range clients {
		conn, err := f.Dial(replaytest.Patience(t), at, transport.Options{PrivateData: build.PrivateData(4096, 4096, true), SendSize: 1 << 14})
		replaytest.Must(t, err)
		m := c.Messages[r.IntN(len(c.Messages))]
		data := bytes.Clone(m.Bytes)
		for range r.IntN(4) {
			data[r.IntN(min(len(data), 80))] = byte(r.IntN(4)) << (r.IntN(2) * 6)
		}
		replaytest.Must(t, conn.Send(1, data[:len(data)-r.IntN(2)*r.IntN(len(data)/2)]))
		if conn.Send(2, build.Header{XID: 10, Credits: 32}.With(build.NFS3Null(10).Bytes)) == nil {
			for {
				got, err := conn.Next(replaytest.Patience(t))
				if left := (*transport.Disconnected)(nil); errors.As(err, &left) {
					break
				}
				replaytest.Must(t, err)
				if got.Operation == transport.OpReceive && bytes.HasPrefix(got.Message, numbers(10)) {
					break
				}
			}
		}
		replaytest.Must(t, conn.Close())
	}
	replaytest.Must(t, <-ended)
	// A connection ends when memory cannot be read that a header names.
	if found := faultless(t, f, "SYM-006", "SYM-009"); found < clients/4 {
		t.Errorf("the messages were no test: %d findings", found)
	}
}
