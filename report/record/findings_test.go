package record

import (
	"math"
	"testing"

	"github.com/rdmacap/rdmacap/report/finding"
)

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
	var b buffer
	b.Open('{')
	evidence(&b, []finding.Evidence{
		{Name: "n", Observed: uint32(7), Expected: int64(-1)}, {Name: "n", Observed: "é\x01\"", Expected: nil},
		{Name: `q"`, Observed: true, Expected: 1.5}, {Name: "s", Observed: named(3), Expected: math.NaN()},
		{Name: "b", Observed: []byte{1}, Expected: math.Inf(1)},
	})
	b.Close('}')
	want := `{"evidence":{"n":{"observed":7,"expected":-1},"n 2":{"observed":"é\u0001\"","expected":null},` +
		`"q\"":{"observed":true,"expected":1.5},"s":{"observed":"a name","expected":null},"b":{"observed":"[1]","expected":null}}}`
	if got := string(b.B); got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
}
