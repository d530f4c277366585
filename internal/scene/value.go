package scene

import (
	"encoding/hex"
	"strings"
)

const (
	// largest is the greatest number of bytes that one thing in a text makes.
	largest = 1 << 20
	// most is the greatest that a whole text makes.
	most = 16 << 20
	// deepest is how deep values nest.
	deepest = 24
)

// A value is what stands after a name's = or in a list.
type value struct {
	line int
	// word is a number or name. Of NAME{...} it is the name.
	word string
	// bytes are those of "...", hex(...) and bytes(...).
	bytes []byte
	// list are the values of [...], or those in {...} that have no name;
	// fields are the others.
	list   []*value
	fields []assignment

	isBytes, isList, isBraces bool
}

// An assignment is name=value.
type assignment struct {
	line  int
	path  []string
	value *value
}

// value takes one value.
func (c *cursor) value(depth int) *value {
	t := c.takeToken()
	v := &value{line: t.line}
	switch {
	case depth > deepest:
		c.fail("values nest too deep")
	case t.kind == text:
		v.bytes, v.isBytes = []byte(t.text), true
	case t.is("["):
		v.isList = true
		for c.more() && !c.peek().is("]") {
			v.list = append(v.list, c.value(depth+1))
		}
		c.mark("]")
	case t.is("{"):
		c.braces(v, depth)
	case t.kind == word && c.peek().is("("):
		v.bytes, v.isBytes = c.function(t.text), true
	case t.kind == word:
		v.word = t.text
		if c.peek().is("{") {
			c.takeToken()
			c.braces(v, depth)
		}
	default:
		c.fail("a value is missing")
	}
	return v
}

// braces takes what stands in braces, and the one that closes them.
func (c *cursor) braces(v *value, depth int) {
	v.isBraces = true
	for c.more() && !c.peek().is("}") {
		c.field(v, depth)
	}
	c.mark("}")
}

// field takes a value, with or without a name, into v.
func (c *cursor) field(v *value, depth int) {
	if len(c.tokens) > 1 && c.tokens[0].kind == word && c.tokens[1].is("=") {
		name := c.takeToken()
		c.takeToken()
		v.fields = append(v.fields, assignment{name.line, strings.Split(name.text, "."), c.value(depth + 1)})
		return
	}
	v.list = append(v.list, c.value(depth+1))
}

// fields takes values until the line ends, as if they stood in braces.
func (c *cursor) fields() *value {
	v := &value{line: c.number, isBraces: true}
	for c.more() {
		c.field(v, 0)
	}
	return v
}

// bytes takes a value that is bytes.
func (c *cursor) bytes(what string) []byte {
	if !c.more() {
		c.fail("%s: bytes are missing", what)
		return nil
	}
	v := c.value(0)
	if !v.isBytes {
		c.fail("%s: not bytes, which are \"...\", hex(...) or bytes(N)", what)
	}
	return v.bytes
}

// function takes the arguments of a word that makes bytes.
func (c *cursor) function(name string) (data []byte) {
	c.mark("(")
	switch name {
	case "bytes":
		n, seed := c.count("bytes"), uint64(0)
		if c.isNumber() {
			seed = c.number64("bytes")
		}
		data = pattern(n, seed)
	case "zeros":
		data = make([]byte, c.count("zeros"))
	case "text":
		data = []byte(strings.Repeat("a", c.count("text")))
	case "hex":
		var digits strings.Builder
		for c.more() && c.peek().kind == word {
			digits.WriteString(strings.TrimPrefix(c.takeToken().text, "0x"))
		}
		b, err := hex.DecodeString(digits.String())
		if err != nil {
			c.fail("hex: %q are no bytes", digits.String())
		}
		data = b
	default:
		c.fail("%s(...) is none of bytes, zeros, text, hex", name)
	}
	c.mark(")")
	return data
}

// pattern is n bytes: 1 to 251 over and over, from the seed on.
func pattern(n int, seed uint64) []byte {
	b := make([]byte, n)
	for i := range b {
		b[i] = byte((uint64(i)+seed)%251 + 1)
	}
	return b
}
