package bind_test

import (
	"bytes"
	"crypto/sha256"
	"encoding/binary"
	"strings"
	"testing"

	"github.com/rdmacap/rdmacap/dissect/rpc"
	"github.com/rdmacap/rdmacap/dissect/xdr/types"
	"github.com/rdmacap/rdmacap/dissect/xdr/view"
	"github.com/rdmacap/rdmacap/dissect/xdr/walk"
	"github.com/rdmacap/rdmacap/field"
	"github.com/rdmacap/rdmacap/internal/replay/bind"
)

// suffix is what owners of clients get.
const suffix = "/replayed"

// Another server gives other handles, stateids, sessions and so on for the same calls: what
// it gives is a function of what the captured server gave, of another length where it may be.
// Which items these are is reported here by the keys of their fields, one by one, so that the notes
// of the texts are held against it. Messages are written by their field trees.
type otherServer struct {
	plan *walk.Plan
	// slots are how many calls more each slot of a session has had than in the capture,
	// seqids the same of NFS 4.0's owners.
	slots, seqids map[string]uint32
	count         int // items that became others
}

func newServer(tb testing.TB) *otherServer {
	p, err := walk.NewPlan(spec(tb))
	if err != nil {
		tb.Fatal(err)
	}
	return &otherServer{plan: p, slots: make(map[string]uint32), seqids: make(map[string]uint32)}
}

// other are n bytes that stand for a value.
func other(value []byte, what string, n int) []byte {
	h := sha256.Sum256(append([]byte(what), value...))
	return bytes.Repeat(h[:], 1+n/len(h))[:n]
}

func zero(v []byte) bool { return len(v) == bytes.Count(v, []byte{0}) }

// becomes is the item with this server, nil if it stays.
func (o *otherServer) becomes(key string, v []byte) []byte {
	switch key {
	case "nfs3.nfs_fh3.data", "nfs4.putfh4args.object", "nfs4.getfh4resok.object", "nfs4.attr4.filehandle",
		"mount.mountres3_ok.fhandle", "nfs4.cb_recall4args.fh":
		h := sha256.Sum256(v)
		return other(v, "handle", 1+int(h[7])%60)
	case "nfs4.stateid4.other":
		if zero(v) || zero(bytes.ReplaceAll(v, []byte{0xff}, []byte{0})) {
			return nil
		}
		return other(v, "state", 12)
	case "nfs4.setclientid4resok.setclientid_confirm", "nfs4.setclientid_confirm4args.setclientid_confirm":
		return other(v, "confirm", 8)
	case "nfs4.sequence4args.sa_sessionid", "nfs4.sequence4resok.sr_sessionid", "nfs4.create_session4resok.csr_sessionid",
		"nfs4.destroy_session4args.dsa_sessionid", "nfs4.bind_conn_to_session4args.bctsa_sessid", "nfs4.bind_conn_to_session4resok.bctsr_sessid",
		"nfs4.cb_sequence4args.csa_sessionid", "nfs4.cb_sequence4resok.csr_sessionid":
		return other(v, "session", 16)
	case "nfs4.state_owner4.clientid", "nfs4.setclientid4resok.clientid", "nfs4.setclientid_confirm4args.clientid", "nfs4.renew4args.clientid",
		"nfs4.exchange_id4resok.eir_clientid", "nfs4.create_session4args.csa_clientid", "nfs4.destroy_clientid4args.dca_clientid":
		if zero(v) {
			return nil
		}
		return other(v, "client", 8)
	case "nfs4.entry4.cookie", "nfs3.entry3.cookie", "nfs3.entryplus3.cookie", "nfs4.readdir4args.cookie", "nfs3.readdir3args.cookie", "nfs3.readdirplus3args.cookie":
		if zero(v) {
			return nil
		}
		return binary.BigEndian.AppendUint64(nil, 3*binary.BigEndian.Uint64(v)+7)
	case "nfs4.client_owner4.co_ownerid", "nfs4.nfs_client_id4.id":
		return append(bytes.Clone(v), suffix...)
	case "nfs4.exchange_id4resok.eir_sequenceid", "nfs4.create_session4args.csa_sequence":
		return plus(v, 41)
	case "nfs3.writeverf3", "nfs3.commit3resok.verf", "nfs3.write3resok.verf", "nfs4.write4resok.writeverf", "nfs4.commit4resok.writeverf":
		return other(v, "boot", 8)
	}
	if strings.HasSuffix(key, ".fileid") && len(v) == 8 {
		return other(v, "file", 8)
	}
	return nil
}

func plus(v []byte, n uint32) []byte {
	return binary.BigEndian.AppendUint32(nil, binary.BigEndian.Uint32(v)+n)
}

// translate writes a message as it is with this server.
func (o *otherServer) translate(t *testing.T, m bind.Message, isReply bool) []byte {
	t.Helper()
	w := writer{server: o}
	w.becomes = func(n *field.Node, v []byte) []byte {
		if to := w.sequence(n, v); to != nil {
			return to
		}
		to := o.becomes(n.Key, v)
		if to != nil {
			o.count++
		}
		return to
	}
	return w.write(t, m, isReply)
}

