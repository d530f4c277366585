package page

import (
	"strconv"

	"github.com/rdmacap/rdmacap/report/page/visible"
)

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
	// Findings are the numbers of those that evidence is for, by their keys.
	Findings []FindingNumber
	// RPCs, Frames and Seen are how many RPCs, frames and connections there are in the capture.
	RPCs, Frames, Seen int64
	// Command is how to see all of it.
	Command string
}

// A FindingNumber is the number in the page of the finding that evidence names by a key: that
// is given when the finding is reported, before the order of all is known.
type FindingNumber struct{ Key, Number int }

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
	// Title stands above a column of it in the list of RPCs, which has none if it is "".
	Title string
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
	// First and Last are the times of its first and its last frame, in nanoseconds since the start of the
	// capture; Setup and Closing are the words of the JSON contract for how it began and ended.
	First, Last    int64
	Setup, Closing string
}

func (m *Meta) appendTo(j *visible.JSON, w *Writer) {
	j.Open('{')
	j.StringOf("title", m.Title)
	j.StringOf("version", m.Version)
	j.StringOf("made", m.Made)
	appendStrings(j, "files", m.Files)
	j.StringOf("start", strconv.FormatInt(m.Start, 10))
	appendStrings(j, "names", w.coder.Names())
	j.Name("fields")
	j.Open('[')
	for _, f := range m.Fields {
		f.appendTo(j)
	}
	j.Close(']')
	j.Name("sets")
	j.Open('[')
	for _, s := range w.coder.Sets() {
		j.Open('[')
		for _, v := range s {
			j.Whole(v)
		}
		j.Close(']')
	}
	j.Close(']')
	j.Name("elsewhere")
	j.Open('[')
	for _, e := range m.Elsewhere {
		j.Open('{')
		j.StringOf("level", e.Level)
		appendStrings(j, "names", e.Names)
		j.Close('}')
	}
	j.Close(']')
	j.Name("connections")
	j.Open('[')
	for i := range m.Connections {
		c := &m.Connections[i]
		j.Open('{')
		j.IntOf("id", int64(c.ID))
		j.StringOf("transport", c.Transport)
		j.StringOf("client", c.Client)
		j.StringOf("server", c.Server)
		j.IntOf("client_port", int64(c.ClientPort))
		j.IntOf("server_port", int64(c.ServerPort))
		j.StringOf("service", c.Service)
		j.IntOf("rpcrdma_version", int64(c.Version))
		j.IntOf("first", c.First)
		j.IntOf("last", c.Last)
		j.StringOf("setup", c.Setup)
		j.StringOf("closing", c.Closing)
		j.Close('}')
	}
	j.Close(']')
	j.Name("findings") // pairs
	j.Open('[')
	for _, f := range m.Findings {
		j.Int(int64(f.Key))
		j.Int(int64(f.Number))
	}
	j.Close(']')
	j.Name("totals")
	j.Open('{')
	t := w.Totals()
	j.IntOf("rpcs", m.RPCs)
	j.IntOf("rows", int64(t.Rows))
	j.IntOf("evidence", int64(t.Items))
	j.IntOf("frames", m.Frames)
	j.IntOf("connections", m.Seen)
	j.Close('}')
	j.IntOf("max_size", w.opts.MaxSize)
	j.StringOf("command", m.Command)
	j.Close('}')
}

func (f *Field) appendTo(j *visible.JSON) {
	j.Open('{')
	j.StringOf("name", f.Name)
	j.StringOf("kind", f.Kind)
	j.StringOf("doc", f.Doc)
	j.StringOf("column", f.Column)
	if f.Title != "" {
		j.StringOf("title", f.Title)
	}
	if f.Cell != "" {
		j.StringOf("cell", f.Cell)
	}
	if f.HasNone {
		j.IntOf("none", f.None)
	}
	if f.Names != nil {
		j.Name("values")
		j.Open('[')
		for _, n := range f.Names {
			j.Open('[')
			j.String(n.Name)
			j.Whole(n.Value)
			j.Close(']')
		}
		j.Close(']')
	}
	j.Close('}')
}

func appendStrings(j *visible.JSON, name string, list []string) {
	j.Name(name)
	j.Open('[')
	for _, s := range list {
		j.String(s)
	}
	j.Close(']')
}
