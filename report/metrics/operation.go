package metrics

import (
	"bytes"

	"github.com/rdmacap/rdmacap/dissect"
	"github.com/rdmacap/rdmacap/dissect/latency"
	"github.com/rdmacap/rdmacap/internal/stats"
)

const (
	// maxOperations is how many operations have series of their own: more than one
	// mount of each version of NFS has in practice. There are 27 series for each.
	maxOperations = 100
	// maxNumbered is how many of them may be called by a number: whoever calls what
	// does not exist does not use up what the others need.
	maxNumbered = 10
	// other is where everything else is counted.
	other = "other"
)

// An operation is what is counted of RPCs of one kind.
type operation struct {
	name string
	stats.Counts
	latency latency.Buckets
}

// addRPC counts an RPC, and by its name the error with which it was answered.
func (o *operation) addRPC(r *dissect.RPC, errors *names) {
	if why := o.Counts.Add(r); why != "" {
		errors.addName(why)
	}
	if ns, ok := r.Latency(); ok {
		o.latency.Add(ns)
	}
}

// merge adds what was counted elsewhere.
func (o *operation) merge(x *operation) {
	o.Counts.Merge(&x.Counts)
	o.latency.Merge(&x.latency)
}

// operations are those that have series, by what a person calls them.
type operations struct {
	known    map[string]*operation
	list     []*operation
	numbered int
}

// named is where an RPC with a name is counted.
func (t *operations) named(name []byte) *operation {
	if o := t.known[string(name)]; o != nil {
		return o
	}
	number := numbered(name)
	if len(t.list) >= maxOperations || number && t.numbered >= maxNumbered {
		if o := t.known[other]; o != nil {
			return o
		}
		name, number = []byte(other), false
	}
	if number {
		t.numbered++
	}
	o := &operation{name: string(name)}
	t.known[o.name] = o
	t.list = append(t.list, o)
	return o
}

// numbered reports whether a name ends with a number, as that of a procedure or an
// operation does which no specification names.
func numbered(name []byte) bool {
	word := name[bytes.LastIndexByte(name, ' ')+1:]
	return len(word) > 0 && word[0] >= '0' && word[0] <= '9'
}

// copied are the operations as they are now.
func (t *operations) copied() []operation {
	list := make([]operation, len(t.list))
	for i, o := range t.list {
		list[i] = *o
	}
	return list
}

// maxNames is how many errors have series of their own.
const maxNames = 64

// names counts by name.
type names struct {
	known map[string]int
	list  []named
}

type named struct {
	name  string
	count uint64
}

func (n *names) addName(name string) { n.addSome(name, 1) }

func (n *names) addSome(name string, count uint64) {
	i, ok := n.known[name]
	if !ok && (len(n.list) >= maxNames || numbered([]byte(name))) {
		name = other
		i, ok = n.known[name]
	}
	if !ok {
		i = len(n.list)
		n.known[name] = i
		n.list = append(n.list, named{name: name})
	}
	n.list[i].count += count
}
