package filter

import "strings"

// A Completion is one way to go on with an expression.
type Completion struct {
	// Text is the whole expression with its last word completed.
	Text string
	// Doc says what the word means, "" if it explains itself.
	Doc string
}

// Completions are the ways to complete the last word of an expression, or to
// add a word if it ends in a space: fields where a test begins, operators after
// a field, names of values after an operator. There are none if the expression
// is wrong before its last word, or if nobody can know the next one.
func (s *Set) Completions(prefix string) []Completion {
	if len(prefix) > maxExpr {
		return nil
	}
	c := completer{set: s, next: (*completer).start}
	at := 0
	for {
		t, err := nextToken(prefix, at)
		switch {
		case err != nil:
			return nil
		case t.kind == tokenEnd:
			c.before, c.word = prefix, ""
			c.next(&c, t)
			return c.list
		case t.kind == tokenWord && t.end == len(prefix):
			c.before, c.word = prefix[:t.at], t.text
			c.next(&c, token{at: t.at, end: t.at})
			return c.list
		}
		if c.next(&c, t); c.next == nil {
			return nil
		}
		at = t.end
	}
}

// A completer goes through the tokens before the last word. Each of its states
// is a method: given the end it offers words, given another token it sets the
// next state, nil if the token is wrong there.
type completer struct {
	set          *Set
	next         func(*completer, token)
	field        *Field // that the test is about
	among        bool   // in the braces of a set
	before, word string
	list         []Completion
}

// offer adds a word if the last word begins it, in any case.
func (c *completer) offer(word, doc string) {
	if len(word) >= len(c.word) && strings.EqualFold(word[:len(c.word)], c.word) {
		c.list = append(c.list, Completion{c.before + word, doc})
	}
}

// fields offers the fields; other names of them if the word begins none.
func (c *completer) fields() {
	for i := range c.set.fields {
		c.offer(c.set.fields[i].Name, c.set.fields[i].Doc)
	}
	if len(c.list) > 0 {
		return
	}
	for i := range c.set.aliases {
		a := &c.set.aliases[i]
		c.offer(a.Name, a.Of+": "+a.field.Doc)
	}
}

// Names are the ways to complete the name of a field.
func (s *Set) Names(prefix string) []Completion {
	c := completer{set: s, word: prefix}
	c.fields()
	return c.list
}

// start is where a test begins.
func (c *completer) start(t token) {
	switch f, _, ok := c.set.named(t.text); {
	case t.kind == tokenEnd:
		c.fields()
		c.offer("not", "the test that follows is false")
		c.offer("all", "all values of the field pass the test, not only one")
		c.offer("any", "one value of the field passes the test")
	case t.is("not", "!", "(", "any", "all"):
	case ok && t.kind == tokenWord:
		c.field, c.next = f, (*completer).afterField
	default:
		c.next = nil
	}
}

func (c *completer) afterField(t token) {
	if t.kind == tokenEnd {
		for _, o := range offered {
			r := operators[o.sign]
			if c.field.suits(r.op, t) == nil {
				c.offer(o.sign, o.doc)
			}
		}
	}
	if r, ok := t.relation(); ok {
		switch c.next = (*completer).value; r.op {
		case among:
			c.next = (*completer).brace
		case contains, matches:
			c.next = (*completer).quoted
		}
		return
	}
	if t.is("not") { // FIELD not in
		return
	}
	c.afterTest(t)
}

// offered are the operators that completions offer, of each one spelling.
var offered = [...]struct{ sign, doc string }{
	{"==", "one value equals"}, {"!=", "all values differ"},
	{"<", "less"}, {"<=", "less or equal"}, {">", "greater"}, {">=", "greater or equal"},
	{"contains", "has these bytes in it"}, {"matches", "matches a regular expression"},
	{"in", "is one of a set in braces"},
}

func (c *completer) brace(t token) {
	switch {
	case t.kind == tokenEnd:
		c.offer("{", "")
	case t.is("{"):
		c.among, c.next = true, (*completer).value
	default:
		c.next = nil
	}
}

func (c *completer) value(t token) {
	switch {
	case t.kind == tokenEnd && c.field.Kind == Enum:
		seen := make(map[string]bool)
		for name := range c.field.Names {
			if !seen[name] {
				seen[name] = true
				c.offer(enumLiteral(name), "")
			}
		}
	case t.kind == tokenEnd && c.field.Kind == Bool:
		c.offer("true", "")
		c.offer("false", "")
	case t.kind == tokenEnd:
	case t.kind != tokenWord && t.kind != tokenText:
		c.next = nil
	case c.among:
		c.next = (*completer).member
	default:
		c.next = (*completer).afterTest
	}
}

// quoted is where only text in quotes can be, or bytes: nobody knows which.
func (c *completer) quoted(t token) {
	if t.kind != tokenEnd {
		c.value(t)
	}
}

// member is after a value in a set.
func (c *completer) member(t token) {
	switch {
	case t.kind == tokenEnd:
		c.offer("}", "")
	case t.kind == tokenDots || t.is(","):
		c.next = (*completer).value
	case t.is("}"):
		c.among, c.next = false, (*completer).afterTest
	default:
		c.next = nil
	}
}

func (c *completer) afterTest(t token) {
	switch {
	case t.kind == tokenEnd:
		c.offer("and", "")
		c.offer("or", "")
	case t.is("and", "&&", "or", "||"):
		c.next = (*completer).start
	case t.is(")"):
		c.next = (*completer).afterTest
	default:
		c.next = nil
	}
}
