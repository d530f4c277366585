package page

// about is how long its JSON will be.
func (i *Item) about() int64 {
	n := 200 + 80*len(i.Ops)
	if l := i.Ladder; l != nil {
		n += 100 + 180*len(l.Steps) + 150*len(l.Chunks)
	}
	for k := range i.Exhibits {
		e := &i.Exhibits[k]
		n += 100 + 2*len(e.Octets) + aboutNodes(e.Nodes)
	}
	return int64(n)
}

func aboutNodes(list []Node) (n int) {
	for i := range list {
		n += 70 + aboutNodes(list[i].Children)
	}
	return n
}

// appendTo appends an item as JSON.
func (i *Item) appendTo(j *buffer, several bool) {
	j.open('{')
	j.intOf("row", int64(i.Row))
	j.intOf("finding", int64(i.Finding))
	j.strOf("title", i.Title)
	j.name("ops")
	j.open('[')
	for _, o := range i.Ops {
		j.open('{')
		j.strOf("op", o.Name)
		j.strOf("status", o.Status)
		j.strOf("detail", o.Detail)
		j.close('}')
	}
	j.close(']')
	j.name("ladder")
	if i.Ladder == nil {
		j.null()
	} else {
		i.Ladder.appendTo(j, several)
	}
	j.name("exhibits")
	j.open('[')
	for n := range i.Exhibits {
		i.Exhibits[n].appendTo(j, several)
	}
	j.close(']')
	j.close('}')
}

func (l *Ladder) appendTo(j *buffer, several bool) {
	j.open('{')
	j.strOf("client", l.Client)
	j.strOf("server", l.Server)
	j.intOf("start", l.Start)
	j.name("steps")
	j.open('[')
	for n := range l.Steps {
		l.Steps[n].appendTo(j, several)
	}
	j.close(']')
	j.name("chunks")
	j.open('[')
	for _, c := range l.Chunks {
		j.open('{')
		j.strOf("kind", c.Kind)
		j.strOf("label", c.Label)
		j.intOf("step", int64(c.Step))
		j.name("segments")
		j.open('[')
		for _, s := range c.Segments {
			j.open('{')
			j.intOf("handle", int64(s.Handle))
			j.name("offset")
			j.whole(s.Offset)
			j.intOf("length", int64(s.Length))
			j.name("moved")
			j.uint(s.Moved)
			j.close('}')
		}
		j.close(']')
		j.close('}')
	}
	j.close(']')
	j.intOf("left_out", int64(l.LeftOut))
	j.close('}')
}

func (s *Step) appendTo(j *buffer, several bool) {
	j.open('{')
	j.intOf("t", s.Time)
	if s.Lasted > 0 {
		j.intOf("lasted", s.Lasted)
	}
	if s.Hidden > 0 {
		j.intOf("hidden", int64(s.Hidden))
	}
	j.intOf("f", s.Frame.Number)
	if several {
		j.intOf("file", int64(s.Frame.File))
	}
	j.intOf("n", int64(max(s.Frames, 1)))
	j.intOf("d", bit(s.ToClient))
	j.strOf("k", string(s.Kind))
	j.strOf("x", s.Text)
	j.intOf("l", s.Octets)
	j.intOf("c", int64(s.Chunk))
	j.strOf("m", s.Message)
	j.strOf("o", s.Odd)
	j.strOf("bad", s.Bad)
	j.close('}')
}

func (e *Exhibit) appendTo(j *buffer, several bool) {
	j.open('{')
	j.strOf("title", e.Title)
	j.intOf("f", e.Frame.Number)
	if several {
		j.intOf("file", int64(e.Frame.File))
	}
	if e.Part {
		j.intOf("part", 1)
	}
	j.name("octets")
	j.hex(e.Octets)
	j.intOf("length", int64(e.Length))
	j.name("nodes")
	appendNodes(j, e.Nodes)
	j.name("bad")
	j.open('[')
	for _, b := range e.Bad {
		j.open('[')
		j.int(int64(b[0]))
		j.int(int64(b[1]))
		j.close(']')
	}
	j.close(']')
	j.close('}')
}

// appendNodes appends nodes as [name, value, start, end, key, fault, children or 0].
func appendNodes(j *buffer, list []Node) {
	j.open('[')
	for i := range list {
		n := &list[i]
		j.open('[')
		j.str(n.Name)
		j.str(n.Value)
		j.int(int64(n.Start))
		j.int(int64(n.End))
		j.str(n.Key)
		j.str(n.Fault)
		if len(n.Children) == 0 {
			j.int(0)
		} else {
			appendNodes(j, n.Children)
		}
		j.close(']')
	}
	j.close(']')
}
