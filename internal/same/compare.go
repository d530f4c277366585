package main

import (
	"bytes"
	"fmt"
	"unicode/utf8"
)

// A difference is where two outcomes first differ.
type difference struct {
	part     string
	line     int // 1-based
	old, new string
}

func (d *difference) String() string {
	return fmt.Sprintf("%s, line %d\n  old: %s\n  new: %s", d.part, d.line, d.old, d.new)
}

// firstDifference compares two outcomes part by part, in the order of the old one's;
// nil if they are the same.
func firstDifference(old, new outcome) *difference {
	for i := range max(len(old), len(new)) {
		switch {
		case i >= len(new) || i < len(old) && old[i].name < new[i].name && i > partsBeforeFiles:
			return &difference{old[i].name, 1, excerpt(old[i].data, 0), "(there is no such file)"}
		case i >= len(old) || old[i].name != new[i].name:
			return &difference{new[i].name, 1, "(there is no such file)", excerpt(new[i].data, 0)}
		}
		if d := differ(old[i].data, new[i].data); d != nil {
			d.part = old[i].name
			return d
		}
	}
	return nil
}

// partsBeforeFiles is the index of the last part that every outcome has.
const partsBeforeFiles = 2

// differ finds the first line that two texts do not share.
func differ(old, new []byte) *difference {
	if bytes.Equal(old, new) {
		return nil
	}
	at := 0
	for at < min(len(old), len(new)) && old[at] == new[at] {
		at++
	}
	begin := bytes.LastIndexByte(old[:at], '\n') + 1 // both are the same before at
	return &difference{
		line: bytes.Count(old[:begin], []byte{'\n'}) + 1,
		old:  excerpt(old[begin:], at-begin),
		new:  excerpt(new[begin:], at-begin),
	}
}

// excerpt is the first line of a text; of a long one, what stands around a byte.
func excerpt(b []byte, at int) string {
	const before, after = 80, 160
	if len(b) == 0 {
		return "(the end)"
	}
	b, _, _ = bytes.Cut(b, []byte{'\n'})
	begin, end := max(0, at-before), min(len(b), at+after)
	begin = min(begin, end)
	s := string(b[begin:end])
	if !utf8.ValidString(s) {
		s = fmt.Sprintf("%q", s)
	}
	if begin > 0 {
		s = "…" + s
	}
	if end < len(b) {
		s += "…"
	}
	return s
}
