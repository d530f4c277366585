package responder

import (
	"encoding/binary"
	"slices"
	"strconv"
	"strings"

	"github.com/rdmacap/rdmacap/dissect/rpc"
	"github.com/rdmacap/rdmacap/dissect/xdr/types"
	"github.com/rdmacap/rdmacap/dissect/xdr/walk"
)

// chosen are the fields of arguments that clients choose as they like, beside those that notes
// say it of. A call that differs in nothing else is the same.
var chosen = []string{
	"nfs4.compound4args.tag", "nfs4.state_owner4.owner", "nfs4.sequence4args.sa_highest_slotid", "nfs4.sequence4args.sa_cachethis",
	"nfs4.setclientid4args.callback_ident", "nfs4.netaddr4.na_r_netid", "nfs4.netaddr4.na_r_addr",
	"nfs4.authsys_parms.stamp", "nfs4.authsys_parms.machinename", "nfs4.authsys_parms.uid", "nfs4.authsys_parms.gid",
	"nfs4.cb_client4.cb_program", "nfs4.create_session4args.csa_cb_program", "nfs4.nfs_impl_id4.nii_domain", "nfs4.nfs_impl_id4.nii_name",
}

// reverseProgram is the field by which a client says what its callbacks' program is.
const reverseProgram = "nfs4.create_session4args.csa_cb_program"

// A use is what matching does with a value.
type use uint8

const (
	free     use = iota // it does not count
	identity            // it says what the call is about
	handle              // the same; the client may have another
)

// A reader makes keys of calls. One goroutine uses it.
type reader struct {
	plans   []*walk.Plan
	uses    [][]use // by plan and mark
	program []int32 // by plan: the mark of reverseProgram, -1 if it has none
	walker  walk.Walker
}

// newReader returns a reader of the programs that specs describe.
func newReader(specs []*types.Spec) (*reader, error) {
	r := new(reader)
	for _, s := range specs {
		uses := make(map[string]use)
		var names []string
		for f := range s.Fields() {
			if u, counts := useOf(f); counts {
				uses[f.Key] = u
				names = append(names, f.Key)
			}
		}
		p, err := walk.NewPlan(s, names...)
		if err != nil {
			return nil, err
		}
		byMark := make([]use, len(p.Marks))
		for i := range byMark {
			byMark[i] = unused
		}
		for name, u := range uses {
			byMark[p.Index(name)] = u
		}
		r.plans, r.uses, r.program = append(r.plans, p), append(r.uses, byMark), append(r.program, int32(p.Index(reverseProgram)))
	}
	return r, nil
}

// unused is what has a mark for summaries only.
const unused = use(255)

// useOf is what matching does with a field; it does not count where it is only compared.
func useOf(f *types.Field) (u use, counts bool) {
	t := f.Type
	if t.Kind == types.Optional {
		t = t.Elem
	}
	if f.Key == "" || !t.IsLeaf() || f.Eligible {
		return 0, false
	}
	bound := types.NotBound
	if f.Bind != nil {
		bound = f.Bind.Kind
	}
	switch bound {
	case types.Handles:
		return handle, true
	case types.Slots, types.Sequences, types.Seqids, types.Owners:
		return free, true
	}
	switch {
	case f.Varies || slices.Contains(chosen, f.Key) || strings.HasSuffix(f.Key, "stateid4.seqid"):
		return free, true
	case t.Kind == types.FixedOpaque && bound == types.NotBound && !strings.HasSuffix(f.Key, "stateid4.other"):
		return free, true // a verifier of the client's own
	}
	switch t.Kind {
	case types.Opaque, types.String, types.FixedOpaque, types.Hyper, types.UnsignedHyper:
		return identity, true
	}
	return 0, false
}

// A reading is what is known of a call.
type reading struct {
	header rpc.Call
	// same is equal of calls that ask the same; near of those that ask the same of the same
	// objects, at the same offsets, but perhaps for another amount.
	same, near string
	// handles are those that it names.
	handles []string
	// program is what a CREATE_SESSION says of callbacks, 0 if it says nothing.
	program uint32
	name    string
}

