package filter

import (
	"slices"
	"strings"
)

// An operator is what is asked of each value.
type operator uint8

const (
	equal operator = iota
	less
	lessEqual
	greater
	greaterEqual
	contains
	matches
	among // in a set
)

// holds reports whether a comparison holds, given the order of its sides as of
// strings.Compare.
func (op operator) holds(order int) bool {
	switch op {
	case equal:
		return order == 0
	case less:
		return order < 0
	case lessEqual:
		return order <= 0
	case greater:
		return order > 0
	case greaterEqual:
		return order >= 0
	}
	return false
}

// A quantity is how many of a field's values have to pass.
type quantity uint8

const (
	some    quantity = iota // at least one passes
	every                   // all pass, and there is one
	none                    // there are values, and none passes
	someNot                 // at least one does not pass
	present                 // there are values
)

// A relation is what a user writes between a field and a value.
type relation struct {
	op operator
	of quantity
}

// operators are all relations, as they are written.
var operators = map[string]relation{
	"==": {equal, some}, "eq": {equal, some}, "any_eq": {equal, some},
	"!=": {equal, none}, "ne": {equal, none}, "all_ne": {equal, none},
	"===": {equal, every}, "all_eq": {equal, every},
	"!==": {equal, someNot}, "any_ne": {equal, someNot},
	"<": {less, some}, "lt": {less, some},
	"<=": {lessEqual, some}, "le": {lessEqual, some},
	">": {greater, some}, "gt": {greater, some},
	">=": {greaterEqual, some}, "ge": {greaterEqual, some},
	"contains": {contains, some},
	"matches":  {matches, some}, "~": {matches, some},
	"in": {among, some},
}

// with is the relation after the words any or all before the field, which count
// for more than the operator's own: any a != 1 is a !== 1.
func (r relation) with(all bool) relation {
	not := r.of == none || r.of == someNot
	switch {
	case all && not:
		r.of = none
	case all:
		r.of = every
	case not:
		r.of = someNot
	default:
		r.of = some
	}
	return r
}

// isKeyword reports whether a word, which is lower case, joins tests.
func isKeyword(word string) bool {
	return slices.Contains(keywords[:], word)
}

var keywords = [...]string{"and", "or", "not", "any", "all"}

// isWord reports whether the token is that word, in any case, or that sign.
func (t token) is(words ...string) bool {
	if t.kind == tokenText {
		return false
	}
	for _, w := range words {
		if strings.EqualFold(t.text, w) {
			return true
		}
	}
	return false
}

// relation is the relation that the token writes.
func (t token) relation() (relation, bool) {
	if t.kind != tokenWord && t.kind != tokenOperator {
		return relation{}, false
	}
	r, ok := operators[strings.ToLower(t.text)]
	return r, ok
}
