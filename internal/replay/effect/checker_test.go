package effect_test

import (
	"encoding/binary"
	"slices"
	"strings"
	"testing"

	"github.com/rdmacap/rdmacap/dissect"
	"github.com/rdmacap/rdmacap/dissect/rpcrdma"
	"github.com/rdmacap/rdmacap/internal/replay/effect"
	"github.com/rdmacap/rdmacap/internal/replay/script"
	"github.com/rdmacap/rdmacap/internal/replaytest"
)

// words writes numbers as words, text as opaque data with its length word, and bytes as they are.
func words(values ...any) (b []byte) {
	for _, v := range values {
		switch v := v.(type) {
		case int:
			b = binary.BigEndian.AppendUint32(b, uint32(v))
		case string:
			b = append(binary.BigEndian.AppendUint32(b, uint32(len(v))), v...)
		case []byte:
			b = append(b, v...)
		}
		for len(b)%4 != 0 {
			b = append(b, 0)
		}
	}
	return b
}

// rpcCall is an RPC call with AUTH_NONE.
func rpcCall(program, version, procedure int, args ...any) []byte {
	return append(words(7, 0, 2, program, version, procedure, 0, 0, 0, 0), words(args...)...)
}

// compound is the RPC call of an NFS 4 COMPOUND of so many operations.
func compound(minor, ops int, args ...any) []byte {
	return rpcCall(100003, 4, 1, append([]any{"", minor, ops}, args...)...)
}

// inline is a message with an RPC message after a header without chunks.
func inline(data []byte) []byte { return append(words(7, 1, 32, 0, 0, 0, 0), data...) }

// readChunk is one with a Read chunk of one segment.
func readChunk(proc, position, length int, data []byte) []byte {
	return append(words(7, 1, 32, proc, 1, position, 1, length, 0, 0, 0, 0, 0), data...)
}

// call makes a captured call of a message, of whose Read chunk these bytes moved.
func call(data, moved []byte) *script.Message {
	m := &script.Message{Bytes: data, Length: len(data), ToServer: true, Role: dissect.RoleCall}
	m.Header.Decode(data)
	m.Call = &script.Call{Request: m, Name: "CALL"}
	for _, r := range m.Header.Reads {
		s := script.Segment{Segment: r.Segment, Purpose: rpcrdma.ForRead, Position: r.Position, Data: moved}
		s.Moved.Add(0, uint64(len(moved)))
		m.Call.Segments = append(m.Call.Segments, s)
	}
	return m
}

// Operations of NFS 4, and arguments.
const (
	opClose, opGetattr, opOpen, opPutrootfh, opRemove, opReclaimComplete = 4, 9, 18, 24, 28, 58
)

var (
	stateid = []byte("\x00\x00\x00\x01abcdefghijkl")
	getattr = words(opGetattr, 1, 1<<4)
)

// open is an OPEN of an existing file, or one that creates it, without attributes.
func open(create int) []byte {
	b := words(opOpen, 0, 1, 0, 0, 1, "owner", create)
	if create == 1 {
		b = append(b, words(0, 0, "")...) // UNCHECKED4
	}
	return append(b, words(0, "name")...)
}

