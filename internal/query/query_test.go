package query

import (
	"errors"
	"strings"
	"testing"

	"github.com/rdmacap/rdmacap/dissect"
	"github.com/rdmacap/rdmacap/dissect/nfs"
	"github.com/rdmacap/rdmacap/dissect/xdr/types"
	"github.com/rdmacap/rdmacap/filter"
)

// promised are fields that each level has, whatever else.
var promised = [levels]string{
	Frames: `frame.number frame.time frame.length frame.captured frame.file frame.note connection direction ip.addr port
		icrc.state rdma.opcode rdma.xid rdma.proc rdma.reads.count bth.psn ip.src ipv6.dst tcp.srcport ddp.tagged.stag rdmap.opcode`,
	Messages: `frame.number frame.time connection direction rdma.xid rdma.version rdma.credits rdma.proc rdma.length rdma.header_length
		rdma.reads.count rdma.writes.count rdma.reply rdma.segments.count rdma.handle rdma.offset rdma.segment_length rdma.invalidated
		rdma.error rdma.malformed`,
	RPCs: `rdma.xid rdma.handle rdma.call.credits rdma.reply.credits rdma.call.length rpc.xid rpc.program rpc.version rpc.procedure
		rpc.reverse rpc.auth rpc.gss.service rpc.status rpc.latency rpc.call.length rpc.reply.length rpc.transfer rpc.complete
		rpc.missing rpc.rdma_read_bytes rpc.rdma_write_bytes nfs.op nfs.status nfs.name nfs.fh nfs.offset nfs.count nfs.stateid
		nfs3.read3args.offset nfs4.fattr4.attrmask frame.number frame.time connection direction ip.addr`,
}

func TestPromisedFields(t *testing.T) {
	sets := newSets(t)
	for l := range levels {
		for _, name := range strings.Fields(promised[l]) {
			if _, ok := sets.Set(l).Lookup(name); !ok {
				t.Errorf("%s have no field %s", words[l].rows, name)
			}
		}
		for _, f := range sets.Set(l).Fields() {
			if f.Doc == "" && !strings.Contains(f.Name, "args") && l != RPCs {
				t.Errorf("%s says nothing of itself", f.Name)
			}
		}
	}
}

// TestEveryFieldOfTheTextsIsThere wants each leaf of the texts among the fields.
func TestEveryFieldOfTheTextsIsThere(t *testing.T) {
	spec, err := nfs.Spec()
	if err != nil {
		t.Fatal(err)
	}
	set := newSets(t).Set(RPCs)
	for f := range spec.Fields() {
		switch f.Type.Kind {
		case types.Struct, types.Union, types.Void:
			continue // their own fields are there
		}
		if _, ok := set.Lookup(f.Key); !ok {
			t.Errorf("%s, a %v, is no field", f.Key, f.Type)
		}
	}
}

// TestKindsOfValues asks rows of the samples, one of ten, for every field: each
// has to be given values of its kind.
func TestKindsOfValues(t *testing.T) {
	sets := newSets(t)
	rpc, keys := whole(sets)
	frame := &record[*dissect.FrameView]{list: sets.frames}
	message := &record[*dissect.Message]{list: sets.messages}
	check := func(l Level, r filter.Record) {
		if err := sets.Set(l).Check(r); err != nil && !t.Failed() {
			t.Errorf("%s: %v", words[l].rows, err)
		}
	}
	for _, path := range samples(t) {
		n := 0
		tenth := func() bool { n++; return n%10 == 0 }
		read(t, path, &told{
			frame: func(v *dissect.FrameView) {
				if n < 10*framesTried && tenth() {
					frame.row = v
					check(Frames, frame)
				}
			},
			message: func(m *dissect.Message) { message.row = m; check(Messages, message) },
			rpc: func(r *dissect.RPC) {
				if tenth() {
					rpc.row = r
					check(RPCs, rpc)
				}
			},
		}, keys...)
	}
}

func TestErrors(t *testing.T) {
	sets := newSets(t)
	for _, c := range []struct {
		level        Level
		expr         string
		reason, hint string
	}{
		{RPCs, "nfs.opp == READ", `"nfs.opp" is not a field`, "did you mean nfs.op?"},
		{RPCs, "nfs.op == REED", `nfs.op has no value named "REED"`, "did you mean READ?"},
		{RPCs, "nfs3.read3args.ofset == 1", `"nfs3.read3args.ofset" is not a field`, "did you mean nfs3.read3args.offset?"},
		{RPCs, "bth.psn == 1", `"bth.psn" is not a field`, "it is of frames: add --level frame"},
		{Frames, "nfs.op == READ", `"nfs.op" is not a field`, "it is of RPCs: add --level rpc"},
		{Messages, "rpc.latency > 1ms", `"rpc.latency" is not a field`, "it is of RPCs: add --level rpc"},
		{Messages, "frame.note", `"frame.note" is not a field`, "it is of frames: add --level frame"},
		{Frames, "rdma.proc == RDMA_NOMGS", `rdma.proc has no value named "RDMA_NOMGS"`, "did you mean RDMA_NOMSG?"},
		{RPCs, "rpc.latency > 10", "rpc.latency takes a duration; 10 has no unit", "units are ns, us (µs), ms, s, m and h, as in 10ms"},
		{RPCs, `nfs.status == NFS4ERR_NOET`, `nfs.status has no value named "NFS4ERR_NOET"`, "did you mean NFS4ERR_NOENT?"},
	} {
		_, err := sets.Compile(c.level, c.expr)
		var wrong *filter.Error
		if !errors.As(err, &wrong) {
			t.Errorf("%s: error %v", c.expr, err)
		} else if wrong.Reason != c.reason || wrong.Hint != c.hint {
			t.Errorf("%s: %q, %q; want %q, %q", c.expr, wrong.Reason, wrong.Hint, c.reason, c.hint)
		}
	}
}

// TestOtherLevels asks a query about rows that it is not about.
func TestOtherLevels(t *testing.T) {
	sets := newSets(t)
	for l := range levels {
		q := compile(t, sets, l, "")
		if got := q.Frame(new(dissect.FrameView)); got != (l == Frames) {
			t.Errorf("%s: a frame is %v", words[l].rows, got)
		}
		if got := q.Message(new(dissect.Message)); got != (l == Messages) {
			t.Errorf("%s: a message is %v", words[l].rows, got)
		}
		if got := q.RPC(new(dissect.RPC)); got != (l == RPCs) {
			t.Errorf("%s: an RPC is %v", words[l].rows, got)
		}
	}
}

// TestOwnPrograms asks for fields, a procedure and a program of a user's text.
func TestOwnPrograms(t *testing.T) {
	spec, err := types.Parse("kv.x", `
		struct put { string key<>; opaque value<>; };
		program KV { version KV_V1 { void KV_PUT(put) = 1; } = 7; } = 0x20000001;`)
	if err != nil {
		t.Fatal(err)
	}
	sets, err := NewSets(spec)
	if err != nil {
		t.Fatal(err)
	}
	q := compile(t, sets, RPCs, `rpc.program == KV and rpc.procedure == KV_PUT and nfs.op == KV_PUT and kv.put.key == "x"`)
	if keys := q.Keys(); len(keys) != 1 || keys[0] != "kv.put.key" {
		t.Errorf("the query needs %q", keys)
	}
	b, err := dissect.NewBindings(spec)
	if err != nil {
		t.Fatal(err)
	}
	if err := b.Ask(q.Keys()...); err != nil {
		t.Error(err)
	}
}
