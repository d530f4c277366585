package filter

import (
	"fmt"
	"math/rand/v2"
	"net/netip"
	"regexp"
	"strings"
	"testing"
	"time"
)

// An asked is a part of a random expression: how it is written, and by other
// means than the filter's what it says of a record.
type asked struct {
	written string
	holds   func(r told) bool
}

// TestRandomExpressions writes random trees as expressions and holds the filters
// to a direct evaluation of the trees.
func TestRandomExpressions(t *testing.T) {
	set := testSet(t)
	kept := 0
	const trees, records = 3000, 8
	for seed := range uint64(trees) {
		g := generator{rand.New(rand.NewPCG(seed, 4))}
		want := g.expression(4)
		f, err := set.Compile(want.written)
		if err != nil {
			t.Fatalf("seed %d: %s\n%v", seed, want.written, err)
		}
		for range records {
			r := g.record()
			if got := f.Match(r); got != want.holds(r) {
				t.Fatalf("seed %d: %s\n of %v is %v, want %v", seed, want.written, r, got, !got)
			} else if got {
				kept++
			}
		}
	}
	// A test of which nearly all answers are the same would show little.
	if part := float64(kept) / (trees * records); part < 0.2 || part > 0.8 {
		t.Errorf("%.0f %% of the records are kept", 100*part)
	}
}

type generator struct{ *rand.Rand }

func pick[T any](g generator, list ...T) T { return list[g.IntN(len(list))] }

// expression is a tree of at most that depth. Parentheses stand where the
// precedence asks for them, and sometimes elsewhere.
func (g generator) expression(depth int) asked {
	if depth == 0 || g.IntN(4) == 0 {
		return g.test()
	}
	a := g.expression(depth - 1)
	switch g.IntN(3) {
	case 0:
		return asked{pick(g, "not ", "!", "NOT\t") + g.group(a), func(r told) bool { return !a.holds(r) }}
	case 1:
		b := g.expression(depth - 1)
		return asked{g.group(a) + pick(g, " and ", "&&", " And ") + g.group(b), func(r told) bool { return a.holds(r) && b.holds(r) }}
	}
	b := g.expression(depth - 1)
	// Whatever stands between ors needs no parentheses.
	return asked{a.written + pick(g, " or ", " || ", "\nOR ") + b.written, func(r told) bool { return a.holds(r) || b.holds(r) }}
}

// group puts parentheses around all but simple tests.
func (g generator) group(a asked) string {
	if !strings.ContainsAny(a.written, " \t\n&|!") && g.IntN(3) > 0 {
		return a.written
	}
	return "(" + a.written + ")"
}

// record has zero to two values of each field, of few different ones, so that
// comparisons are of equals often.
func (g generator) record() told {
	r := told{}
	for _, f := range testFields {
		for range g.IntN(3) {
			r[f.Name] = append(r[f.Name], g.value(f.Kind))
		}
	}
	return r
}

func (g generator) value(k Kind) any {
	switch k {
	case Enum:
		return uint64(pick(g, 0, 1, 2, 6, 9, 25, 70))
	case Uint:
		return pick[uint64](g, 0, 1, 2, 1000, 1<<64-1)
	case Int:
		return pick[int64](g, -1<<63, -1, 0, 1, 1<<63-1)
	case Duration:
		return time.Duration(pick[int64](g, -1e6, 0, 1, 999999, 1e6, 2e9))
	case Time:
		return time.Unix(0, pick[int64](g, -1, 0, 1e9, 1.5e9)).UTC()
	case Bool:
		return g.IntN(2) == 0
	case String:
		return pick(g, "", "a", "A", "ab", "b.tmp", "é\"\\")
	case Bytes:
		return pick(g, []byte{}, []byte{0}, []byte{0, 0xff}, []byte("a"), []byte("ab"))
	}
	return pick(g, addr("0.0.0.0"), addr("10.0.0.1"), addr("10.0.1.1"), addr("255.255.255.255"), addr("::"), addr("::1"), addr("2001:db8::1"))
}

