package stream_test

import (
	"fmt"
	"strconv"
	"strings"
	"testing"

	"github.com/rdmacap/rdmacap/dissect/stream"
)

// A recorder plays a story.
type recorder struct {
	s    stream.Stream[int]
	base uint32
	out  strings.Builder
}

func (r *recorder) Bytes(b []byte, _ *int) { r.out.Write(b) }

func (r *recorder) Void(n uint64, snap bool, from *int) {
	if snap != (from != nil) {
		r.out.WriteString("(a void of the wrong segment)")
	}
	if snap {
		fmt.Fprintf(&r.out, "<%d>", n)
	} else {
		fmt.Fprintf(&r.out, "[%d]", n)
	}
}

func (r *recorder) End() { r.out.WriteString(".") }

// play does what stands before the bar and says what stands after it.
func (r *recorder) play(action string) string {
	r.out.Reset()
	words := strings.Fields(action)
	said := ""
	switch words[0] {
	case "ack":
		r.s.Acked(r.at(words[1]))
		switch {
		case r.s.Proven():
			said = "proven"
		case r.s.Missing() > 0:
			said = "not proven"
		default:
			said = "none"
		}
	case "skip":
		want := r.s.Missing()
		n := r.s.Skip(r)
		if n != want {
			said = fmt.Sprintf("(missing were %d)", want)
		}
		said += strconv.FormatUint(n, 10)
	default:
		p, missing := r.s.Add(r.segment(words), r)
		said = p.String()
		if missing > 0 {
			said += fmt.Sprintf(" %d", missing)
		}
	}
	return strings.TrimSpace(said + " " + r.out.String())
}

func (r *recorder) at(word string) uint32 {
	n, err := strconv.ParseInt(word, 10, 64)
	if err != nil {
		panic(err)
	}
	return r.base + uint32(n)
}

func (r *recorder) segment(words []string) *stream.Segment[int] {
	seg := new(stream.Segment[int])
	if words[0] == "SYN" {
		seg.SYN, words = true, words[1:]
	}
	seg.Seq = r.at(words[0])
	for _, word := range words[1:] {
		switch word {
		case "FIN":
			seg.FIN = true
		case "-":
		default:
			there, cut, _ := strings.Cut(word, "~")
			seg.Bytes, seg.Length = []byte(there), len(there)+len(cut)
		}
	}
	return seg
}

func TestStories(t *testing.T) {
	for _, story := range stories {
		t.Run(story.name, func(t *testing.T) {
			for _, base := range []uint32{1, 0, 0xfffffffa, 0xffffffff, 0x80000000, 0x7ffffffc} {
				r := recorder{base: base}
				for line := range strings.Lines(strings.TrimSpace(story.lines)) {
					action, want, _ := strings.Cut(line, "|")
					if next, ok := strings.CutPrefix(strings.TrimSpace(line), "next "); ok {
						if got := r.s.Next(); got != r.at(next) {
							t.Errorf("next is %d, want %s", int32(got-base), next)
						}
						continue
					}
					if got := r.play(action); got != strings.TrimSpace(want) {
						t.Errorf("from 0x%x, %s: %s; want %s", base, strings.TrimSpace(action), got, strings.TrimSpace(want))
					}
				}
			}
		})
	}
}
