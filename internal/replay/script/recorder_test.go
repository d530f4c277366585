package script_test

import (
	"bytes"
	"crypto/md5"
	"encoding/hex"
	"errors"
	"path/filepath"
	"strings"
	"testing"

	"github.com/rdmacap/rdmacap/capture"
	"github.com/rdmacap/rdmacap/capture/link"
	"github.com/rdmacap/rdmacap/dissect"
	"github.com/rdmacap/rdmacap/dissect/flow"
	"github.com/rdmacap/rdmacap/dissect/rpcrdma"
	"github.com/rdmacap/rdmacap/internal/build"
	"github.com/rdmacap/rdmacap/internal/replay/script"
)

// source opens a capture that ships.
func source(t *testing.T, name string) capture.Source {
	t.Helper()
	file, err := capture.Open(filepath.Join("..", "..", "..", "samples", name+".pcap.zst"), 0)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { file.Close() })
	return file
}

// record runs a source through a Recorder.
func record(t *testing.T, from capture.Source, o script.Options) (*script.Conversation, error) {
	t.Helper()
	r := script.NewRecorder(o)
	d := dissect.New(r, dissect.Options{Data: r, Accesses: r})
	if faults, err := d.Run(from, func(bool) error { return nil }); err != nil || len(faults) > 0 {
		t.Fatal(err, faults)
	}
	d.Flush()
	return r.Conversation()
}

// frames runs a built conversation through a Recorder.
func frames(t *testing.T, list build.Frames, o script.Options) *script.Conversation {
	t.Helper()
	r := script.NewRecorder(o)
	d := dissect.New(r, dissect.Options{Data: r, Accesses: r})
	for i, f := range list {
		d.Frame(&capture.Frame{
			Number: int64(i + 1), Time: f.Time.UnixNano(), Link: link.TypeEthernet, Data: f.Data, Length: int32(f.Length),
		})
	}
	d.Flush()
	c, err := r.Conversation()
	if err != nil {
		t.Fatal(err)
	}
	return c
}

// TestSamples holds what real captures are taken apart into, each of NFS 3, 4.0, 4.1, 4.2.
func TestSamples(t *testing.T) {
	for _, want := range []struct {
		sample          string
		connection      int
		iwarp           bool
		private         int // bytes of the server's private data
		calls, backward int
	}{
		{sample: "rxe-basic", connection: 1, private: 196, calls: 155},
		{sample: "rxe-basic", connection: 4, private: 196, calls: 129},
		{sample: "siw-basic", connection: 1, iwarp: true, private: 8, calls: 155},
		{sample: "rxe-cb", connection: 2, private: 196, calls: 62, backward: 4},
	} {
		t.Run(want.sample, func(t *testing.T) {
			c, err := record(t, source(t, want.sample), script.Options{Connection: want.connection})
			if err != nil {
				t.Fatal(err)
			}
			if c.ID != want.connection || c.IWARP != want.iwarp || c.Setup == flow.SetupInferred || c.Version != 1 {
				t.Errorf("connection %d, iWARP %v, set up by %v, version %d", c.ID, c.IWARP, c.Setup, c.Version)
			}
			if n := len(c.Server.PrivateData); n != want.private || c.Server.Declared == nil || c.Client.Declared == nil || !c.Client.Declared.RemoteInvalidation() {
				t.Errorf("private data of %d bytes, of the server %v, of the client %v", n, c.Server.Declared, c.Client.Declared)
			}
			if len(c.Calls) != want.calls || c.ReverseCalls() != want.backward || c.Forward() != want.calls-want.backward {
				t.Errorf("%d calls, %d backward", len(c.Calls), c.ReverseCalls())
			}
			if c.Server.Addr.Port() != 20049 || c.Server.Addr.Addr().String() != "192.0.2.1" {
				t.Errorf("the server is %v", c.Server.Addr)
			}
			if len(c.Lacks) != 0 {
				t.Errorf("lacks %q", c.Lacks)
			}
			if err := c.CannotBeSent(); err != nil {
				t.Error(err)
			}
			wholeCalls(t, c)
			if n := len(c.Others); n == 0 || c.Others[0].ID == want.connection {
				t.Errorf("%d other connections", n)
			}
		})
	}
}

