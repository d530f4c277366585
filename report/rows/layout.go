package rows

import (
	"slices"

	"github.com/rdmacap/rdmacap/dissect"
	"github.com/rdmacap/rdmacap/report/lines"
	"github.com/rdmacap/rdmacap/report/listing"
)

// layOut chooses the columns of rows: those that the user named, or else those for which the
// terminal has room. Where nobody looks at one, rows have all.
func layOut(o *listing.Options) (c columns) {
	switch o.Level {
	case listing.LevelFrame:
		c.frames = chosen(ofFrames(), o, func(v *dissect.FrameView) { o.Columns.Frame(v) })
		c.heads = headsOf(c.frames)
	case listing.LevelMessage:
		c.messages = chosen(ofMessages(), o, func(m *dissect.Message) { o.Columns.Message(m) })
		c.heads = headsOf(c.messages)
	default:
		c.rpcs = chosen(ofRPCs(), o, func(r *dissect.RPC) { o.Columns.RPC(r) })
		c.heads = headsOf(c.rpcs)
	}
	c.runs = runsOf(c.heads)
	return c
}

// chosen are the columns of one level.
func chosen[T any](all []column[T], o *listing.Options, give func(T)) (list []column[T]) {
	for i := range all {
		if all[i].name == "time" {
			timeAs(&all[i].head, o.Times)
		}
	}
	if len(o.Show) > 0 {
		return named(all, o, give)
	}
	without := func(c column[T]) bool {
		return c.when == never || c.name == "file" && o.Files < 2 || c.name == "time" && o.TimeOfDay
	}
	all = slices.DeleteFunc(all, without)
	if o.Width == 0 {
		return slices.DeleteFunc(all, func(c column[T]) bool { return c.name == "to" }) // the ends say so
	}
	return fitting(all, o)
}

// lastRoom is how much room the last column, which is cut where the terminal ends, must have
// before one that can be spared is shown.
const lastRoom = 30

// fitting are the columns for which a terminal has room: those that cannot be spared, and as many
// others, in the order of their ranks, as leave the last one its room. They are narrow if more
// have room then.
func fitting[T any](all []column[T], o *listing.Options) (list []column[T]) {
	room := o.Width
	if o.TimeOfDay {
		room -= stampWidth + 1
	}
	narrow := slices.Clone(all)
	narrowed(narrow)
	most, _ := spared(narrow, room)
	if wide, left := spared(all, room); wide < most || left < lastRoom {
		all = narrow
	}
	ends := slices.IndexFunc(all, func(c column[T]) bool { return c.grows })
	for _, c := range all {
		if c.when <= most && (c.name != "to" || most < all[ends].when) {
			list = append(list, c)
		}
	}
	return list
}

// narrowed makes columns as narrow as they can be.
func narrowed[T any](list []column[T]) {
	for i := range list {
		if n := list[i].narrow; n > 0 {
			list[i].Width = n
		}
	}
}

// spared is the rank up to which columns have their place, and how much room is left for the last.
func spared[T any](all []column[T], room int) (rank, left int) {
	widths := make(map[int]int) // of a rank
	for i := range all[:len(all)-1] {
		widths[all[i].when] += all[i].Width + len(lines.Gap)
	}
	left = room - widths[0]
	for widths[rank+1] > 0 && left-widths[rank+1] >= lastRoom {
		rank++
		left -= widths[rank]
	}
	return rank, left
}

// named are the columns that the user named: those of rows, and fields.
func named[T any](all []column[T], o *listing.Options, give func(T)) (list []column[T]) {
	const wide = 120 // from how many columns of a terminal on none has to be narrow
	if o.Width > 0 && o.Width < wide {
		narrowed(all)
	}
	field := 0
	for _, shown := range o.Show {
		if shown.Own {
			list = append(list, all[slices.IndexFunc(all, func(c column[T]) bool { return c.name == shown.Name })])
			continue
		}
		c := fieldColumn(o.Columns, field, give)
		if c.name = shown.Name; o.Separator != 0 {
			c.Name = shown.Name
		}
		list = append(list, c)
		field++
	}
	return list
}

// fieldColumn is the column of a field: the i-th of those that were named.
func fieldColumn[T any](fields listing.Columns, i int, give func(T)) column[T] {
	h := fields.Headings()[i]
	return column[T]{
		head: head{Column: lines.Column{Name: h.Title, Width: h.Width, Right: h.Right}},
		write: func(t *Text, row T) {
			give(row)
			at := len(t.B)
			if t.B = fields.AppendTo(t.B, i); len(t.B) == at {
				t.none()
			}
		},
	}
}

func headsOf[T any](list []column[T]) (heads []head) {
	for i := range list {
		heads = append(heads, list[i].head)
	}
	return heads
}

// Own are the columns of a level that rows have of their own, as --columns names them.
func Own(l listing.Level) (list []listing.Own) {
	for _, h := range headsAt(l) {
		list = append(list, listing.Own{Name: h.name, Doc: h.doc, Field: h.field, Placed: h.placed != nil, Bare: h.programs})
	}
	return list
}

// ForPrograms are the columns that rows for programs have.
func ForPrograms(l listing.Level, files int) (names []string) {
	for _, h := range headsAt(l) {
		switch {
		case h.people, h.when == never && !h.programs, h.name == "file" && files < 2:
		default:
			names = append(names, h.name)
		}
	}
	return names
}

func headsAt(l listing.Level) []head {
	switch l {
	case listing.LevelFrame:
		return headsOf(ofFrames())
	case listing.LevelMessage:
		return headsOf(ofMessages())
	}
	return headsOf(ofRPCs())
}

// heading prints what stands above the first row: since when times count, and the names of the
// columns.
func (t *Text) heading() {
	if t.headed {
		return
	}
	t.headed = true
	t.since()
	t.B = append(t.B, t.Style.Dim.On...)
	if t.opts.TimeOfDay {
		t.timeCell("Time [UTC]")
	}
	heads := t.columns.heads
	for i := range heads {
		h := heads[i]
		if h.pads && h.name == "proc" {
			h.Width = t.procedure().Width
		}
		at := len(t.B)
		if h.pads = false; t.opts.Separator != 0 {
			h.Name = h.name
		}
		t.B = append(t.B, h.Name...)
		t.endCell(&h, at, "", i == len(heads)-1)
	}
	if t.opts.Width > 0 {
		t.Cut()
	}
	t.B = append(t.B, t.Style.Dim.Off...)
	t.End()
}

// since says what the seconds of rows count from.
func (t *Text) since() {
	timed := slices.ContainsFunc(t.columns.heads, func(h head) bool { return h.name == "time" })
	if !timed || t.start == 0 || t.opts.TimeOfDay || t.opts.Separator != 0 || t.opts.Times != listing.Relative {
		return
	}
	t.B = append(t.B, lines.Mark...)
	t.B = append(t.B, "times are seconds since the first frame, "...)
	t.B = t.clock.Append(t.B, t.start)
	t.endFit()
}
