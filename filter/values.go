package filter

import (
	"net/netip"
	"time"
)

// A Record is what filters are asked about: a frame, a message, an RPC.
type Record interface {
	// Values gives to the value of the field with that index in the Set, or
	// each of its values, or nothing if the record does not have it. The method
	// of Values that it calls is the one of the field's kind.
	Values(field int, to *Values)
}

// Values takes the values of one field of one record and tests each of them.
// It keeps none, so a Record may give bytes that it will change later.
type Values struct {
	test  *test
	takes Kind  // class of the values that the test is for
	other Kind  // class of a value of another kind, if there was one
	state state // what the values so far came to
	kept  *Numbers
	shown *Shown
}

// Numbers keep the values of a field in List, as Values takes them, for who does not test but
// lists them: an Enum's and Uint's as they are, true as 1, text and bytes as the
// number that Text gives them. Without Text, and of other kinds, none is kept. Most is
// how many are kept at most; 0 sets no limit.
type Numbers struct {
	List   []uint64
	Text   func(data []byte) uint64
	Most   int
	values Values
}

// Of empties the list, and returns Values that fill it.
func (n *Numbers) Of() *Values {
	n.List = n.List[:0]
	n.values = Values{kept: n}
	return &n.values
}

// A state is which of the two, passing and not passing, some value did.
type state uint8

const (
	passed state = 1 << iota
	failed
)

// A states is a set of states: bit s is set for state s.
type states uint8

func (s states) has(one state) bool { return s>>one&1 != 0 }

// verdicts are, for each quantity, the states in which the test is true, and
// those that no further value changes: 1 is passed, 2 is failed, 3 both.
var verdicts = [...]struct{ accept, final states }{
	some:    {1<<passed | 1<<(passed|failed), 1<<passed | 1<<(passed|failed)},
	every:   {1 << passed, 1<<failed | 1<<(passed|failed)},
	none:    {1 << failed, 1<<passed | 1<<(passed|failed)},
	someNot: {1<<failed | 1<<(passed|failed), 1<<failed | 1<<(passed|failed)},
	present: {1<<passed | 1<<failed | 1<<(passed|failed), 1<<passed | 1<<failed | 1<<(passed|failed)},
}

// Done reports whether further values of the field make no difference, so that
// a Record with many of them may stop.
func (v *Values) Done() bool { return v.test != nil && v.test.final.has(v.state) }

func (v *Values) addValue(pass bool) {
	if pass {
		v.state |= passed
	} else {
		v.state |= failed
	}
}

// is reports whether the test is for values of that class, and takes note if it
// is not.
func (v *Values) is(class Kind) bool {
	if v.takes != class {
		v.other = class
		return false
	}
	return true
}

// Uint gives a value of a field of kind Uint or Enum.
func (v *Values) Uint(n uint64) {
	if v.is(Uint) {
		v.addValue(v.test.hasNumber(n))
	} else if v.keeps() {
		v.kept.List = append(v.kept.List, n)
	} else if v.shown != nil {
		v.shown.number(n)
	}
}

// Named gives a value of a field of kind Enum of which several names may be the same number: name is
// the one that is shown, "" for the one that the field has for it.
func (v *Values) Named(n uint64, name string) {
	if v.shown != nil && !v.is(Uint) && !v.keeps() {
		v.shown.List = append(v.shown.List, Value{Number: n, Str: name})
		return
	}
	v.Uint(n)
}

// Int gives a value of a field of kind Int.
func (v *Values) Int(n int64) {
	if v.is(Int) {
		v.addValue(v.test.hasNumber(signedKey(n)))
	} else if v.shown != nil {
		v.shown.number(uint64(n))
	}
}

// Duration gives a value of a field of kind Duration.
func (v *Values) Duration(d time.Duration) {
	if v.is(Duration) {
		v.addValue(v.test.hasNumber(signedKey(int64(d))))
	} else if v.shown != nil {
		v.shown.number(uint64(d))
	}
}

// Time gives a value of a field of kind Time, in nanoseconds since 1970-01-01
// 00:00:00 UTC.
func (v *Values) Time(ns int64) {
	if v.is(Time) {
		v.addValue(v.test.hasNumber(signedKey(ns)))
	} else if v.shown != nil {
		v.shown.number(uint64(ns))
	}
}

// Bool gives a value of a field of kind Bool.
func (v *Values) Bool(b bool) {
	n := uint64(0)
	if b {
		n = 1
	}
	if v.is(Bool) {
		v.addValue(v.test.hasNumber(n))
	} else if v.keeps() {
		v.kept.List = append(v.kept.List, n)
	} else if v.shown != nil {
		v.shown.number(n)
	}
}

// String gives a value of a field of kind String.
func (v *Values) String(s string) {
	if v.is(String) {
		v.addValue(v.test.text.hasString(s))
	} else if v.shown != nil {
		v.shown.List = append(v.shown.List, Value{Str: s})
	}
}

// Text gives a value of a field of kind String as it lies in a buffer.
func (v *Values) Text(b []byte) {
	if v.is(String) {
		v.addValue(v.test.text.hasBytes(b))
	} else {
		v.keepText(b)
	}
}

// Bytes gives a value of a field of kind Bytes.
func (v *Values) Bytes(b []byte) {
	if v.is(Bytes) {
		v.addValue(v.test.text.hasBytes(b))
	} else {
		v.keepText(b)
	}
}

func (v *Values) keepText(b []byte) {
	if v.shown != nil {
		v.shown.List = append(v.shown.List, Value{Bytes: b})
	} else if v.keeps() && v.kept.Text != nil {
		v.kept.List = append(v.kept.List, v.kept.Text(b))
	}
}

// keeps reports whether one more value is kept.
func (v *Values) keeps() bool {
	k := v.kept
	return k != nil && (k.Most == 0 || len(k.List) < k.Most)
}

// Addr gives a value of a field of kind Address. An IPv4 address mapped to IPv6
// is that IPv4 address, and zones do not count. The zero Addr is no value.
func (v *Values) Addr(a netip.Addr) {
	if !a.IsValid() {
		return
	}
	if v.is(Address) {
		v.addValue(v.test.hasAddress(a.Unmap().WithZone("")))
	} else if v.shown != nil {
		v.shown.List = append(v.shown.List, Value{Addr: a})
	}
}