// wholeCalls holds that every call and reply is there, decodes again, and has its data.
func wholeCalls(t *testing.T, c *script.Conversation) {
	t.Helper()
	for i, call := range c.Calls {
		if call.Index != i || call.Missing != "" || call.Reply == nil || call.Request.Call != call || call.Reply.Call != call || call.Request.ToServer == call.Reverse {
			t.Fatalf("call %d, %s: %+v", i, call.Name, call)
		}
		message, made := call.Message()
		if !call.HasHeader || made != 0 || !bytes.Equal(message[:4], call.Request.Bytes[:4]) {
			t.Errorf("call %d, %s: the RPC message begins with %x", i, call.Name, message[:4])
		}
		result, made := call.Result()
		if !call.HasAnswer || made != 0 || !bytes.Equal(result[:4], call.Request.Bytes[:4]) {
			t.Errorf("call %d, %s: the RPC reply begins with %x", i, call.Name, result[:4])
		}
		if call.MadeUp() != 0 {
			t.Errorf("call %d, %s: %d bytes of Read chunks were not captured", i, call.Name, call.MadeUp())
		}
		for j := range c.Calls[i].Segments {
			s := &call.Segments[j]
			words := call.Request.Bytes[s.At : s.At+4]
			if got := uint32(words[0])<<24 | uint32(words[1])<<16 | uint32(words[2])<<8 | uint32(words[3]); got != s.Handle {
				t.Errorf("call %d, %s: at byte %d of the Send is %#x, not the handle %#x", i, call.Name, s.At, got, s.Handle)
			}
		}
	}
	for i, m := range c.Messages {
		if i > 0 && m.Order <= c.Messages[i-1].Order || m.Length != len(m.Bytes) || m.Missing != "" {
			t.Errorf("message %d: order %d, %d of %d bytes: %s", i, m.Order, len(m.Bytes), m.Length, m.Missing)
		}
	}
}

// TestFileData holds the data of a file of 300,001 bytes that the client wrote, and read
// back, against the MD5 sum that it printed.
func TestFileData(t *testing.T) {
	for _, want := range []struct{ sample, sum string }{
		{"rxe-basic", "d35920053d4c3ef4f56258800a72d7ee"},
		{"siw-basic", "81bbe8d8c102a403335eda559d0e14ff"},
	} {
		c, err := record(t, source(t, want.sample), script.Options{})
		if err != nil {
			t.Fatal(err)
		}
		var written, read []byte
		for _, call := range c.Calls {
			for i := range call.Segments {
				if s := &call.Segments[i]; call.Name == "NFS3 WRITE" && s.Purpose == rpcrdma.ForRead {
					written = append(written, s.Data...)
				}
			}
			if data, _ := call.Returned(rpcrdma.ForWrite, 0); call.Name == "NFS3 READ" && len(data) > 10_000 {
				read = append(read, data...)
			}
		}
		// The last bytes of a Read chunk may be padding.
		for _, data := range [][]byte{written, read} {
			if len(data) < 300_001 {
				t.Errorf("%s: %d bytes", want.sample, len(data))
				continue
			}
			if sum := md5.Sum(data[:300_001]); hex.EncodeToString(sum[:]) != want.sum {
				t.Errorf("%s: the sum of %d bytes is %x, the client's is %s", want.sample, len(data), sum, want.sum)
			}
		}
	}
}

// TestRefused holds why conversations cannot be replayed, in words.
func TestRefused(t *testing.T) {
	for sample, want := range map[string]string{
		"rxe-krb":       "uses RPCSEC_GSS",
		"version2-roce": "RPC-over-RDMA version 2",
	} {
		c, err := record(t, source(t, sample), script.Options{})
		if err != nil {
			t.Fatal(err)
		}
		if err := c.CannotBeSent(); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want it to say %q", sample, err, want)
		}
	}
	for sample, want := range map[string]string{
		"rxe-perftest": "no connection in the capture carries RPC-over-RDMA",
		"rxe-basic":    "connection 9 carries no RPC-over-RDMA that can be read: there is connection 1 (192.0.2.2:33200 to 192.0.2.1:20049, 155 calls), connection 2",
	} {
		if _, err := record(t, source(t, sample), script.Options{Connection: 9}); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want it to say %q", sample, err, want)
		}
	}
}

