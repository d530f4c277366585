package lines

import (
	"bytes"
	"slices"
	"strings"
	"testing"

	"github.com/rdmacap/rdmacap/report/words"
)

// TestWrap holds where lines break.
func TestWrap(t *testing.T) {
	for _, c := range []struct {
		text string
		want []string
	}{
		{"", []string{""}},
		{"one", []string{"one"}},
		{"as  it is", []string{"as  it is"}},
		{"one two three four", []string{"one two", "three four"}},
		{"at" + words.NBSP + "12" + words.NBSP + "s it was late", []string{"at 12 s it", "was late"}},
		{"averyveryverylongword it is", []string{"averyveryverylongword", "it is"}},
		{"über größe", []string{"über größe"}},
		{"a\n\tb", []string{"a b"}},
		{"  one  two three  four ", []string{"one two", "three four"}},
		{"it is averyveryverylongword or so", []string{"it is", "averyveryverylongword", "or so"}},
	} {
		if got := Wrap(c.text, 10, 10); !slices.Equal(got, c.want) {
			t.Errorf("%q: %q, want %q", c.text, got, c.want)
		}
	}
	if got := Wrap("one two three", 3, 20); !slices.Equal(got, []string{"one", "two three"}) {
		t.Errorf("a short first line: %q", got)
	}
}

func TestClean(t *testing.T) {
	if got := Clean("a\x1b[31mb\u009bc\nd\x00\u202e\n"); got != `a\x1b[31mb\u009bc`+"\nd"+`\x00\u202e`+"\n" {
		t.Errorf("%q", got)
	}
}

func TestPad(t *testing.T) {
	for _, c := range []struct {
		text  string
		width int
		right bool
		want  string
	}{
		{"ab", 4, false, "|ab  "}, {"ab", 4, true, "|  ab"}, {"a → b", 6, true, "| a → b"}, {"abcd", 3, true, "|abcd"},
	} {
		b := append([]byte("|"), c.text...)
		if got := string(Pad(b, 1, c.width, c.right)); got != c.want {
			t.Errorf("%q padded to %d is %q, want %q", c.text, c.width, got, c.want)
		}
	}
}

// TestParagraphFitsTheTerminal holds that lines are no wider than what somebody looks at, within reason.
func TestParagraphFitsTheTerminal(t *testing.T) {
	text := strings.Repeat("there was no progress while a call was open ", 20)
	for columns, want := range map[int]int{0: PageWidth, 20: LeastWidth, 70: 70, 110: 110, 400: mostWidth} {
		var out bytes.Buffer
		x := New(&out, false, columns)
		p := Paragraph{To: &x, Prefix: "│   "}
		p.Write("advice", text)
		if err := x.Flush(); err != nil {
			t.Fatal(err)
		}
		longest := 0
		for line := range strings.Lines(out.String()) {
			longest = max(longest, words.Columns(strings.TrimSuffix(line, "\n")))
		}
		if longest > want || longest < want-8 {
			t.Errorf("%d columns: lines of up to %d, not nearly %d", columns, longest, want)
		}
	}
}
