package nfs_test

import (
	"bytes"
	"encoding/binary"
	"math/bits"
	"strings"
	"testing"

	"github.com/rdmacap/rdmacap/capture"
	"github.com/rdmacap/rdmacap/dissect"
	"github.com/rdmacap/rdmacap/dissect/nfs"
	"github.com/rdmacap/rdmacap/dissect/rpc"
	"github.com/rdmacap/rdmacap/dissect/rpcrdma"
	"github.com/rdmacap/rdmacap/dissect/xdr/view"
	"github.com/rdmacap/rdmacap/dissect/xdr/walk"
	"github.com/rdmacap/rdmacap/field"
)

// samples are the shipped captures that hold RPCs, and how many RPCs each holds
// according to samples/README.md. Of sealed ones nobody can read the arguments:
// RPCSEC_GSS's own control messages, and what krb5p encrypts. Of lost ones
// a part is not in the capture.
var samples = []struct {
	name               string
	rpcs, sealed, lost int
}{
	{name: "rxe-basic", rpcs: 566},
	{name: "rxe-thresh", rpcs: 379},
	{name: "rxe-acl", rpcs: 1859},
	{name: "rxe-cb", rpcs: 116},
	{name: "rxe-krb", rpcs: 184, sealed: 19},
	{name: "rxe-ipv6", rpcs: 125},
	{name: "rxe-loss", rpcs: 38, lost: 2},
	{name: "siw-basic", rpcs: 529},
	{name: "siw-loss", rpcs: 280},
	{name: "siw-cb", rpcs: 124},
}

// A payload is the arguments or the result of one RPC of a sample, as far as
// they are inline or in a long message.
type payload struct {
	xid                         uint32
	program, version, procedure uint32
	result                      bool
	bytes                       []byte
	reduced                     walk.Reduction
}

// A tally is what was found of a sample's RPCs.
type tally struct {
	rpcs, sealed, lost int
	// faults are replies that have no result: errors of RPC or of the transport.
	faults int
	// payloads are those that can be walked; NULL's are, too, with no bytes.
	payloads []payload
}

// read dissects a sample and returns what it holds.
func read(tb testing.TB, name string) *tally {
	tb.Helper()
	file, err := capture.Open("../../samples/"+name+".pcap.zst", 0)
	if err != nil {
		tb.Fatal(err)
	}
	defer file.Close()
	found := new(tally)
	d := dissect.New(found, dissect.Options{KeepBytes: true})
	faults, err := d.Run(file, func(bool) error { return nil })
	if err != nil || len(faults) > 0 {
		tb.Fatalf("%s: %v, faults %v", name, err, faults)
	}
	d.Flush()
	return found
}

func (*tally) Connection(*dissect.Connection, bool) {}
func (*tally) Frame(*dissect.FrameView)             {}
func (*tally) Message(*dissect.Message)             {}

// RPC keeps the arguments and the result of an RPC.
func (found *tally) RPC(r *dissect.RPC) {
	found.rpcs++
	header := r.CallHeader()
	if !r.Complete || header == nil {
		found.lost++
		return
	}
	cred := &header.Cred
	if cred.Flavor == rpc.RPCSECGSS && (cred.GSS.Proc != rpc.GSSData || cred.GSS.Service == rpc.ServicePrivacy) {
		found.sealed++
		return
	}
	p := payload{xid: r.XID, program: header.Program, version: header.Version, procedure: header.Procedure}
	arguments := p
	arguments.bytes = unwrap(cred, body(r.Call, r.Offer.LongCall, header.Length))
	arguments.reduced = walk.Reduction{Start: uint32(header.Length), Reads: readChunks(&r.Call.Header)}
	found.payloads = append(found.payloads, arguments)
	reply := r.ReplyHeader()
	if reply == nil || reply.Denied || reply.Accept != rpc.Success {
		found.faults++
		return
	}
	result := p
	result.result = true
	result.bytes = unwrap(cred, body(r.Reply, r.Offer.LongReply, reply.Length))
	result.reduced = walk.Reduction{Start: uint32(reply.Length), Writes: writeChunks(&r.Reply.Header)}
	found.payloads = append(found.payloads, result)
}

// body is a copy of what follows the RPC header of so many bytes.
func body(m *dissect.Message, long []byte, header int) []byte {
	data := m.Bytes[m.Header.Length:]
	if m.Transfer == dissect.Long {
		data = long
		if m.Answer {
			data = data[:m.Header.ChunkLength(m.Header.Reply)]
		}
	}
	return bytes.Clone(data[header:])
}

// unwrap takes arguments or a result out of what RPCSEC_GSS's integrity service
// puts around them: a length, a sequence number, them, and a checksum (RFC 2203,
// section 5.3.2.2). Nothing travels in chunks then.
func unwrap(cred *rpc.Cred, data []byte) []byte {
	if cred.Flavor != rpc.RPCSECGSS || cred.GSS.Service != rpc.ServiceIntegrity {
		return data
	}
	const length, sequence = 4, 4 // bytes
	n := binary.BigEndian.Uint32(data)
	return data[length+sequence : length+n]
}

// readChunks are the Read chunks of a call but for the one that is the message.
func readChunks(h *rpcrdma.Header) (chunks []walk.ReadChunk) {
	for i := range h.NumReadChunks() {
		if position, _ := h.ReadChunk(i); position > 0 {
			chunks = append(chunks, walk.ReadChunk{Position: position, Length: uint32(h.ReadLength(position))})
		}
	}
	return chunks
}

