package page

import "slices"

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

// appendTo appends the column: a value that all rows have stands alone.
func (c *column) appendTo(j *buffer) {
	j.name(c.name)
	if !slices.ContainsFunc(c.v, func(v int64) bool { return v != c.v[0] }) {
		j.int(c.v[0])
		return
	}
	j.open('[')
	for _, v := range c.v {
		j.int(v)
	}
	j.close(']')
}

// rows gathers a block of rows by columns.
type rows struct {
	columns []column
	details buffer
	n       int
	before  int64 // the start of the row before, also of that of another block
	several bool  // there are several files
	sets    []setColumn
}

// A setColumn is a column of numbers of sets.
type setColumn struct {
	column
	before []uint64 // the set of the row before
	number int64
}

// names are those of the columns, in the order in which add has their values.
func (r *rows) names() []string {
	names := []string{"connection", "xid", "start", "latency", "frame", "reply_frame", "reverse", "name", "status", "program", "version", "procedure", "auth",
		"call_length", "reply_length", "call_transfer", "reply_transfer", "read_bytes", "write_bytes", "complete", "severity", "evidence", "missing"}
	if r.several {
		names = append(names, "file", "reply_file")
	}
	return names
}

func (r *rows) add(row *Row, d *dictionary, sets *setTable) {
	if r.columns == nil {
		for _, name := range r.names() {
			r.columns = append(r.columns, column{name, make([]int64, 0, rowsInBlock)})
		}
	}
	start := row.Start - r.before
	r.before = row.Start
	values := [...]int64{int64(row.Connection), int64(row.XID), start, row.Latency, row.CallFrame.Number, row.ReplyFrame.Number, bit(row.Reverse),
		d.of(row.Name), d.of(row.Status), row.Program, row.Version, row.Procedure, d.of(row.Auth),
		row.CallLength, row.ReplyLength, int64(row.CallTransfer), int64(row.ReplyTransfer), int64(row.ReadOctets), int64(row.WriteOctets),
		bit(row.Complete), int64(row.Severity), int64(row.Evidence), d.of(row.Missing), int64(row.CallFrame.File), int64(row.ReplyFrame.File)}
	for i := range r.columns {
		r.columns[i].v = append(r.columns[i].v, values[i])
	}
	for i := range r.sets {
		c := &r.sets[i]
		if values := row.Sets[i]; c.number == 0 || !slices.Equal(values, c.before) {
			c.number = sets.of(values)
			c.before = append(c.before[:0], values...)
		}
		c.v = append(c.v, c.number)
	}
	r.details.strBytes(row.Detail)
	r.n++
}

func bit(b bool) int64 {
	if b {
		return 1
	}
	return 0
}

// take returns the block as JSON, appended to b, and empties it.
func (r *rows) take(b []byte) []byte {
	j := buffer{b}
	j.open('{')
	j.name("columns")
	j.open('{')
	for i := range r.columns {
		r.columns[i].appendTo(&j)
		r.columns[i].v = r.columns[i].v[:0]
	}
	for i := range r.sets {
		r.sets[i].appendTo(&j)
		r.sets[i].v = r.sets[i].v[:0]
	}
	j.name("detail")
	j.open('[')
	j.b = append(j.b, r.details.b...)
	j.close(']')
	j.close('}')
	j.close('}')
	r.details.b, r.n = r.details.b[:0], 0
	return j.b
}

// size is about how long the JSON would be now.
func (r *rows) size() int64 { return int64(len(r.details.b) + 60*r.n) }

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
