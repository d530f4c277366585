package page

// A Row is an RPC in the list of all.
type Row struct {
	Connection int
	XID        uint32
	// Start is when its first message was captured, in nanoseconds since the start
	// of the capture; Latency from call to reply, -1 if that is not known.
	Start, Latency int64
	// CallFrame is the last frame of the call, ReplyFrame the first of the reply.
	CallFrame, ReplyFrame Frame
	Reverse               bool
	// Name is what a person calls it, Status how it ended, Detail the rest of its row.
	Name, Status string
	Detail       []byte
	// Program, Version and Procedure are -1 where the call is not known; Auth is the
	// flavor of its credential.
	Program, Version, Procedure int64
	Auth                        string
	// CallLength and ReplyLength are octets of the RPC messages, -1 if not known.
	CallLength, ReplyLength     int64
	CallTransfer, ReplyTransfer Transfer
	// ReadOctets and WriteOctets are what RDMA Reads and Writes moved for it.
	ReadOctets, WriteOctets uint64
	Complete                bool
	// Severity is that of the worst finding about it, 0 if there is none.
	Severity uint8
	// Evidence is the number of its Item plus one, 0 if none was kept.
	Evidence int
	// Missing is the first part of it that is not in the capture, "" if all is there.
	Missing string
	// Sets are the values of the columns of sets (Writer.SetColumns).
	Sets [][]uint64
	// Lists are the values of the columns of lists (Options.Lists).
	Lists [][]uint64

	detail int // octets of Detail
}

// A Frame names a captured frame; Number is 0 for none.
type Frame struct {
	File   int
	Number int64
}

// A Transfer says how an RPC message travelled.
type Transfer uint8

const (
	NoTransfer Transfer = iota // the message is not in the capture
	Inline
	Chunked
	Long
)

// rowsInBlock is how many rows a block has.
const rowsInBlock = 2048

// rows gathers a block of rows.
type rows struct {
	list []Row
	// details are what the rows' Detail are parts of.
	details []byte
	// changes are the sets that are not those of the row before: for each row how many,
	// and of each its column, its length and its values.
	changes []uint64
	lists   []lists
	values  int // of all lists
	// texts are those that lists of this block are the first to have.
	texts      []string
	textOctets int
}

// add copies a row: what it refers to may change. It reports whether all of its lists is
// kept.
func (r *rows) add(row *Row, before *sets) (whole bool) {
	r.list = append(r.list, *row)
	c := &r.list[len(r.list)-1]
	c.Detail, c.Sets, c.Lists = nil, nil, nil
	c.detail = len(row.Detail)
	r.details = append(r.details, row.Detail...)
	count := len(r.changes)
	r.changes = append(r.changes, 0)
	for i, s := range row.Sets {
		if before.same(i, s) {
			continue
		}
		r.changes[count]++
		r.changes = append(append(r.changes, uint64(i), uint64(len(s))), s...)
	}
	return r.addLists(row.Lists)
}

// empty makes room for another block.
func (r *rows) empty() {
	clear(r.list)
	r.list, r.details, r.changes = r.list[:0], r.details[:0], r.changes[:0]
	for i := range r.lists {
		r.lists[i].empty()
	}
	clear(r.texts)
	r.texts, r.textOctets, r.values = r.texts[:0], 0, 0
}

// about is how long the JSON will be.
func (r *rows) about() int64 {
	return int64(len(r.details) + 120*len(r.list) + 4*r.values + r.textOctets)
}

func bit(b bool) int64 {
	if b {
		return 1
	}
	return 0
}

// A dictionary numbers strings. It is bounded: a capture may have any number of
// different ones.
type dictionary struct {
	list   []string
	index  map[string]int64
	octets int
}

const (
	maxNames  = 1 << 14
	maxOctets = 1 << 20
	// otherName stands for all that come behind those.
	otherName = "(one of too many names)"
)

// of is the number of a string; "" is 0.
func (d *dictionary) of(s string) int64 {
	if n, ok := d.index[s]; ok {
		return n
	}
	if d.index == nil {
		d.index = make(map[string]int64)
		d.add("")
		d.add(otherName)
		return d.of(s)
	}
	if len(d.list) >= maxNames || d.octets+len(s) > maxOctets {
		return 1
	}
	return d.add(s)
}

func (d *dictionary) add(s string) int64 {
	n := int64(len(d.list))
	d.list = append(d.list, s)
	d.index[s] = n
	d.octets += len(s)
	return n
}
