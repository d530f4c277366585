package rules

// An Asker is what checked a limitation: a rule, or a Knowledge.
type Asker struct {
	Rule *Rule   // nil for a Knowledge,
	At   Keeping // which this names
}

// limitationLog notes which limitations are checked, for tests: in operation there is none.
type limitationLog struct {
	asker Asker // whose function runs
	note  func(by Asker, g Limitation, applies bool)
}

// NoteLimitations has note called for each limitation that a rule or a Knowledge checks, with whether it
// applies, for the test of the Limitations that they declare. It is to be called before the first event.
func (k *Checker) NoteLimitations(note func(by Asker, g Limitation, applies bool)) {
	k.limitations = &limitationLog{note: note}
	k.tables, k.frames = compile(k.rules, place{limitations: k.limitations})
	compileCrossConnection(k.rules, k.crossConnection, place{limitations: k.limitations})
}

// Limited notes that a limitation was checked, and returns whether it applies. Code that knows it from
// what it remembers itself, without a method of Conn, calls it too.
func (c *Conn) Limited(g Limitation, applies bool) bool {
	if c.limitations != nil {
		c.limitations.note(c.limitations.asker, g, applies)
	}
	return applies
}

// noted has what is asked while do runs noted as asked by who stands at the place.
func noted[O, T any](at place, do func(O, T, Reporter)) func(O, T, Reporter) {
	if at.limitations == nil {
		return do
	}
	who := Asker{Rule: at.rule}
	if at.rule == nil {
		who.At = at.keeping
	}
	return func(o O, x T, report Reporter) {
		before := at.limitations.asker
		at.limitations.asker = who
		do(o, x, report)
		at.limitations.asker = before
	}
}
