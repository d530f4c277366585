package scene

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// trouble is the first thing wrong with a text. What is read after it is
// nothing, so the reader need not ask after each step.
type trouble struct {
	err  *Error
	made int // bytes that the text made so far
}

// spend counts n bytes of what a text may make in all.
func (t *trouble) spend(line, n int) {
	if t.made += n; t.made > most {
		t.failf(line, "it all makes more than %d bytes", most)
	}
}

func (t *trouble) failf(line int, format string, a ...any) {
	if t.err == nil {
		t.err = &Error{line, fmt.Sprintf(format, a...)}
	}
}

// cursor reads the tokens of a line.
type cursor struct {
	*trouble
	number int
	tokens []token
}

func (t *trouble) cursor(l line) *cursor { return &cursor{t, l.number, l.tokens} }

func (c *cursor) fail(format string, a ...any) { c.failf(c.number, format, a...) }

func (c *cursor) more() bool { return c.err == nil && len(c.tokens) > 0 }

// peek is the next token; a mark without text if there is none.
func (c *cursor) peek() token {
	if !c.more() {
		return token{kind: mark, line: c.number}
	}
	return c.tokens[0]
}

func (c *cursor) takeToken() token {
	t := c.peek()
	if c.more() {
		c.tokens = c.tokens[1:]
		c.number = t.line
	}
	return t
}

// word takes a word; what says what is missing if there is none.
func (c *cursor) word(what string) string {
	if !c.more() || c.peek().kind != word {
		c.fail("%s is missing", what)
		return ""
	}
	return c.takeToken().text
}

// accept takes the next token if it is the word, and reports whether it was.
func (c *cursor) accept(w string) bool {
	if t := c.peek(); t.kind != word || t.text != w {
		return false
	}
	c.takeToken()
	return true
}

// one takes a word, which has to be one of the names.
func (c *cursor) one(names ...string) string {
	w := c.word("one of " + strings.Join(names, ", "))
	if c.err == nil && !slices.Contains(names, w) {
		c.fail("%s is none of %s", w, strings.Join(names, ", "))
	}
	return w
}

// mark takes the mark.
func (c *cursor) mark(m string) {
	if t := c.takeToken(); !t.is(m) {
		c.fail("%s is missing", m)
	}
}

func (c *cursor) number64(what string) uint64 { return c.parse(c.word(what), what, 64) }

func (c *cursor) number32(what string) uint32 { return uint32(c.parse(c.word(what), what, 32)) }

// count takes a number of bytes, frames or the like that the text itself makes.
func (c *cursor) count(what string) int {
	n := c.number32(what)
	if n > largest {
		c.fail("%s of %d is more than %d", what, n, largest)
		return 0
	}
	if c.spend(c.number, int(n)); c.err != nil {
		return 0
	}
	return int(n)
}

// integer takes a number that may be negative.
func (c *cursor) integer(what string) int {
	w := c.word(what)
	n, err := strconv.ParseInt(strings.TrimPrefix(w, "+"), 0, 32)
	if err != nil {
		c.fail("%s: %q is no number", what, w)
	}
	return int(n)
}

func (c *cursor) parse(s, what string, bits int) uint64 {
	v, err := strconv.ParseUint(s, 0, bits)
	if err != nil {
		c.fail("%s: %q is no number of %d bits", what, s, bits)
	}
	return v
}

// isNumber reports whether the next token is a number.
func (c *cursor) isNumber() bool {
	t := c.peek()
	_, err := strconv.ParseUint(t.text, 0, 64)
	return t.kind == word && err == nil
}

// expectEnd says so if anything is left.
func (c *cursor) expectEnd() {
	if c.more() {
		c.fail("%s is not understood here", c.peek())
	}
}