// writeChunks are the lengths that a reply returned.
func writeChunks(h *rpcrdma.Header) (lengths []uint32) {
	for _, c := range h.Writes {
		lengths = append(lengths, uint32(h.ChunkLength(c)))
	}
	return lengths
}

// plan is a plan of all texts, with the marks that tests ask for.
func plan(tb testing.TB, fields ...string) *walk.Plan {
	tb.Helper()
	spec, err := nfs.Spec()
	if err != nil {
		tb.Fatal(err)
	}
	p, err := walk.NewPlan(spec, fields...)
	if err != nil {
		tb.Fatal(err)
	}
	return p
}

// route is the way over a payload, nil if the texts do not know its procedure.
func (p *payload) route(plan *walk.Plan) *walk.Route {
	proc := plan.Spec.Procedure(p.program, p.version, p.procedure)
	switch {
	case proc == nil:
		return nil
	case p.result:
		return plan.Result(proc)
	}
	return plan.Args(proc)
}

// TestSamplesAreWalked goes over the arguments and results of every RPC of the
// shipped captures: each ends where its bytes do, nothing in it is unknown or
// wrong, and every chunk belongs to an item.
func TestSamplesAreWalked(t *testing.T) {
	plan := plan(t)
	for _, sample := range samples {
		t.Run(sample.name, func(t *testing.T) {
			found := read(t, sample.name)
			t.Logf("%d RPCs, %d sealed, %d lost, %d without a result, %d payloads", found.rpcs, found.sealed, found.lost, found.faults, len(found.payloads))
			if found.rpcs != sample.rpcs || found.sealed != sample.sealed || found.lost != sample.lost {
				t.Errorf("%d RPCs, %d sealed, %d lost, want %d, %d and %d", found.rpcs, found.sealed, found.lost, sample.rpcs, sample.sealed, sample.lost)
			}
			var w walk.Walker
			for i := range found.payloads {
				p := &found.payloads[i]
				r := p.route(plan)
				if r == nil {
					t.Errorf("program %d version %d procedure %d is not known", p.program, p.version, p.procedure)
					continue
				}
				w.Walk(r, p.bytes, p.reduced)
				what := r.Procedure.Name
				if p.result {
					what += " result"
				}
				if w.Fault.Bad() || w.Consumed != len(p.bytes) || w.Dropped {
					t.Errorf("XID %#08x %s: %d of %d bytes, dropped %v, fault: %v\n%x", p.xid, what, w.Consumed, len(p.bytes), w.Dropped, w.Fault, p.bytes)
				}
				p.chunks(t, &w, what)
			}
		})
	}
}

// chunks checks that each chunk that carried data belongs to an eligible item
// of its length.
func (p *payload) chunks(t *testing.T, w *walk.Walker, what string) {
	t.Helper()
	var items []walk.Event
	for _, e := range w.Events {
		if e.Kind == walk.Item && e.Chunk >= 0 {
			items = append(items, e)
		}
	}
	for i, c := range p.reduced.Reads {
		if i >= len(items) || !items[i].Eligible || items[i].Position != uint64(c.Position) || c.Length != items[i].Length && c.Length != (items[i].Length+3)&^3 {
			t.Errorf("XID %#08x %s: Read chunk %d %+v is for none of %+v", p.xid, what, i, c, items)
		}
	}
	used := 0
	for i, n := range p.reduced.Writes {
		if n == 0 {
			continue
		}
		if used >= len(items) || !items[used].Eligible || int(items[used].Chunk) != i || items[used].Length != n {
			t.Errorf("XID %#08x %s: Write chunk %d of %d bytes is for none of %+v", p.xid, what, i, n, items)
		}
		used++
	}
	if len(items) != used+len(p.reduced.Reads) {
		t.Errorf("XID %#08x %s: %d items in %d chunks", p.xid, what, len(items), used+len(p.reduced.Reads))
	}
}

// TestSamplesAsTrees builds the tree of every RPC of the shipped captures: no
// node has a fault, none says that something is not known, each attribute of
// a bitmap is there, and the tree ends where the bytes do.
func TestSamplesAsTrees(t *testing.T) {
	plan := plan(t)
	for _, sample := range samples {
		t.Run(sample.name, func(t *testing.T) {
			for _, p := range read(t, sample.name).payloads {
				root := view.Nodes(p.route(plan), p.bytes, 0, p.reduced, nil)
				if root.End != len(p.bytes) {
					t.Errorf("XID %#08x: the tree ends at %d of %d bytes", p.xid, root.End, len(p.bytes))
				}
				each(&root, func(n *field.Node) {
					if n.Fault != "" || n.Name == "not decoded" || strings.Contains(n.Value, "not all shown") {
						t.Errorf("XID %#08x: %s %s %s", p.xid, n.Name, n.Value, n.Fault)
					}
					if len(n.Children) > 1 && n.Children[1].Name == "attr_vals" {
						want := 0
						for _, c := range p.bytes[n.Children[0].Start+4 : n.Children[0].End] {
							want += bits.OnesCount8(c)
						}
						if got := len(n.Children[1].Children); got != want {
							t.Errorf("XID %#08x: %d attributes shown, want %d: %s", p.xid, got, want, n.Children[0].Value)
						}
					}
				})
			}
		})
	}
}

// each calls f for a node and all below it.
func each(n *field.Node, f func(*field.Node)) {
	f(n)
	for i := range n.Children {
		each(&n.Children[i], f)
	}
}
