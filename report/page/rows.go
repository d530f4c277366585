package page

import (
	"slices"
	"strconv"
)

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

// A column is the values of one kind of a block of rows.
type column struct {
	name string
	v    []int64
}

// appendTo appends the column, and empties it: a value that all rows have stands alone.
func (c *column) appendTo(j *buffer) {
	defer func() { c.v = c.v[:0] }()
	j.name(c.name)
	if !slices.ContainsFunc(c.v, func(v int64) bool { return v != c.v[0] }) {
		j.int(c.v[0])
		return
	}
	j.b = append(j.b, '[')
	for i, v := range c.v {
		if i > 0 {
			j.b = append(j.b, ',')
		}
		j.b = strconv.AppendInt(j.b, v, 10)
	}
	j.close(']')
}

// rows gathers a block of rows.
type rows struct {
	list []Row
	// details are what the rows' Detail are parts of.
	details []byte
	// changes are the sets that are not those of the row before: for each row how many,
	// and of each its column, its length and its values.
	changes []uint64
}

// add copies a row: what it refers to may change.
func (r *rows) add(row *Row, before *sets) {
	r.list = append(r.list, *row)
	c := &r.list[len(r.list)-1]
	c.Detail, c.Sets = nil, nil
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
}

// empty makes room for another block.
func (r *rows) empty() {
	clear(r.list)
	r.list, r.details, r.changes = r.list[:0], r.details[:0], r.changes[:0]
}

// about is how long the JSON will be.
func (r *rows) about() int64 { return int64(len(r.details) + 120*len(r.list)) }

// A rowCoder turns rows into columns. It belongs to the goroutine that encodes.
type rowCoder struct {
	columns []column
	sets    []setColumn
	names   dictionary
	table   setTable
	before  int64 // the start of the row before, also of that of another block
}

// A setColumn is a column of numbers of sets.
type setColumn struct {
	column
	number int64 // that of the set of the row before
}

// fill gives the rows up to one their number.
func (c *setColumn) fill(to int) {
	for len(c.v) < to {
		c.v = append(c.v, c.number)
	}
}

func newRowCoder(sets []string, several bool) *rowCoder {
	names := []string{"connection", "xid", "start", "latency", "frame", "reply_frame", "reverse", "name", "status", "program", "version", "procedure", "auth",
		"call_length", "reply_length", "call_transfer", "reply_transfer", "read_bytes", "write_bytes", "complete", "severity", "evidence", "missing"}
	if several {
		names = append(names, "file", "reply_file")
	}
	c := new(rowCoder)
	for _, name := range names {
		c.columns = append(c.columns, column{name, make([]int64, 0, rowsInBlock)})
	}
	for _, name := range sets {
		c.sets = append(c.sets, setColumn{column: column{name, make([]int64, 0, rowsInBlock)}})
	}
	return c
}

// encode appends a block of rows as JSON.
func (c *rowCoder) encode(b []byte, r *rows) []byte {
	if len(c.sets) > 0 {
		c.table.of(nil) // number 0, if there is no other
	}
	changes := r.changes
	for i := range r.list {
		c.add(&r.list[i])
		n := changes[0]
		changes = changes[1:]
		for range n {
			s, end := &c.sets[changes[0]], 2+changes[1]
			s.fill(i)
			s.number = c.table.of(changes[2:end])
			changes = changes[end:]
		}
	}
	for k := range c.sets {
		c.sets[k].fill(len(r.list))
	}
	j := buffer{b}
	j.open('{')
	j.name("columns")
	j.open('{')
	for i := range c.columns {
		c.columns[i].appendTo(&j)
	}
	for i := range c.sets {
		c.sets[i].appendTo(&j)
	}
	j.name("detail")
	j.open('[')
	details := r.details
	for i := range r.list {
		n := r.list[i].detail
		j.strBytes(details[:n])
		details = details[n:]
	}
	j.close(']')
	j.close('}')
	j.close('}')
	return j.b
}

// add appends the numbers of a row to the columns, in the order of their names.
func (c *rowCoder) add(row *Row) {
	d := &c.names
	start := row.Start - c.before
	c.before = row.Start
	values := [...]int64{int64(row.Connection), int64(row.XID), start, row.Latency, row.CallFrame.Number, row.ReplyFrame.Number, bit(row.Reverse),
		d.of(row.Name), d.of(row.Status), row.Program, row.Version, row.Procedure, d.of(row.Auth),
		row.CallLength, row.ReplyLength, int64(row.CallTransfer), int64(row.ReplyTransfer), int64(row.ReadOctets), int64(row.WriteOctets),
		bit(row.Complete), int64(row.Severity), int64(row.Evidence), d.of(row.Missing), int64(row.CallFrame.File), int64(row.ReplyFrame.File)}
	for i := range c.columns {
		c.columns[i].v = append(c.columns[i].v, values[i])
	}
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