// TestMessage judges calls: what is not understood to its end counts as a change.
func TestMessage(t *testing.T) {
	const changes, state, reads = effect.Changes, effect.State, effect.Reads
	remove := words(opRemove, "victim")
	long := compound(1, 1, getattr)
	for _, c := range []struct {
		name string
		m    *script.Message
		want effect.Effect
		by   string
	}{
		{"GETATTR", call(inline(compound(1, 2, opPutrootfh, getattr)), nil), reads, "CALL"},
		{"REMOVE", call(inline(compound(1, 2, opPutrootfh, remove)), nil), changes, "NFS4 REMOVE"},
		{"RECLAIM_COMPLETE", call(inline(compound(1, 1, opReclaimComplete, 1)), nil), state, "NFS4 RECLAIM_COMPLETE"},
		{"a boolean of 2 before REMOVE", call(inline(compound(1, 2, opReclaimComplete, 2, remove)), nil), changes, "cannot be decoded completely"},
		{"an unknown operation", call(inline(compound(1, 2, opPutrootfh, 4711)), nil), changes, "cannot be decoded completely"},
		{"ILLEGAL", call(inline(compound(1, 1, 10044)), nil), changes, "NFS4 ILLEGAL"},
		{"bytes left over", call(inline(compound(1, 1, getattr, remove)), nil), changes, "bytes left over"},
		{"truncated", call(inline(compound(1, 2, getattr)), nil), changes, "cannot be decoded completely"},
		{"cut inside a word", call(inline(compound(1, 1, getattr)[:62]), nil), changes, "cannot be decoded completely"},
		{"minor version 3", call(inline(compound(3, 1, getattr)), nil), changes, "minor version"},
		{"no operation", call(inline(compound(1, 0)), nil), reads, "CALL"},
		{"OPEN", call(inline(compound(1, 2, opPutrootfh, open(0))), nil), state, "NFS4 OPEN"},
		{"OPEN that creates", call(inline(compound(1, 2, opPutrootfh, open(1))), nil), changes, "creates a file"},
		{"NULL", call(inline(rpcCall(100003, 4, 0)), nil), reads, "CALL"},
		{"NULL with arguments", call(inline(rpcCall(100003, 4, 0, 1)), nil), changes, "bytes left over"},
		{"NULL of an unknown program", call(inline(rpcCall(4711, 1, 0)), nil), reads, "CALL"},
		{"an unknown program", call(inline(rpcCall(4711, 1, 1)), nil), changes, "program or procedure"},
		{"an unknown version", call(inline(rpcCall(100003, 5, 1, "handle")), nil), changes, "program or procedure"},
		{"an unknown procedure", call(inline(rpcCall(100003, 3, 22, "handle")), nil), changes, "program or procedure"},
		{"NFS3 GETATTR", call(inline(rpcCall(100003, 3, 1, "handle")), nil), reads, "CALL"},
		{"NFS3 GETATTR and more", call(inline(rpcCall(100003, 3, 1, "handle", 0)), nil), changes, "bytes left over"},
		{"NFS3 REMOVE", call(inline(rpcCall(100003, 3, 12, "handle", "name")), nil), changes, "CALL"},
		{"a forwarded call", call(inline(rpcCall(100000, 2, 5, 100003, 3, 12, "arguments")), nil), changes, "CALL"},
		{"GETPORT", call(inline(rpcCall(100000, 2, 3, 100003, 3, 6, 0)), nil), state, "CALL"},
		{"no RPC header", call(inline(words(7, 0, 2)), nil), changes, "RPC header"},
		{"a reply", call(inline(words(7, 1, 0, 0, 0, 0)), nil), changes, "RPC header"},
		{"a long call", call(readChunk(1, 0, len(long), nil), long), reads, "CALL"},
		{"a long call, in part", call(readChunk(1, 0, len(long), nil), long[:48]), changes, "missing from the capture"},
		{"a long call and bytes behind its header", call(readChunk(1, 0, len(long), long), long), changes, "transport header"},
		{"inline and a Position-Zero Read chunk", call(readChunk(0, 0, len(long), long), long), changes, "transport header"},
		{"a Read chunk where no item is", call(readChunk(0, 48, 4, long), []byte("chunk")[:4]), changes, "cannot be decoded completely"},
		{"RDMA_MSGP", call(words(7, 1, 32, 2, 4, 100, 0, 0, 0, long), nil), changes, "transport header"},
		{"a header cut short", call(words(7, 1, 32, 0, 0), nil), changes, "transport header"},
		{"version 2", call(words(7, 2, 32, 0, 0, 0, 0, 0, 0, long), nil), changes, "RPC-over-RDMA version"},
	} {
		t.Run(c.name, func(t *testing.T) {
			j, err := effect.NewChecker()
			if err != nil {
				t.Fatal(err)
			}
			if v := j.Message(c.m, nil); v.Effect != c.want || !strings.Contains(v.By, c.by) {
				t.Errorf("%v by %q, want %v by %q", v.Effect, v.By, c.want, c.by)
			}
		})
	}
}

// TestChunkLength holds that a Read chunk longer than its item counts as a change: a server
// decodes the rest of it as the next operation.
func TestChunkLength(t *testing.T) {
	t.Parallel()
	j, err := effect.NewChecker()
	if err != nil {
		t.Fatal(err)
	}
	// LOOKUP, whose name goes by a chunk.
	args := compound(1, 2, opPutrootfh, 15, 8)
	for length, want := range map[int]effect.Effect{4: effect.Changes, 8: effect.Reads, 12: effect.Changes, 28: effect.Changes} {
		m := call(readChunk(0, len(args), length, args), make([]byte, length))
		if v := j.Message(m, nil); v.Effect != want {
			t.Errorf("a chunk of %d bytes for a name of 8: %v by %q, want %v", length, v.Effect, v.By, want)
		}
	}
}

