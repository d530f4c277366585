package bind

import (
	"errors"
	"fmt"
	"strings"
	"sync"

	"github.com/rdmacap/rdmacap/dissect/rpc"
	"github.com/rdmacap/rdmacap/dissect/xdr/types"
)

// ErrGSS says that a call is of an RPCSEC_GSS context, which only its own client and
// server can continue (RFC 2203, section 5).
var ErrGSS = errors.New("the call belongs to an RPCSEC_GSS context: its checksums are those of the captured client and server, and no other server accepts them; replay a capture with AUTH_SYS (sec=sys)")

// Options say how calls are rewritten.
type Options struct {
	// OwnerSuffix is appended to owners of clients. It should be another one for
	// each replay. With "" owners stay: the live server then takes the replay for
	// the captured client, and discards that one's state.
	OwnerSuffix string
	// Ignore are keys of fields that Compare leaves out. Case does not count.
	Ignore []string
}

// A Binder rewrites the calls of one conversation. Any number of goroutines may use it.
type Binder struct {
	options Options
	plans   []*plan
	ignored map[string]bool // keys of fields

	mu     sync.Mutex
	reader reader
	tables tables
}

// New returns a Binder for calls of the programs that specs describe: of two that
// describe one program the first counts. nfs.Spec is the usual one.
func New(o Options, specs ...*types.Spec) (*Binder, error) {
	b := &Binder{options: o, tables: newTables(), ignored: make(map[string]bool)}
	for _, s := range specs {
		p, err := newPlan(s)
		if err != nil {
			return nil, err
		}
		b.plans = append(b.plans, p)
	}
	for _, name := range o.Ignore {
		if !b.ignore(name, specs) {
			return nil, fmt.Errorf("%s is not a field of a reply that is compared", name)
		}
	}
	return b, nil
}

// ignore has Compare leave out a field, if there is one of that key.
func (b *Binder) ignore(name string, specs []*types.Spec) (found bool) {
	for _, s := range specs {
		for f := range s.Fields() {
			if f.Key != "" && strings.EqualFold(f.Key, name) {
				b.ignored[f.Key], found = true, true
			}
		}
	}
	return found
}

// plan is the one that describes a message's procedure, nil if none does.
func (b *Binder) plan(m *Message) *plan {
	for _, p := range b.plans {
		if p.procedure(m) != nil {
			return p
		}
	}
	return nil
}

// TieHandle says which handle the live server has for a captured one: that of the root,
// which NFS version 3 gets by MOUNT.
func (b *Binder) TieHandle(captured, live []byte) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.tables.tie(types.Handles, "", captured, live)
}

// decodeCall reads the header of a call.
func decodeCall(m *Message) (*rpc.Call, error) {
	header := new(rpc.Call)
	header.Decode(m.Bytes)
	switch {
	case header.Cred.Flavor == rpc.RPCSECGSS:
		return nil, ErrGSS
	case header.Fault.Bad():
		return nil, fmt.Errorf("the RPC call cannot be bound: %v", header.Fault)
	}
	return header, nil
}

// A Call is a captured call and what it became. One goroutine uses it.
type Call struct {
	Rewritten

	binder   *Binder
	captured Message
	contents *contents
	// scopes are the handles that the operations are about; scopes[0] is that outside
	// of operations.
	scopes []string
	// numbers are what the call has used of sequence numbers.
	numbers []number
	again   bool // it is rewritten for another time
	foreign bool // it names something that is not this replay's own
}

// Call rewrites a captured call with what is known by now. The error is ErrGSS, or says that
// the header is not one of a call. A call of a program that no text describes, or whose
// arguments are malformed, is rewritten as far as they can be read. The captured bytes must
// stay as they are as long as the Call is used.
func (b *Binder) Call(captured Message) (*Call, error) {
	header, err := decodeCall(&captured)
	if err != nil {
		return nil, err
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	c := &Call{binder: b, captured: captured}
	c.contents = b.reader.call(b.plan(&captured), &captured, header)
	c.scopes = c.contents.scopes()
	c.rewrite()
	return c, nil
}

// Again rewrites the captured call anew: slot and seqid go on where the reply before
// left them (RFC 8881, section 15.1.1.3: NFS4ERR_DELAY after SEQUENCE has used up
// the slot's number). The XID is for the caller to change.
func (c *Call) Again() {
	c.binder.mu.Lock()
	defer c.binder.mu.Unlock()
	c.again = true
	c.rewrite()
}

func (c *Call) rewrite() {
	c.foreign = c.namesForeign()
	c.numbers = c.numbers[:0]
	c.Rewritten = rewrite(c.contents, c.live)
	c.Reads = c.moved.reads(c.captured.Reads)
}

// scopes are the handles that a call's operations are about: the last one before.
func (c *contents) scopes() []string {
	scopes := make([]string, 1+len(c.opcodes))
	next, last := 0, ""
	for op := range scopes {
		for ; next < len(c.items) && int(c.items[next].op) <= op; next++ {
			if it := &c.items[next]; it.kind == types.Handles {
				last = string(c.value(it))
			}
		}
		scopes[op] = last
	}
	return scopes
}

// scope is the directory in which an item counts, "" for what counts everywhere.
func scope(scopes []string, it *item) string {
	if (it.kind == types.Cookies || it.kind == types.Verifiers) && int(it.op) < len(scopes) {
		return scopes[it.op]
	}
	return ""
}
