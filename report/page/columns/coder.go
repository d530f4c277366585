package columns

import "github.com/rdmacap/rdmacap/report/page/visible"

// A Coder turns rows into columns. It belongs to the goroutine that encodes.
type Coder struct {
	columns []column
	sets    []setColumn
	lists   []List
	names   dictionary
	table   setTable
	// start and frame are those of the row before, also of that of another block.
	start, frame int64
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

// NewCoder returns a Coder for rows with columns of sets, by their names, and of lists; several says
// that there are several captures.
func NewCoder(sets []string, lists []List, several bool) *Coder {
	names := []string{"connection", "xid", "start", "latency", "frame", "reply_frame", "reverse", "name", "status", "program", "version", "procedure", "auth",
		"call_length", "reply_length", "call_transfer", "reply_transfer", "read_bytes", "write_bytes", "complete", "severity", "evidence", "missing"}
	if several {
		names = append(names, "file", "reply_file")
	}
	c := &Coder{lists: lists}
	for _, name := range names {
		c.columns = append(c.columns, column{name, make([]int64, 0, RowsInBlock)})
	}
	for _, name := range sets {
		c.sets = append(c.sets, setColumn{column: column{name, make([]int64, 0, RowsInBlock)}})
	}
	return c
}

// Encode appends a block of rows as JSON.
func (c *Coder) Encode(b []byte, r *Block) []byte {
	if len(c.sets) > 0 {
		c.table.of(nil) // number 0, if there is no other
	}
	changes := r.changes
	for i := range r.list {
		c.encodeRow(&r.list[i])
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
	j := visible.NewJSON(b)
	j.Open('{')
	j.Name("columns")
	j.Open('{')
	for i := range c.columns {
		c.columns[i].appendTo(&j)
	}
	for i := range c.sets {
		c.sets[i].appendTo(&j)
	}
	j.Name("detail")
	j.Open('[')
	details := r.details
	for i := range r.list {
		n := r.list[i].detail
		j.Text(details[:n])
		details = details[n:]
	}
	j.Close(']')
	j.Close('}')
	r.appendLists(&j, c.lists)
	j.Close('}')
	return j.B
}

// encodeRow appends the numbers of a row to the columns, in the order of their names.
func (c *Coder) encodeRow(row *Row) {
	d := &c.names
	// Times and frames grow from row to row: what they grow by is short, and much the same.
	start, call := row.Start-c.start, row.CallFrame.Number-c.frame
	c.start, c.frame = row.Start, row.CallFrame.Number
	reply := row.ReplyFrame.Number - row.CallFrame.Number
	values := [...]int64{int64(row.Connection), int64(row.XID), start, row.Latency, call, reply, visible.Bit(row.Reverse),
		d.of(row.Name), d.of(row.Status), row.Program, row.Version, row.Procedure, d.of(row.Auth),
		row.CallLength, row.ReplyLength, int64(row.CallTransfer), int64(row.ReplyTransfer), int64(row.ReadBytes), int64(row.WriteBytes),
		visible.Bit(row.Complete), int64(row.Severity), int64(row.Evidence), d.of(row.Missing), int64(row.CallFrame.File), int64(row.ReplyFrame.File)}
	for i := range c.columns {
		c.columns[i].v = append(c.columns[i].v, values[i])
	}
}

// Names are the strings of which rows have the index, after the last row.
func (c *Coder) Names() []string { return c.names.list }

// Sets are the sets of which rows have the index, after the last row.
func (c *Coder) Sets() [][]uint64 { return c.table.list }

// SetsFull reports whether there were more different sets than are kept.
func (c *Coder) SetsFull() bool { return c.table.full }
