package evidence

import "github.com/rdmacap/rdmacap/report/page/visible"

// About is how long its JSON will be.
func (i *Item) About() int64 {
	n := 200 + 80*len(i.Ops) + 60*len(i.Phases)
	if l := i.Ladder; l != nil {
		n += 100 + 180*len(l.Steps) + 150*len(l.Chunks)
	}
	for k := range i.Exhibits {
		e := &i.Exhibits[k]
		n += 100 + 2*len(e.Bytes) + aboutNodes(e.Nodes)
	}
	return int64(n)
}

func aboutNodes(list []Node) (n int) {
	for i := range list {
		n += 70 + aboutNodes(list[i].Children)
	}
	return n
}

// AppendTo appends an item as JSON.
func (i *Item) AppendTo(j *visible.JSON, several bool) {
	j.Open('{')
	j.IntOf("row", int64(i.Row))
	j.IntOf("finding", int64(i.Finding))
	j.StringOf("title", i.Title)
	j.Name("ops")
	j.Open('[')
	for _, o := range i.Ops {
		j.Open('{')
		j.StringOf("op", o.Name)
		j.StringOf("status", o.Status)
		j.StringOf("detail", o.Detail)
		j.Close('}')
	}
	j.Close(']')
	if len(i.Phases) > 0 {
		j.Name("phases")
		j.Open('[')
		for k := range i.Phases {
			i.Phases[k].appendTo(j)
		}
		j.Close(']')
	}
	j.Name("ladder")
	if i.Ladder == nil {
		j.Null()
	} else {
		i.Ladder.appendTo(j, several)
	}
	j.Name("exhibits")
	j.Open('[')
	for n := range i.Exhibits {
		i.Exhibits[n].appendTo(j, several)
	}
	j.Close(']')
	j.Close('}')
}

// appendTo appends a phase as [word, name, nanoseconds, 1 if of the latency].
func (p *Phase) appendTo(j *visible.JSON) {
	j.Open('[')
	j.String(p.Word)
	j.String(p.Name)
	j.Int(p.Nanoseconds)
	j.Int(visible.Bit(p.OfLatency))
	j.Close(']')
}

func (l *Ladder) appendTo(j *visible.JSON, several bool) {
	j.Open('{')
	j.StringOf("client", l.Client)
	j.StringOf("server", l.Server)
	j.IntOf("start", l.Start)
	j.Name("steps")
	j.Open('[')
	for n := range l.Steps {
		l.Steps[n].appendTo(j, several)
	}
	j.Close(']')
	j.Name("chunks")
	j.Open('[')
	for _, c := range l.Chunks {
		j.Open('{')
		j.StringOf("kind", c.Kind)
		j.StringOf("label", c.Label)
		j.IntOf("step", int64(c.Step))
		j.Name("segments")
		j.Open('[')
		for _, s := range c.Segments {
			j.Open('{')
			j.IntOf("handle", int64(s.Handle))
			j.Name("offset")
			j.Whole(s.Offset)
			j.IntOf("length", int64(s.Length))
			j.Name("moved")
			j.Uint(s.Moved)
			j.Close('}')
		}
		j.Close(']')
		j.Close('}')
	}
	j.Close(']')
	j.IntOf("left_out", int64(l.LeftOut))
	j.Close('}')
}

// appendTo appends a step. What most steps have is left out: there are many of them.
func (s *Step) appendTo(j *visible.JSON, several bool) {
	j.Open('{')
	j.IntOf("t", s.Time)
	if s.Lasted > 0 {
		j.IntOf("lasted", s.Lasted)
	}
	if s.Hidden > 0 {
		j.IntOf("hidden", int64(s.Hidden))
	}
	j.IntOf("f", s.Frame.Number)
	if several {
		j.IntOf("file", int64(s.Frame.File))
	}
	if s.Frames > 1 {
		j.IntOf("n", int64(s.Frames))
	}
	if s.ToClient {
		j.IntOf("d", 1)
	}
	j.StringOf("k", string(s.Kind))
	j.StringOf("x", s.Text)
	if s.Chunk >= 0 {
		j.IntOf("c", int64(s.Chunk))
	}
	notEmpty(j, "m", s.Message)
	notEmpty(j, "o", s.Odd)
	notEmpty(j, "bad", s.Bad)
	if s.Other {
		j.IntOf("of", int64(s.XID))
	}
	j.Close('}')
}

// notEmpty appends a string, if it says anything.
func notEmpty(j *visible.JSON, name, s string) {
	if s != "" {
		j.StringOf(name, s)
	}
}

func (e *Exhibit) appendTo(j *visible.JSON, several bool) {
	j.Open('{')
	j.StringOf("title", e.Title)
	j.IntOf("f", e.Frame.Number)
	if several {
		j.IntOf("file", int64(e.Frame.File))
	}
	if e.Part {
		j.IntOf("part", 1)
	}
	j.Name("octets")
	j.Hex(e.Bytes)
	j.IntOf("length", int64(e.Length))
	j.Name("nodes")
	appendNodes(j, e.Nodes)
	j.Name("bad")
	j.Open('[')
	for _, b := range e.Bad {
		j.Open('[')
		j.Int(int64(b[0]))
		j.Int(int64(b[1]))
		j.Close(']')
	}
	j.Close(']')
	j.Close('}')
}

// appendNodes appends nodes as [name, value, start, end, key, fault, children or 0].
func appendNodes(j *visible.JSON, list []Node) {
	j.Open('[')
	for i := range list {
		n := &list[i]
		j.Open('[')
		j.String(n.Name)
		j.String(n.Value)
		j.Int(int64(n.Start))
		j.Int(int64(n.End))
		j.String(n.Key)
		j.String(n.Fault)
		if len(n.Children) == 0 {
			j.Int(0)
		} else {
			appendNodes(j, n.Children)
		}
		j.Close(']')
	}
	j.Close(']')
}
