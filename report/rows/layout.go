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
	return c
}

// chosen are the columns of one level.
func chosen[T any](all []column[T], o *listing.Options, give func(T)) (list []column[T]) {
	if len(o.Show) > 0 {
		return named(all, o, give)
	}
	without := func(name string) bool {
		return name == "file" && o.Files < 2 || name == "time" && o.TimeOfDay
	}
	all = slices.DeleteFunc(all, func(c column[T]) bool { return c.when == never || without(c.name) })
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
	for i := range narrow {
		if n := narrow[i].narrow; n > 0 {
			narrow[i].Width = n
		}
	}
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
	field := 0
	for _, name := range o.Show {
		at := slices.IndexFunc(all, func(c column[T]) bool { return c.name == name })
		if at >= 0 {
			list = append(list, all[at])
			continue
		}
		list = append(list, fieldColumn(o.Columns, field, give))
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
				t.B = append(t.B, '-')
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

// Own are the columns of a level that are no fields of filters, as --columns names them, with
// what each shows.
func Own(l listing.Level) (list []listing.Own) {
	var heads []head
	switch l {
	case listing.LevelFrame:
		heads = headsOf(ofFrames())
	case listing.LevelMessage:
		heads = headsOf(ofMessages())
	default:
		heads = headsOf(ofRPCs())
	}
	for _, h := range heads {
		list = append(list, listing.Own{Name: h.name, Doc: h.doc})
	}
	return list
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
		t.B = append(t.B, h.Name...)
		h.pads = false
		t.endCell(&h, at, i == len(heads)-1)
	}
	if t.opts.Width > 0 {
		t.Cut()
	}
	t.B = append(t.B, t.Style.Dim.Off...)
	t.End()
}

// since says what the seconds of rows count from.
func (t *Text) since() {
	if t.start == 0 || t.opts.TimeOfDay || t.opts.Quiet {
		return
	}
	t.B = append(t.B, lines.Mark...)
	t.B = append(t.B, "times are seconds since the first frame, "...)
	t.B = t.clock.Append(t.B, t.start)
	t.Fit(lines.More)
	t.End()
}