// TestCut holds that what the capture lacks of a message is not taken for harmless.
func TestCut(t *testing.T) {
	t.Parallel()
	j, err := effect.NewChecker()
	if err != nil {
		t.Fatal(err)
	}
	m := call(inline(compound(1, 1, getattr)), nil)
	if m.Length += 4; j.Message(m, nil).Effect != effect.Changes {
		t.Error("a message of which 4 bytes are missing")
	}
}

// TestKept holds what becomes of an operation that ends state: it counts as a change where what
// it names is sent as captured.
func TestKept(t *testing.T) {
	t.Parallel()
	j, err := effect.NewChecker()
	if err != nil {
		t.Fatal(err)
	}
	session := []byte("session of 16...")
	for name, op := range map[string][]byte{
		"CLOSE": words(opClose, 1, stateid), "DELEGRETURN": words(8, stateid), "LOCKU": words(14, 1, 1, stateid, 0, 0, 0, 0),
		"DESTROY_SESSION": words(44, session), "DESTROY_CLIENTID": words(57, 0, 9),
	} {
		m := call(inline(compound(1, 2, opPutrootfh, op)), nil)
		for _, c := range []struct {
			kept func(op int) bool
			want effect.Effect
		}{
			{nil, effect.Changes},
			{func(op int) bool { return op == 1 }, effect.Changes},
			{func(op int) bool { return op != 1 }, effect.State},
		} {
			if v := j.Message(m, c.kept); v.Effect != c.want || !strings.HasPrefix(v.By, "NFS4 "+name) {
				t.Errorf("%s: %v by %q, want %v", name, v.Effect, v.By, c.want)
			}
		}
	}
}

// TestOthers judges messages that are no calls.
func TestOthers(t *testing.T) {
	t.Parallel()
	j, err := effect.NewChecker()
	if err != nil {
		t.Fatal(err)
	}
	for name, c := range map[string]struct {
		data []byte
		want effect.Effect
	}{
		"RDMA_DONE":            {words(7, 1, 32, 3), effect.Reads},
		"RDMA_DONE and a call": {words(7, 1, 32, 3, compound(1, 1, getattr)), effect.Changes},
		"RDMA_ERROR":           {words(7, 1, 32, 4, 2), effect.Reads},
		"a reply":              {inline(words(7, 1, 0, 0, 0, 0)), effect.Reads},
		"a call":               {inline(compound(1, 1, getattr)), effect.Changes},
		"a long reply":         {words(7, 1, 32, 1, 0, 0, 1, 1, 0x1234, 8, 0, 0), effect.Reads},
		"a long call":          {readChunk(1, 0, 80, nil), effect.Changes},
		"nothing":              {nil, effect.Changes},
		"an unknown procedure": {words(7, 1, 32, 9), effect.Changes},
	} {
		m := &script.Message{Bytes: c.data, Length: len(c.data), ToServer: true}
		m.Header.Decode(c.data)
		if v := j.Message(m, nil); v.Effect != c.want {
			t.Errorf("%s: %v by %q, want %v", name, v.Effect, v.By, c.want)
		}
	}
}

// TestSamples holds that calls of real clients are understood: nobody has to say --yes to read.
func TestSamples(t *testing.T) {
	t.Parallel()
	for _, s := range []struct {
		name       string
		connection int
	}{{"rxe-basic", 1}, {"rxe-basic", 3}, {"rxe-basic", 4}, {"siw-basic", 1}, {"siw-basic", 2}, {"siw-cb", 0}, {"rxe-cb", 0}, {"rxe-thresh", 0}} {
		c := replaytest.Sample(t, s.name, script.Options{Connection: s.connection})
		j, err := effect.NewChecker()
		if err != nil {
			t.Fatal(err)
		}
		var tally effect.Tally
		for _, m := range c.Messages {
			if m.ToServer {
				tally.Add(j.Message(m, nil), m.Call)
			}
		}
		if len(tally) < 5 {
			t.Errorf("%s, connection %d: %v", s.name, s.connection, tally)
		}
		for _, n := range tally.Of(effect.Changes) {
			_, name, _ := strings.Cut(n.By, " ")
			if words := strings.Fields(name); len(words) > 1 && !slices.Contains([]string{"with", "that"}, words[1]) || strings.Contains(n.By, "left over") {
				t.Errorf("%s, connection %d: %d of %q", s.name, s.connection, n.Calls, n.By)
			}
		}
	}
}
