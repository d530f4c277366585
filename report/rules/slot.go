package rules

// A ConnSlot is a place of connections with the type of what is kept there. A family, or a Knowledge,
// declares its own as a constant, so that the type stands beside the Keeping once, and neither is named
// where it is used:
//
//	const state = rules.ConnSlot[kept](rules.KeepsCM)
//
// That is an index of an array, which is known when the program is compiled. No two slots of one kind
// may have one Keeping.
type ConnSlot[T any] Keeping

// Of is what is kept of a connection, made when it is first asked for.
func (s ConnSlot[T]) Of(c *Conn) *T { return kept[T](&c.kept[s]) }

// IfAny is what is kept of a connection, nil if nothing is.
func (s ConnSlot[T]) IfAny(c *Conn) *T {
	t, _ := c.kept[s].(*T)
	return t
}

// A CaptureSlot is the same for what the connections of a Checker use together. It must have a bound,
// and spare work only: nothing that one connection does may show in what it says of another. That is a
// CrossSlot.
type CaptureSlot[T any] Keeping

// Of is what the connections of a Checker use together, made when it is first asked for.
func (s CaptureSlot[T]) Of(k *Capture) *T { return kept[T](&k.kept[s]) }

// Each calls do for what each Checker keeps of the capture, once all of them have seen all of it: in
// OnCaptureEnd. Which Checker saw what is not to show.
func (s CaptureSlot[T]) Each(a *CrossConnection, do func(*T)) {
	for _, k := range a.captures {
		if t, ok := k.kept[s].(*T); ok {
			do(t)
		}
	}
}

// A CrossSlot is the same for what is kept across connections. It must have a bound.
type CrossSlot[T any] Keeping

// Of is what is kept across connections, made when it is first asked for.
func (s CrossSlot[T]) Of(a *CrossConnection) *T { return kept[T](&a.kept[s]) }

// A RefSlot is the same for what CrossConnection keeps of a connection.
type RefSlot[T any] Keeping

// Of is what CrossConnection keeps of a connection, made when it is first asked for.
func (s RefSlot[T]) Of(e *ConnRef) *T {
	if t := s.IfAny(e); t != nil {
		return t
	}
	t := new(T)
	e.kept = append(e.kept, keptAt{Keeping(s), t})
	return t
}

// IfAny is what CrossConnection keeps of a connection, nil if nothing is.
func (s RefSlot[T]) IfAny(e *ConnRef) *T {
	for i := range e.kept {
		if k := &e.kept[i]; k.at == Keeping(s) {
			return k.what.(*T)
		}
	}
	return nil
}

func kept[T any](at *any) *T {
	if *at == nil {
		*at = new(T)
	}
	return (*at).(*T)
}