// literal writes a value of the field.
func (g generator) literal(f Field, v any) string {
	switch v := v.(type) {
	case uint64:
		if f.Kind == Uint && v == 1000 {
			return pick(g, "1k", "1.00kB", "1000", "0x3e8")
		}
		return fmt.Sprintf(pick(g, "%d", "%#x", "0o%o"), v)
	case time.Time:
		return pick(g, v.Format(time.RFC3339Nano), `"`+v.Format("2006-01-02 15:04:05.999999999")+`"`)
	case string:
		return fmt.Sprintf("%q", v)
	case []byte:
		if len(v) == 0 {
			return `""`
		}
		return pick(g, strings.ReplaceAll(fmt.Sprintf("% x", v), " ", ":"), fmt.Sprintf("%#x", v), fmt.Sprintf(`"%s"`, escaped(v)))
	}
	return fmt.Sprint(v)
}

func escaped(b []byte) (s string) {
	for _, c := range b {
		s += fmt.Sprintf(`\x%02x`, c)
	}
	return s
}

// order compares two values of one kind; ok is false if they are not in an order.
func order(a, b any) (sign int, ok bool) {
	less, more := false, false
	switch a := a.(type) {
	case uint64:
		less, more = a < b.(uint64), a > b.(uint64)
	case int64:
		less, more = a < b.(int64), a > b.(int64)
	case time.Duration:
		less, more = a < b.(time.Duration), a > b.(time.Duration)
	case time.Time:
		less, more = a.Before(b.(time.Time)), a.After(b.(time.Time))
	case bool:
		less, more = !a && b.(bool), a && !b.(bool)
	case string:
		less, more = a < b.(string), a > b.(string)
	case []byte:
		less, more = string(a) < string(b.([]byte)), string(a) > string(b.([]byte))
	case netip.Addr:
		b := b.(netip.Addr)
		less, more = a.Less(b), b.Less(a)
		if a.Is4() != b.Is4() {
			return 1, false
		}
	}
	switch {
	case less:
		return -1, true
	case more:
		return 1, true
	}
	return 0, true
}

// test asks one thing of one field.
func (g generator) test() asked {
	f := pick(g, testFields...)
	values := func(r told) []any { return r[f.Name] }
	if g.IntN(8) == 0 {
		return asked{f.Name, func(r told) bool {
			for _, v := range values(r) {
				if b, isBool := v.(bool); !isBool || b {
					return true
				}
			}
			return false
		}}
	}
	how, passes := g.relation(f)
	quantity := pick(g, "", "", "any ", "all ")
	return asked{quantity + f.Name + how, func(r told) bool {
		n := 0
		for _, v := range values(r) {
			if passes(v) {
				n++
			}
		}
		if all := quantity == "all " || quantity == "" && strings.HasPrefix(how, " != "); all {
			return n > 0 && n == len(values(r))
		}
		return n > 0
	}}
}

// relation is an operator with its right side, and what it asks of one value.
func (g generator) relation(f Field) (written string, passes func(v any) bool) {
	to := g.value(f.Kind)
	how := pick(g, "==", "!=", "<", "<=", ">", ">=", "in")
	switch {
	case f.Kind == Bool && how != "==" && how != "!=":
		how = "=="
	case f.Kind == String && g.IntN(3) == 0:
		re := pick(g, "^a", "b$", "(?-i)A", "^$", `\.tmp`)
		return " matches r\"" + re + `"`, func(v any) bool { return regexp.MustCompile("(?i)" + re).MatchString(v.(string)) }
	case f.Kind == Bytes && g.IntN(3) == 0:
		return " contains 61", func(v any) bool { return strings.Contains(string(v.([]byte)), "a") }
	case how == "in":
		from := g.value(f.Kind)
		written := " in {" + g.literal(f, to)
		passes := func(v any) bool { sign, ok := order(v, to); return ok && sign == 0 }
		last := g.value(f.Kind)
		if sign, ok := order(from, last); ok && sign <= 0 && f.Kind != String && f.Kind != Bytes {
			return written + " , " + g.literal(f, from) + ".." + g.literal(f, last) + "}", func(v any) bool {
				lo, okLo := order(v, from)
				hi, okHi := order(v, last)
				return passes(v) || okLo && okHi && lo >= 0 && hi <= 0
			}
		}
		return written + "}", passes
	}
	return " " + how + " " + g.literal(f, to), func(v any) bool {
		sign, ok := order(v, to)
		switch how {
		case "==":
			return ok && sign == 0
		case "!=":
			return !ok || sign != 0
		case "<":
			return ok && sign < 0
		case "<=":
			return ok && sign <= 0
		case ">":
			return ok && sign > 0
		}
		return ok && sign >= 0
	}
}