// counting writes a reverse-direction call with nothing but its slot and sequence number replaced.
func (o *otherServer) counting(t *testing.T, m bind.Message) []byte {
	w := writer{server: o}
	w.becomes = func(n *field.Node, v []byte) []byte {
		if strings.HasPrefix(n.Key, "nfs4.cb_") {
			return w.sequence(n, v)
		}
		return nil
	}
	return w.write(t, m, false)
}

// write writes a message with what its values become.
func (w *writer) write(t *testing.T, m bind.Message, isReply bool) []byte {
	t.Helper()
	tree := w.server.tree(t, m, isReply)
	w.bytes = m.Bytes
	header := tree.Start
	if header == len(m.Bytes) {
		return bytes.Clone(m.Bytes)
	}
	return append(bytes.Clone(m.Bytes[:header]), w.node(&tree)...)
}

// tree is the field tree of a message's arguments or result.
func (o *otherServer) tree(t *testing.T, m bind.Message, isReply bool) field.Node {
	t.Helper()
	reduced := walk.Reduction{Reads: m.Reads}
	var header int
	if isReply {
		var h rpc.Reply
		h.Decode(m.Bytes)
		if h.Denied || h.Accept != rpc.Success {
			return field.Node{Start: len(m.Bytes), End: len(m.Bytes)}
		}
		header, reduced = h.Length, walk.Reduction{Writes: m.Writes}
	} else {
		var h rpc.Call
		h.Decode(m.Bytes)
		header = h.Length
	}
	reduced.Start = uint32(header)
	proc := o.plan.Spec.Procedure(m.Program, m.Version, m.Procedure)
	if proc == nil {
		t.Fatalf("procedure %d of version %d of program %d is not known", m.Procedure, m.Version, m.Program)
	}
	route := o.plan.Args(proc)
	if isReply {
		route = o.plan.Result(proc)
	}
	tree := view.Nodes(route, m.Bytes, header, reduced, nil)
	if tree.End != len(m.Bytes) {
		t.Fatalf("the tree of %s ends at %d of %d bytes", proc.Name, tree.End, len(m.Bytes))
	}
	return tree
}

// A writer writes the bytes of a field tree.
type writer struct {
	server *otherServer
	bytes  []byte
	// becomes is what a value becomes, nil if it stays.
	becomes func(n *field.Node, v []byte) []byte
	// session is the one that SEQUENCE named before.
	session []byte
}

// node is what a node becomes.
func (w *writer) node(n *field.Node) []byte {
	b := w.bytes[n.Start:n.End]
	f := w.server.plan.Spec.Field(n.Key)
	variable := f != nil && (f.Type.Kind == types.Opaque || f.Type.Kind == types.String)
	if len(n.Children) == 0 {
		if strings.Contains(n.Value, " in the Read chunk") || strings.Contains(n.Value, " in Write chunk") {
			return b
		}
		v := b
		if variable {
			v = b[4:][:binary.BigEndian.Uint32(b)]
		}
		switch to := w.becomes(n, v); {
		case to == nil:
			return b
		case variable:
			return opaque(to)
		default:
			return to
		}
	}
	var out []byte
	at := n.Start
	if variable {
		at += 4
	}
	for i := range n.Children {
		c := &n.Children[i]
		out = append(out, w.bytes[at:c.Start]...)
		out = append(out, w.node(c)...)
		at = c.End
	}
	if variable { // what it holds ends where its length says
		return opaque(append(out, w.bytes[at:n.Start+4+int(binary.BigEndian.Uint32(w.bytes[n.Start:]))]...))
	}
	return append(out, w.bytes[at:n.End]...)
}

// sequence is what a number that counts calls becomes.
func (w *writer) sequence(n *field.Node, v []byte) []byte {
	switch n.Key {
	case "nfs4.sequence4args.sa_sessionid", "nfs4.sequence4resok.sr_sessionid":
		w.session = v
	case "nfs4.sequence4args.sa_sequenceid", "nfs4.sequence4resok.sr_sequenceid":
		return plus(v, w.server.slots[string(w.session)+string(w.bytes[n.End:n.End+4])])
	case "nfs4.cb_sequence4args.csa_sequenceid", "nfs4.cb_sequence4resok.csr_sequenceid":
		return plus(v, 17)
	case "nfs4.cb_sequence4args.csa_slotid", "nfs4.cb_sequence4resok.csr_slotid":
		return plus(v, 3)
	case "nfs4.stateid4.seqid":
		if o := w.bytes[n.End : n.End+12]; !zero(v) && !zero(o) {
			return plus(v, 5)
		}
	}
	return nil
}

func opaque(v []byte) []byte {
	b := append(binary.BigEndian.AppendUint32(nil, uint32(len(v))), v...)
	for len(b)%4 != 0 {
		b = append(b, 0)
	}
	return b
}
