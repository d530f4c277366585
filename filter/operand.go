package filter

import (
	"slices"
	"strings"
)

// suits is the error of an operator that the field's kind does not have.
func (f *Field) suits(op operator, asked token) *Error {
	kind := f.Kind
	switch op {
	case contains:
		if kind != String && kind != Bytes && kind != Enum {
			return asked.failed("contains is for text and bytes; "+f.Name+" takes "+kind.String(), "for example "+f.sample())
		}
	case matches:
		if kind == Bytes {
			return asked.failed("matches is for text; "+f.Name+" takes bytes", "for example "+f.Name+" contains 00:1f")
		}
		if kind != String && kind != Enum {
			return asked.failed("matches is for text; "+f.Name+" takes "+kind.String(), "for example "+f.sample())
		}
	case less, lessEqual, greater, greaterEqual:
		if kind == Bool {
			return asked.failed(f.Name+" is true or false, and has no order", "write "+f.Name+" or not "+f.Name)
		}
	}
	return nil
}

// operand reads what the operator, which was the token asked, has to its right.
func (p *parser) operand(f *Field, t *test, op operator, asked token) *Error {
	if err := f.suits(op, asked); err != nil {
		return err
	}
	if op == among {
		return p.members(f, t, asked)
	}
	value, err := p.value(f, asked)
	if err != nil {
		return err
	}
	if op == equal {
		f = p.hashed(f, t, value)
	}
	switch f.Kind {
	case String, Bytes:
		err = t.compareText(f, op, value)
	case Address:
		err = t.compareAddress(f, op, value)
	default:
		err = t.compareNumber(f, op, value)
	}
	return err
}

// value reads a token that can be a value.
func (p *parser) value(f *Field, after token) (token, *Error) {
	t := p.token
	if t.kind != tokenWord && t.kind != tokenText || t.is("and", "or", "not") && f.named(t.text) == nil {
		hint := f.sample()
		if after.kind == tokenMark || after.kind == tokenDots {
			hint = f.sampleSet()
		}
		return t, t.failed("a value is missing after "+after.text, "for example "+hint)
	}
	if _, field := p.set.Lookup(t.text); field && t.kind == tokenWord && strings.Contains(t.text, ".") && f.named(t.text) == nil {
		return t, t.failed(t.text+" is a field, and fields can be compared with values only", "for example "+f.sample())
	}
	return t, p.next()
}

// members reads a set in braces.
func (p *parser) members(f *Field, t *test, after token) *Error {
	open := p.token
	if !open.is("{") {
		return open.failed("in takes a set in braces", "for example "+f.sampleSet())
	}
	after = open
	size := f // whose hashes a set of hashes asks for
	for !after.is("}") {
		if err := p.next(); err != nil {
			return err
		}
		lo, err := p.value(f, after)
		if err != nil {
			return err
		}
		if after == open {
			f = p.hashed(f, t, lo)
		}
		if err := unlike(size, f, lo); err != nil {
			return err
		}
		hi := lo
		if p.token.kind == tokenDots {
			dots := p.token
			if err := p.next(); err != nil {
				return err
			}
			if hi, err = p.value(f, dots); err != nil {
				return err
			}
			if err := unlike(size, f, hi); err != nil {
				return err
			}
		}
		if err := t.member(f, lo, hi); err != nil {
			return err
		}
		after = p.token
		switch {
		case after.kind == tokenEnd:
			return open.failed("this { is not closed", "")
		case !after.is(",", "}"):
			return after.failed("a comma is missing before "+after.shown(), "")
		}
	}
	t.numbers = normal(t.numbers, compareNumbers)
	t.addresses = normal(t.addresses, compareAddresses)
	t.text.op = among
	slices.Sort(t.text.set)
	return p.next()
}

// member adds the values from lo to hi, which may be one token, to a set.
func (t *test) member(f *Field, lo, hi token) *Error {
	ranged := lo != hi
	whole := token{kind: tokenWord, at: lo.at, end: hi.end}
	switch f.Kind {
	case String, Bytes:
		if ranged {
			return whole.failed("text and bytes have no ranges", "name each one, or use "+f.Name+" >= and <=")
		}
		s, err := f.text(lo)
		t.text.set = append(t.text.set, s)
		return err
	case Address:
		s, err := f.addressRange(lo, hi)
		t.addresses = append(t.addresses, s)
		return err
	}
	from, err := f.numbers(lo)
	if err != nil {
		return err
	}
	if !ranged {
		for _, key := range from {
			t.numbers = append(t.numbers, span[uint64]{key, key})
		}
		return nil
	}
	to, err := f.numbers(hi)
	switch {
	case err != nil:
		return err
	case len(from) > 1 || len(to) > 1:
		return whole.failed("a name of several numbers has no range", "write the numbers")
	case from[0] > to[0]:
		return whole.failed("nothing is in this range", "the lower value comes first")
	}
	t.numbers = append(t.numbers, span[uint64]{from[0], to[0]})
	return nil
}

func (t *test) compareNumber(f *Field, op operator, value token) *Error {
	var keys []uint64
	var err *Error
	if op == contains || op == matches {
		keys, err = f.alike(op, value)
	} else {
		keys, err = f.numbers(value)
	}
	if err != nil {
		return err
	}
	if len(keys) > 1 && op != equal && op != contains && op != matches {
		return value.failed(value.shown()+" names several numbers, which have no order", "write the number")
	}
	if op == contains || op == matches {
		op = equal
	}
	for _, key := range keys {
		t.numbers = append(t.numbers, numberSpans(op, key)...)
	}
	t.numbers = normal(t.numbers, compareNumbers)
	return nil
}

func (t *test) compareAddress(f *Field, op operator, value token) *Error {
	s, err := f.address(value)
	if err != nil {
		return err
	}
	if s.lo != s.hi && op != equal {
		return value.failed("a prefix has no order", "write == or !=, or the first or last address of the prefix")
	}
	t.addresses = addressSpans(op, s)
	return nil
}

func (t *test) compareText(f *Field, op operator, value token) *Error {
	if op == matches {
		re, err := pattern(f, value)
		t.text = text{op: op, regexp: re}
		return err
	}
	s, err := f.text(value)
	if err == nil && op == contains && s == "" {
		err = value.failed("everything contains nothing", "to ask whether there is one, write "+f.Name)
	}
	t.text = newText(op, s)
	return err
}
