package markup

// A When says when a finding was found, in nanoseconds since the start of the capture.
type When struct {
	// Known says that First and Last are times.
	Known bool
	// First is the time of the frame that it names, Last when it was found last.
	First, Last int64
	// Stretches are the stretches of time that it is about.
	Stretches []Stretch
}

// A Stretch is a stretch of time.
type Stretch struct{ From, To int64 }

// when appends attributes for the script.
func (w *words) when(x *When) {
	if !x.Known {
		return
	}
	w.mark(` data-first="`)
	w.int(int(x.First))
	w.mark(`" data-last="`)
	w.int(int(x.Last))
	w.mark(`"`)
	for i, s := range x.Stretches {
		if i == 0 {
			w.mark(` data-stretches="`)
		} else {
			w.mark(" ")
		}
		w.int(int(s.From))
		w.mark("-")
		w.int(int(s.To))
	}
	if len(x.Stretches) > 0 {
		w.mark(`"`)
	}
}
