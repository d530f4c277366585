package main

import (
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/rdmacap/rdmacap/internal/blocks"
	"github.com/rdmacap/rdmacap/internal/build"
)

// hostile are names that a stranger may give a file.
var hostile = []string{
	`<img src=x onerror=alert(1)>`, `</script><script>alert(1)</script>`, `--><!--<script>`, "'\"><svg/onload=alert(1)>",
	"photo\u202egpj.exe", "zero\u200bwidth\ufeff", "\x1b[31mred\x00\x07", "{{.}}${1}`x`", "]]>\u2028\u2029", "javascript:alert(1)",
}

// hostileCapture has them as names of files, of machines, in a comment, and as its own
// name.
func hostileCapture(t *testing.T) string {
	t.Helper()
	c := build.NewConversation(build.Setup{})
	c.Connect()
	for i, name := range hostile {
		const lookup = 3
		padded := name + strings.Repeat("\x00", -len(name)&3)
		args := append([]byte{0, 0, 0, 4, 1, 2, 3, 4, 0, 0, 0, byte(len(name))}, padded...)
		call := build.RPCCall{XID: uint32(i + 1), Program: build.ProgramNFS, Version: 3, Procedure: lookup, Cred: build.AuthSys(name, 0, 0), Args: args}
		x := c.Call(build.Message{Bytes: call.Bytes()})
		c.Reply(x, build.NFS3ReadFailed(uint32(i+1), 2))
	}
	c.Disconnect()
	path := filepath.Join(t.TempDir(), `<img src=x onerror=alert(1)>&"'.pcap`)
	f, err := os.Create(path)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	if err := build.WritePcap(f, c.Frames); err != nil {
		t.Fatal(err)
	}
	return path
}

// TestReportOfStrangers holds that nothing in a capture, its name or the title becomes
// an element, an attribute or a script: the elements and attributes of the page are
// those of its template.
func TestReportOfStrangers(t *testing.T) {
	path := hostileCapture(t)
	p := reported(t, path, "--title", hostile[1]+hostile[4])
	elements := strings.Fields("html head meta title style body header main footer section nav h1 h2 h3 p a span b table caption thead tbody tr th td div dl dt dd ul li article code script noscript")
	attributes := strings.Fields("lang charset http-equiv content name class id href aria-label aria-labelledby aria-hidden scope type data-kind data-first data-count data-rule data-evidence data-connection tabindex role")
	for n := range p.Root.Descendants() {
		if n.Type != 3 { // an element
			continue
		}
		if !slices.Contains(elements, n.Data) {
			t.Errorf("there is an element %q", n.Data)
		}
		for _, a := range n.Attr {
			if !slices.Contains(attributes, a.Key) || a.Key == "href" && !strings.HasPrefix(a.Val, "#") {
				t.Errorf("<%s> has the attribute %s=%q", n.Data, a.Key, a.Val)
			}
		}
	}
	scripts := 0
	for _, s := range p.Find("script", "") {
		if blocks.Attr(s, "type") == "" {
			scripts++
		}
	}
	if scripts != 1 {
		t.Errorf("there are %d scripts", scripts)
	}
	if title := blocks.Text(p.Find("title", "")[0]); title != `</script><script>alert(1)</script>photo\u202egpj.exe` {
		t.Errorf("the title is %q", title)
	}
	if files := blocks.Text(p.Find("span", "file")[0]); files != filepath.Base(path) {
		t.Errorf("the file is %q, want %q", files, filepath.Base(path))
	}
	words := blocks.Text(p.Root)
	data := ""
	for _, b := range p.Blocks {
		data += string(b.JSON)
	}
	hidden := regexp.MustCompile(`[\x00-\x08\x0b\x0c\x0e-\x1f\x{7f}-\x{9f}\x{200b}-\x{200f}\x{2028}-\x{202e}\x{2066}-\x{2069}\x{feff}]`)
	for _, s := range []string{words, data} {
		if at := hidden.FindStringIndex(s); at != nil {
			t.Errorf("there is a character that is not seen: %q", s[max(0, at[0]-40):min(len(s), at[1]+40)])
		}
	}
	for _, want := range []string{`onerror=alert(1)`, `photo\\u202egpj.exe`, `zero\\u200bwidth`} {
		if !strings.Contains(data, want) {
			t.Errorf("the data do not have %q", want)
		}
	}
}
