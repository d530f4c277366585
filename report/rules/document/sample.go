package document

import "strings"

// A Sample is a small capture as text, which package internal/scene plays. The findings
// to expect stand in it.
type Sample struct {
	// Fires says that the rule finds something in it.
	Fires bool
	// Name says what happens in it.
	Name string
	// Over is the only transport that it makes sense for, RoCE or iWARP; "" for any.
	Over string
	// Scene is the text, from connect to disconnect.
	Scene string

	lines []int // of the document, by those of Scene
}

// Line is the line of the document in which a line of the scene stands, both from 1.
func (s *Sample) Line(n int) int { return s.lines[max(0, min(n-1, len(s.lines)-1))] }

// kinds of sections that are samples, with whether the rule finds something.
const (
	fires  = "fires"
	silent = "silent"
	scene  = "scene"
)

// isSample reports whether a heading is that of a sample, or of a scene that they share.
func isSample(name string) bool {
	for _, kind := range [...]string{fires, silent, scene} {
		if rest, ok := strings.CutPrefix(name, kind); ok && rest != "" && strings.ContainsAny(rest[:1], " :") {
			return true
		}
	}
	return false
}

// Samples reads those of the document, in its order.
func (d *Document) Samples() (list []Sample, err error) {
	t := d.samples
	scenes := make(map[string]*writing)
	for {
		line, ok := t.peek()
		if !ok {
			return list, nil
		}
		name := strings.TrimSpace(strings.TrimPrefix(line, heading))
		if !isSample(name) {
			return nil, t.wrong(len(heading)+1, "only samples and scenes come after the first")
		}
		if base, ok := strings.CutPrefix(name, scene+" "); ok {
			if strings.ContainsAny(base, ",:()") {
				return nil, t.wrong(len(heading)+1, "the name of a scene has no commas, colons or brackets")
			}
			if scenes[base] != nil {
				return nil, t.wrong(len(heading)+1, "a second scene "+quoted(base))
			}
			scenes[base] = new(writing)
			t.next()
			scenes[base].text(&t)
			continue
		}
		s, err := sample(&t, name, scenes)
		if err != nil {
			return nil, err
		}
		list = append(list, s)
	}
}

// sample reads one whose heading comes next.
func sample(t *text, heads string, scenes map[string]*writing) (s Sample, err error) {
	what, name, _ := strings.Cut(heads, ":")
	s.Name = strings.TrimSpace(name)
	kind, words, _ := strings.Cut(what, " ")
	s.Fires = kind == fires
	if s.Name == "" || kind != fires && kind != silent {
		return s, t.wrong(len(heading)+1, "a sample has a name: == fires: what happens in it")
	}
	var p plain
	if words != "" {
		if err := p.read(t, words, &s, scenes); err != nil {
			return s, err
		}
	}
	t.next()
	w := &writing{heading: t.number}
	if p.base != nil {
		w.lines, w.numbers = append(w.lines, p.base.lines...), append(w.numbers, p.base.numbers...)
	}
	own := len(w.lines)
	w.text(t)
	if len(w.lines) == own && own == 0 {
		return s, &Error{t.file, w.heading, 0, "the sample is empty"}
	}
	if !p.noConnect && p.base == nil && !w.begins() {
		w.prepend(p.connect())
	}
	if !p.noDisconnect && !w.ends() {
		w.addLine("disconnect", t.number)
	}
	s.Scene, s.lines = strings.Join(w.lines, "\n")+"\n", w.numbers
	return s, nil
}

// plain is what the words in brackets say.
type plain struct {
	version2, noConnect, noDisconnect bool
	base                              *writing
}

func (p *plain) read(t *text, words string, s *Sample, scenes map[string]*writing) error {
	line, _ := t.peek()
	column := strings.IndexByte(line, '(') + 1
	inside, ok := strings.CutPrefix(words, "(")
	inside, closed := strings.CutSuffix(inside, ")")
	if !ok || !closed {
		return t.wrong(len(heading)+1, "options are in parentheses: == fires (iWARP): what happens")
	}
	for word := range strings.SplitSeq(inside, ",") {
		trimmed := strings.TrimSpace(word)
		base, based := strings.CutPrefix(trimmed, "based on ")
		switch {
		case based && scenes[base] != nil:
			p.base = scenes[base]
		case based:
			return t.wrong(column+1, "no scene "+quoted(base)+" is above")
		case (trimmed == "RoCE" || trimmed == "iWARP") && s.Over == "":
			s.Over = trimmed
		case trimmed == "version 2":
			p.version2 = true
		case trimmed == "no connect":
			p.noConnect = true
		case trimmed == "no disconnect":
			p.noDisconnect = true
		default:
			return t.wrong(column+1, quoted(trimmed)+" is not one of RoCE, iWARP, version 2, no connect, no disconnect, based on NAME")
		}
		column += len(word) + 1
	}
	return nil
}

// connect is the statement that is not written.
func (p *plain) connect() string {
	if p.version2 {
		return "connect version=2"
	}
	return "connect"
}