// call reads a call: the bytes of the RPC message without what Read chunks took out of it.
// mapped has the captured handles for those of the live client; nil leaves all as they are.
func (r *reader) call(data []byte, reads []walk.ReadChunk, mapped map[string]string) (c reading) {
	c.header.Decode(data)
	h := &c.header
	c.name = rpc.ProgramName(h.Program)
	if c.name == "" {
		c.name = strconv.Itoa(int(h.Program))
	}
	c.name += strconv.Itoa(int(h.Version)) + " "
	if name := rpc.ProcedureName(h.Program, h.Version, h.Procedure); name != "" {
		c.name += name
	} else {
		c.name += strconv.Itoa(int(h.Procedure))
	}
	body := data[min(h.Length, len(data)):]
	var key keys
	key.both(words(h.Program, h.Version, h.Procedure))
	defer func() { c.same, c.near = string(key.same), string(key.near) }()
	for i, p := range r.plans {
		proc := p.Spec.Procedure(h.Program, h.Version, h.Procedure)
		if proc == nil {
			continue
		}
		r.walker.Most = mostEvents
		r.walker.Walk(p.Args(proc), body, walk.Reduction{Start: uint32(h.Length), Reads: reads})
		r.gather(&c, &key, i, body, mapped)
		return c
	}
	key.both(body)
	return c
}

// mostEvents bounds what is looked at in one message.
const mostEvents = 1 << 18

// keys are the two keys of a call in the making.
type keys struct{ same, near []byte }

func (k *keys) both(b []byte) {
	k.same, k.near = append(k.same, b...), append(k.near, b...)
}

// gather makes the keys: all bytes but those of values that are free, and of data, which
// may stand in a chunk; and those of values that are an identity.
func (r *reader) gather(c *reading, key *keys, plan int, body []byte, mapped map[string]string) {
	at := 0
	upTo := func(end int) { // what was not looked at is compared
		if end > at {
			key.same = append(key.same, body[at:min(end, len(body))]...)
			at = end
		}
	}
	var names []string
	for i := range r.walker.Events {
		e := &r.walker.Events[i]
		start, n := int(e.Offset), int(e.Length)
		switch {
		case e.Kind == walk.Operation:
			key.near = append(key.near, words(uint32(e.Value))...)
			if t := r.plans[plan].Fields[e.Field].Type; t.Names != nil {
				names = append(names, strings.TrimPrefix(t.Names.Name(e.Value), "OP_"))
			}
		case e.Kind == walk.Item:
			upTo(start)
			if e.Chunk < 0 {
				at = max(at, start+padded(n))
			}
		case e.Kind != walk.Value || e.Chunk >= 0 || start < at:
		case e.Mark == r.program[plan] && e.Mark >= 0:
			c.program = uint32(e.Value)
			upTo(start)
			at = start + n
		default:
			kind := r.plans[plan].Marks[e.Mark].Type.Kind
			variable := kind == types.Opaque || kind == types.String
			value := body[start : start+n]
			switch u := r.uses[plan][e.Mark]; u {
			case free:
				if variable {
					start -= 4
					n = 4 + padded(n)
				}
				upTo(start)
				at = max(at, start+n)
			case handle:
				c.handles = append(c.handles, string(value))
				own := string(value)
				if was, is := mapped[own]; is {
					own = was
				}
				upTo(start - 4)
				key.both(words(uint32(len(own))))
				key.both([]byte(own))
				at = max(at, start+padded(n))
			case identity:
				key.near = append(append(key.near, words(uint32(n))...), value...)
			}
		}
	}
	upTo(len(body))
	if len(names) > 0 {
		c.name = strings.TrimSuffix(c.name, "COMPOUND") + strings.Join(names, " ")
	}
}

// words are numbers as XDR has them.
func words(list ...uint32) (b []byte) {
	for _, w := range list {
		b = binary.BigEndian.AppendUint32(b, w)
	}
	return b
}

// padded is a length with its pad (RFC 4506, section 4.10).
func padded(n int) int { return (n + 3) &^ 3 }
