package metrics

import (
	"bytes"
	"slices"

	"github.com/rdmacap/rdmacap/dissect"
	"github.com/rdmacap/rdmacap/stats"
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

// bounds are those of the buckets of latencies, in nanoseconds.
var bounds = [...]int64{
	10e3, 20e3, 50e3, 100e3, 200e3, 500e3, // 10 µs
	1e6, 2e6, 5e6, 10e6, 20e6, 50e6, 100e6, 200e6, 500e6, // 1 ms
	1e9, 2e9, 5e9, 10e9, 30e9, // 1 s
}

// A histogram counts latencies.
type histogram struct {
	buckets [len(bounds)]uint64 // not cumulated
	count   uint64
	sum     int64 // nanoseconds
}

func (h *histogram) add(ns int64) {
	h.count++
	h.sum += ns
	if i, _ := slices.BinarySearch(bounds[:], ns); i < len(bounds) {
		h.buckets[i]++
	}
}

// join adds others.
func (h *histogram) join(o *histogram) {
	h.count += o.count
	h.sum += o.sum
	for i, n := range o.buckets {
		h.buckets[i] += n
	}
}

// An operation is what is counted of RPCs of one kind.
type operation struct {
	name                     string
	rpcs, incomplete, failed uint64
	read, written            uint64 // octets that RDMA moved
	latency                  histogram
}

// add counts an RPC, and by its name the error with which it was answered.
func (o *operation) add(r *dissect.RPC, errors *names) {
	o.rpcs++
	if !r.Complete {
		o.incomplete++
	}
	if why := stats.Failure(r); why != "" {
		o.failed++
		errors.add(why)
	}
	o.read += r.Offer.ReadOctets
	o.written += r.Offer.WriteOctets
	if ns, ok := r.Latency(); ok {
		o.latency.add(ns)
	}
}

// join adds what was counted elsewhere.
func (o *operation) join(x *operation) {
	o.rpcs += x.rpcs
	o.incomplete += x.incomplete
	o.failed += x.failed
	o.read += x.read
	o.written += x.written
	o.latency.join(&x.latency)
}

// operations are those that have series, by what a person calls them.
type operations struct {
	known    map[string]*operation
	list     []*operation
	numbered int
}

// of is where an RPC with a name is counted.
func (t *operations) of(name []byte) *operation {
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

func (n *names) add(name string) { n.addSome(name, 1) }

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