// TestLimit holds that a connection that does not fit in memory is refused.
func TestLimit(t *testing.T) {
	_, err := record(t, source(t, "rxe-basic"), script.Options{MaxBytes: 256 << 10})
	if large := (*script.TooLarge)(nil); !errors.As(err, &large) || !strings.Contains(err.Error(), "raise the limit") {
		t.Errorf("%v", err)
	}
}

// TestSelect holds that only the RPCs are kept that were asked for.
func TestSelect(t *testing.T) {
	all, err := record(t, source(t, "rxe-basic"), script.Options{})
	if err != nil {
		t.Fatal(err)
	}
	want, operations := 0, 0
	for _, call := range all.Calls {
		if call.Name == "NFS3 READ" {
			want++
		}
	}
	for i := range all.Operations {
		if call := all.Operations[i].Call; call != nil && call.Name == "NFS3 READ" {
			operations++
		}
	}
	c, err := record(t, source(t, "rxe-basic"), script.Options{Select: func(r *dissect.RPC) bool {
		return string(r.AppendName(nil, r.Ops(nil))) == "NFS3 READ"
	}})
	if err != nil {
		t.Fatal(err)
	}
	if len(c.Calls) != want || len(c.Messages) != 2*want || c.Unselected != len(all.Calls)-want {
		t.Errorf("%d calls, %d messages, %d not selected; want %d calls", len(c.Calls), len(c.Messages), c.Unselected, want)
	}
	if len(c.Operations) != operations || operations == 0 {
		t.Errorf("%d RDMA operations, want the %d of these calls", len(c.Operations), operations)
	}
	wholeCalls(t, c)
}

// TestLate takes a capture that began late, one that has one direction only, and one that
// the snap length cut.
func TestLate(t *testing.T) {
	b := build.NewConversation(build.Setup{})
	b.Connect()
	setUp := len(b.Frames)
	b.Reply(b.Call(build.NFS3Read(1, []byte("handle"), 0, 3000), build.WriteChunk{{Handle: 0xc82, Length: 4096, Offset: 0x1000}}),
		build.NFS3ReadReply(1, bytes.Repeat([]byte("x"), 3000)))
	b.Reply(b.Call(build.NFS3GetAttr(2, []byte("handle"))), build.NFS3GetAttrReply(2, 3000))
	b.Disconnect()
	for _, tt := range []struct {
		name         string
		frames       build.Frames
		calls, known int
		want         []string
	}{
		{"whole", b.Frames, 2, 3000, nil},
		{"late", b.Frames[setUp:], 2, 3000, []string{"began after the connection was set up"}},
		{"client only", b.Frames.Only(build.ToServer), 2, 0, []string{"no message of the server", "2 calls are without a reply"}},
		{"server only", b.Frames.Only(build.ToClient), 0, 0, []string{"no message of the client"}},
		{"cut", b.Frames.Cut(120), 2, 0, []string{"not completely in the capture"}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			c := frames(t, tt.frames, script.Options{})
			if len(c.Calls) != tt.calls {
				t.Errorf("%d calls, want %d", len(c.Calls), tt.calls)
			}
			said := strings.Join(c.Lacks, "\n")
			for _, want := range tt.want {
				if !strings.Contains(said, want) {
					t.Errorf("does not say %q in\n%s", want, said)
				}
			}
			if tt.want == nil && said != "" {
				t.Errorf("says %q", said)
			}
			if tt.known > 0 {
				if data, made := c.Calls[0].Returned(rpcrdma.ForWrite, 0); len(data) != tt.known || made != 0 {
					t.Errorf("%d bytes, %d made up", len(data), made)
				}
				if n := len(c.Operations); n != 1 || c.Operations[0].Length != 3000 || c.Operations[0].Call != c.Calls[0] || c.Operations[0].ToServer {
					t.Errorf("operations %+v", c.Operations)
				}
			}
		})
	}
}
