package rules

// An Asker is who asked a gate: a rule, or a Knowledge.
type Asker struct {
	Rule *Rule   // nil for a Knowledge,
	At   Keeping // which this names
}

// gateLog notes what is asked of gates, for tests: in operation there is none.
type gateLog struct {
	asker Asker // whose function runs
	note  func(by Asker, g Gate, shut bool)
}

// NoteGates has note called for each gate that a rule or a Knowledge asks, with whether it
// was shut, as a test does that holds the Gates that they declare. It is to be called
// before the first event.
func (k *Checker) NoteGates(note func(by Asker, g Gate, shut bool)) {
	k.gates = &gateLog{note: note}
	k.tables, k.frames = compile(k.rules, place{gates: k.gates})
	compileAcross(k.rules, k.across, place{gates: k.gates})
}

// Asked notes that a gate was asked, and returns whether it is shut. Who answers a gate from
// what it remembers itself, in place of a method of Conn, says so by it.
func (c *Conn) Asked(g Gate, shut bool) bool {
	if c.gates != nil {
		c.gates.note(c.gates.asker, g, shut)
	}
	return shut
}

// noted has what is asked while do runs noted as asked by who stands at the place.
func noted[O, T any](at place, do func(O, T, Say)) func(O, T, Say) {
	if at.gates == nil {
		return do
	}
	who := Asker{Rule: at.rule}
	if at.rule == nil {
		who.At = at.keeping
	}
	return func(o O, x T, say Say) {
		before := at.gates.asker
		at.gates.asker = who
		do(o, x, say)
		at.gates.asker = before
	}
}
