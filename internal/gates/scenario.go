package main

import (
	"fmt"
	"slices"
	"strings"

	"github.com/rdmacap/rdmacap/internal/scene"
	"github.com/rdmacap/rdmacap/report/rules"
)

// healthyRPCs is how many healthy RPCs come before a sample, on each connection.
const healthyRPCs = 40

// A scenario is a finding that a sample wants, with healthy RPCs around it.
type scenario struct {
	rule *rules.Rule
	id   string // the finding, with its letter
	name string // the sample's
	over scene.Transport
	text []statement
	// before and beside are the healthy RPCs that frames are lost of: all that come before
	// the sample on the connection of the finding, and the one right before what fires.
	before []int
	beside int
	// found is what the whole capture shows.
	found *played
}

// family is the rule's: "DDP".
func (s *scenario) family() string { return s.rule.Family() }

// String names it for a person.
func (s *scenario) String() string { return fmt.Sprintf("%s %q over %s", s.id, s.name, s.over) }

// A statement is one of a scene with its options, or half of a healthy RPC.
type statement struct {
	lines []string
	// rpc is the number of the healthy RPC whose call, or reply, it is, from 1.
	rpc   int
	reply bool
}

// word is its first one.
func (s statement) word() string {
	w, _, _ := strings.Cut(s.lines[0], " ")
	return strings.TrimSuffix(w, ";")
}

// statementsOf cuts a text into statements. What stands between repeat and end is one.
func statementsOf(lines []string) (list []statement) {
	open, inside := 0, false
	for _, l := range lines {
		text, _, _ := strings.Cut(l, "#")
		if strings.TrimSpace(text) == "" && open == 0 {
			continue
		}
		indented := text != "" && (text[0] == ' ' || text[0] == '\t')
		if n := len(list) - 1; n >= 0 && (indented || open > 0 || inside) {
			list[n].lines = append(list[n].lines, l)
		} else {
			list = append(list, statement{lines: []string{l}})
		}
		open += strings.Count(text, "[") + strings.Count(text, "{") - strings.Count(text, "]") - strings.Count(text, "}")
		switch strings.Fields(l + " .")[0] {
		case "repeat":
			inside = true
		case "end":
			inside = false
		}
	}
	return list
}

// An arrangement is where the healthy RPCs stand.
type arrangement struct {
	everyConnection bool // after each connect, else after the first
	beside          bool // one more stands right before what fires
}

// arranged puts healthy RPCs into a sample for one of the findings that it wants.
func (s *scenario) arranged(lines []string, a arrangement) {
	s.text, s.before, s.beside = nil, nil, 0
	own := statementsOf(lines)
	fires := slices.IndexFunc(own, func(x statement) bool { return x.wants(s.id) })
	connects := slices.ContainsFunc(own, statement.connectsAt)
	done, rpcs := false, 0
	add := func(n int) {
		for range n {
			rpcs++
			s.text = append(s.text, healthy(rpcs)...)
			s.before = append(s.before, rpcs)
		}
	}
	begin := func() {
		if !done || a.everyConnection {
			s.before = nil
			add(healthyRPCs)
			done = true
		}
	}
	for i, x := range own {
		if !connects && !done && x.word() != "only" && x.word() != "snap" {
			begin()
		}
		if i == fires && a.beside && done {
			add(1)
		}
		if i == fires && done {
			s.beside = rpcs
		}
		s.text = append(s.text, x)
		if x.connectsAt() && (i <= fires || fires < 0) {
			begin()
		}
	}
}

// connectsAt reports whether RPCs can follow it because it connects.
func (s statement) connectsAt() bool { return s.word() == "connect" || s.word() == "setup" }

// wants reports whether a finding is wanted of it.
func (s statement) wants(id string) bool {
	return slices.ContainsFunc(s.lines, func(l string) bool {
		for _, part := range strings.Split(l, ";") {
			if f := strings.Fields(part); len(f) > 1 && f[0] == "want" && f[1] == id {
				return true
			}
		}
		return false
	})
}

// healthy is an RPC that is well: a GETATTR, or a READ into a Write chunk.
func healthy(n int) []statement {
	id := 500000 + n
	if n%2 == 1 {
		return []statement{
			{lines: []string{fmt.Sprintf("call %d NFS3 GETATTR object=\"healthy\"", id)}, rpc: n},
			{lines: []string{fmt.Sprintf("reply %d", id)}, rpc: n, reply: true},
		}
	}
	return []statement{
		{lines: []string{fmt.Sprintf("call %d NFS3 READ file=\"healthy\" offset=%d count=3000", id, n*3000), fmt.Sprintf("    write %#x 3000", 0x7e1000+n*0x101)}, rpc: n},
		{lines: []string{fmt.Sprintf("reply %d data=bytes(3000) eof=false", id)}, rpc: n, reply: true},
	}
}

// render is the text of the scene, with frames of healthy RPCs missing.
func (s *scenario) render(t *treatment, lost func(x *statement) bool) string {
	var b strings.Builder
	if t.only != "" {
		b.WriteString("only " + t.only + "\n")
	}
	for i := range s.text {
		x := &s.text[i]
		for _, l := range x.lines {
			b.WriteString(l + "\n")
		}
		switch {
		case t.late && x.word() == "connect":
			b.WriteString("    drop\n")
		case x.rpc > 0 && lost != nil && lost(x):
			b.WriteString("    drop frame 1\n")
		}
	}
	return b.String()
}
