package report

import (
	"math"
	"slices"
	"testing"

	"github.com/rdmacap/rdmacap/report/rules"
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
		{"at" + nbsp + "12" + nbsp + "s it was late", []string{"at 12 s it", "was late"}},
		{"averyveryverylongword it is", []string{"averyveryverylongword", "it is"}},
		{"über größe", []string{"über größe"}},
		{"a\n\tb", []string{"a b"}},
		{"  one  two three  four ", []string{"one two", "three four"}},
		{"it is averyveryverylongword or so", []string{"it is", "averyveryverylongword", "or so"}},
	} {
		if got := wrap(c.text, 10, 10); !slices.Equal(got, c.want) {
			t.Errorf("%q: %q, want %q", c.text, got, c.want)
		}
	}
	if got := wrap("one two three", 3, 20); !slices.Equal(got, []string{"one", "two three"}) {
		t.Errorf("a short first line: %q", got)
	}
}

func TestClean(t *testing.T) {
	if got := clean("a\x1b[31mb\u009bc\nd\x00\u202e\n"); got != `a\x1b[31mb\u009bc`+"\nd"+`\x00\u202e`+"\n" {
		t.Errorf("%q", got)
	}
}

func TestSentence(t *testing.T) {
	for s, want := range map[string]string{
		"": "", "the server sent it": "The server sent it.", "It did.": "It did.",
		"rdma_credit is 0": "rdma_credit is 0.", "RDMA_MSG": "RDMA_MSG.", "0 credits": "0 credits.",
	} {
		if got := sentence(s); got != want {
			t.Errorf("%q becomes %q, want %q", s, got, want)
		}
	}
}

func TestFileURI(t *testing.T) {
	for name, want := range map[string]string{
		"a.pcap": "a.pcap", "../x/a b#1.pcap": "../x/a%20b%231.pcap", "/tmp/ä.pcap": "file:///tmp/%C3%A4.pcap", "a:b": "./a:b",
	} {
		if got := fileURI(name); got != want {
			t.Errorf("%s: %s, want %s", name, got, want)
		}
	}
}

type named int

func (named) String() string { return "a name" }

// TestEvidence holds how values are written, and that names are unique and escaped.
func TestEvidence(t *testing.T) {
	var b jsonBuffer
	b.open('{')
	evidence(&b, []rules.Evidence{
		{Name: "n", Observed: uint32(7), Expected: int64(-1)}, {Name: "n", Observed: "é\x01\"", Expected: nil},
		{Name: `q"`, Observed: true, Expected: 1.5}, {Name: "s", Observed: named(3), Expected: math.NaN()},
		{Name: "b", Observed: []byte{1}, Expected: math.Inf(1)},
	})
	b.close('}')
	want := `{"evidence":{"n":{"observed":7,"expected":-1},"n 2":{"observed":"é\u0001\"","expected":null},` +
		`"q\"":{"observed":true,"expected":1.5},"s":{"observed":"a name","expected":null},"b":{"observed":"[1]","expected":null}}}`
	if got := string(b.b); got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
}

func TestTally(t *testing.T) {
	var n Tally
	if got := n.String(); got != "nothing wrong found" || n.AtLeast(rules.Note) {
		t.Errorf("none: %s", got)
	}
	n.Add(rules.Note)
	n.join(Tally{Warnings: 2})
	if got := n.String(); got != "2 warnings, 1 note" || n.AtLeast(rules.Error) || !n.AtLeast(rules.Warning) || !n.AtLeast(rules.Note) {
		t.Errorf("%s: %+v", got, n)
	}
}

// TestSpelt holds how an ID may be written.
func TestSpelt(t *testing.T) {
	for name, want := range map[string]string{
		"ddp-5": "DDP-005", "DDP5b": "DDP-005B", "v2-9": "V2-009", "ddp": "DDP", "x-1234": "X-1234", "DDP-005b": "DDP-005B",
	} {
		if got := spelt(name); got != want {
			t.Errorf("%s: %s, want %s", name, got, want)
		}
	}
}
