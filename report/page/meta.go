package page

import "strconv"

// Meta is what the script needs to know of the whole.
type Meta struct {
	Title, Version string
	// Made is when the page was made, in RFC 3339.
	Made  string
	Files []string
	// Start is the time of the first frame, in nanoseconds since 1970: what times in
	// the page count from.
	Start  int64
	Fields []Field
	// Elsewhere are fields that the filter language has and rows cannot answer.
	Elsewhere   []Elsewhere
	Connections []ConnectionName
	// RPCs is how many there are in the capture.
	RPCs int64
	// Command is how to see all of it.
	Command string
}

// Elsewhere are fields, or beginnings of them that end in a dot, that `rdmacap read -Y`
// knows about rows of a level: "" are RPCs, else it is the word after --level.
type Elsewhere struct {
	Level string
	Names []string
}

// A Field is a field of the filter language that rows can answer.
type Field struct {
	// Name, Kind and Doc are those of package filter; Column says where rows have it,
	// or that their connection has: "connection.addresses", "connection.ports".
	Name, Kind, Doc, Column string
	// Cell is what a cell of the column is: the value, or "name" for an index of the
	// strings of rows, or "set" for an index of the sets of rows. Of a column of lists it
	// is "list" for numbers, "runs" for pairs of the first and the last of numbers that
	// follow one another, "text" for those of texts, and "hash" for the CRC-32 of these.
	// HasNone says that a cell of None means that the RPC does not have the field.
	Cell    string
	None    int64
	HasNone bool
	// Names are the names of the values of an enum, in their order.
	Names []NamedValue
}

// A NamedValue is a name of a value of a Field.
type NamedValue struct {
	Name  string
	Value uint64
}

// A ConnectionName says who a connection is between.
type ConnectionName struct {
	ID                        int
	Transport, Client, Server string
	ClientPort, ServerPort    uint16
	Service                   string
	Version                   uint32 // of RPC-over-RDMA, 0 if none was seen
}

func (m *Meta) appendTo(j *buffer, w *Writer) {
	j.open('{')
	j.strOf("title", m.Title)
	j.strOf("version", m.Version)
	j.strOf("made", m.Made)
	j.strings("files", m.Files)
	j.strOf("start", strconv.FormatInt(m.Start, 10))
	j.strings("names", w.coder.names.list)
	j.name("fields")
	j.open('[')
	for _, f := range m.Fields {
		f.appendTo(j)
	}
	j.close(']')
	j.name("sets")
	j.open('[')
	for _, s := range w.coder.table.list {
		j.open('[')
		for _, v := range s {
			j.whole(v)
		}
		j.close(']')
	}
	j.close(']')
	j.name("elsewhere")
	j.open('[')
	for _, e := range m.Elsewhere {
		j.open('{')
		j.strOf("level", e.Level)
		j.strings("names", e.Names)
		j.close('}')
	}
	j.close(']')
	j.name("connections")
	j.open('[')
	for i := range m.Connections {
		c := &m.Connections[i]
		j.open('{')
		j.intOf("id", int64(c.ID))
		j.strOf("transport", c.Transport)
		j.strOf("client", c.Client)
		j.strOf("server", c.Server)
		j.intOf("client_port", int64(c.ClientPort))
		j.intOf("server_port", int64(c.ServerPort))
		j.strOf("service", c.Service)
		j.intOf("rpcrdma_version", int64(c.Version))
		j.close('}')
	}
	j.close(']')
	j.name("totals")
	j.open('{')
	t := w.Totals()
	j.intOf("rpcs", m.RPCs)
	j.intOf("rows", int64(t.Rows))
	j.intOf("evidence", int64(t.Items))
	j.close('}')
	j.intOf("max_size", w.opts.MaxSize)
	j.strOf("command", m.Command)
	j.close('}')
}

func (f *Field) appendTo(j *buffer) {
	j.open('{')
	j.strOf("name", f.Name)
	j.strOf("kind", f.Kind)
	j.strOf("doc", f.Doc)
	j.strOf("column", f.Column)
	if f.Cell != "" {
		j.strOf("cell", f.Cell)
	}
	if f.HasNone {
		j.intOf("none", f.None)
	}
	if f.Names != nil {
		j.name("values")
		j.open('[')
		for _, n := range f.Names {
			j.open('[')
			j.str(n.Name)
			j.whole(n.Value)
			j.close(']')
		}
		j.close(']')
	}
	j.close('}')
}

func (j *buffer) strings(name string, list []string) {
	j.name(name)
	j.open('[')
	for _, s := range list {
		j.str(s)
	}
	j.close(']')
}
