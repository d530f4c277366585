package syntax

// see notes the next comment.
func (p *Parser) see() {
	p.seen = append(p.seen, p.taken)
	p.taken++
}

// trailing notes the comments that stand on the same line after the token
// taken last.
func (p *Parser) trailing() {
	t := p.peek()
	for p.taken < t.comments && p.comments[p.taken].behind {
		p.see()
	}
}

// about takes the comments that belong to the declaration whose first token is
// in that line: the notes, which are overwritten by the next ones, and the prose.
// Prose before it must stand directly above.
func (p *Parser) about(line int32) (notes []Note, doc string, err error) {
	seen := p.seen[p.base:]
	p.seen, p.notes = p.seen[:p.base], p.notes[:0]
	above := line
	for i := len(seen) - 1; i >= 0; i-- {
		if c := &p.comments[seen[i]]; c.line < line && (c.last == above-1 || c.last == above) && !c.behind {
			above = c.line
		}
	}
	for _, i := range seen {
		c := &p.comments[i]
		prose, err := p.readNotes(c)
		if err != nil {
			return nil, "", err
		}
		if prose != "" && (c.line >= line || c.line >= above && !c.behind) {
			if doc != "" {
				prose = doc + " " + prose
			}
			doc = prose
		}
	}
	return p.notes, doc, nil
}
