package nfs_test

import (
	"math/rand/v2"
	"strings"
	"testing"
)

// A writer makes up values as a grammar says.
type writer struct {
	t      testing.TB
	rand   *rand.Rand
	out    []byte
	items  []item // eligible ones
	text   string
	at     int
	silent bool // it passes over the grammar of values that are not there
}

// An item is eligible data: where they lie, and how many they are.
type item struct{ at, length int }

func (w *writer) put(values ...any) {
	if !w.silent {
		w.out = append(w.out, encode(values...)...)
	}
}

// write writes what the grammar says up to a character of stop or its end.
func (w *writer) write(stop string) {
	for w.at < len(w.text) {
		c := w.text[w.at]
		if strings.IndexByte(stop, c) >= 0 {
			return
		}
		w.at++
		switch c {
		case ' ':
		case 'w':
			w.put(w.rand.Uint32())
		case 'q':
			w.put(w.rand.Uint64())
		case 'b':
			w.put(w.rand.IntN(2) == 1)
		case 'S':
			w.put(w.bytes(16))
		case 'o', 'f', 'X':
			if c == 'f' {
				w.bitmap()
			}
			w.opaque(c == 'X')
		case 'm':
			w.bitmap()
		case '{':
			w.choose()
		case '[':
			w.array()
		case '(':
			w.list()
		case '?':
			there := w.rand.IntN(2) == 1
			w.put(there)
			w.unless(!there, func() { w.write(",") })
			w.at = min(w.at+1, len(w.text))
		default:
			start := w.at - 1
			for w.at < len(w.text) && '0' <= w.text[w.at] && w.text[w.at] <= '9' {
				w.at++
			}
			w.put(w.bytes(int(atoi(w.t, w.text[start:w.at]))))
		}
	}
}

// unless runs f, which writes nothing if silent.
func (w *writer) unless(silent bool, f func()) {
	before := w.silent
	w.silent = before || silent
	f()
	w.silent = before
}

func (w *writer) bytes(n int) fixed {
	b := make([]byte, n)
	for i := range b {
		b[i] = byte(w.rand.Uint32())
	}
	return fixed(b)
}

func (w *writer) opaque(eligible bool) {
	n := w.rand.IntN(12)
	if eligible && !w.silent {
		w.items = append(w.items, item{len(w.out) + 4, n})
	}
	w.put(string(w.bytes(n)))
}

func (w *writer) bitmap() {
	n := w.rand.IntN(4)
	w.put(n)
	for range n {
		w.put(w.rand.Uint32())
	}
}

// choose writes a word and the part that it selects.
func (w *writer) choose() {
	var numbers []uint32
	for _, arm := range arms(w.text[w.at:]) {
		labels, _, _ := strings.Cut(arm, ":")
		for label := range strings.SplitSeq(labels, ",") {
			n := uint32(99)
			if label != "*" {
				n = atoi(w.t, label)
			}
			numbers = append(numbers, n)
		}
	}
	chosen := numbers[w.rand.IntN(len(numbers))]
	w.put(chosen)
	for i := 0; ; {
		length := strings.IndexByte(w.text[w.at:], ':')
		labels := strings.Count(w.text[w.at:w.at+length], ",") + 1
		mine := false
		for _, n := range numbers[i : i+labels] {
			mine = mine || n == chosen
		}
		i += labels
		w.at += length + 1
		w.unless(!mine, func() { w.write(";}") })
		w.at++
		if w.text[w.at-1] == '}' {
			return
		}
	}
}

// arms are the parts in braces up to the closing one.
func arms(text string) (list []string) {
	depth, start := 0, 0
	for i, c := range text {
		switch {
		case c == '{':
			depth++
		case c == '}' && depth > 0:
			depth--
		case c == '}':
			return append(list, text[start:i])
		case c == ';' && depth == 0:
			list = append(list, text[start:i])
			start = i + 1
		}
	}
	return list
}

// repeat writes what stands up to the closing character n times, each time
// after before.
func (w *writer) repeat(n int, end string, before ...any) {
	start := w.at
	for i := range max(1, n) {
		w.at = start
		w.unless(i >= n, func() {
			w.put(before...)
			w.write(end)
		})
	}
	w.at++
}

func (w *writer) array() {
	most := 4
	if close := closing(w.text[w.at:]); strings.HasPrefix(w.text[w.at+close:], "]1") {
		most = 2
	}
	n := w.rand.IntN(most)
	w.put(n)
	w.repeat(n, "]")
	if most == 2 {
		w.at++
	}
}

func closing(text string) int {
	depth := 0
	for i, c := range text {
		switch {
		case c == '[':
			depth++
		case c == ']' && depth == 0:
			return i
		case c == ']':
			depth--
		}
	}
	return -1
}

func (w *writer) list() {
	w.repeat(w.rand.IntN(4), ")", true)
	w.put(false)
}
