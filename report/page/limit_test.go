package page

import (
	"bytes"
	"compress/flate"
	"crypto/sha256"
	"encoding/base64"
	"fmt"
	"io"
	"strings"
	"testing"

	"github.com/rdmacap/rdmacap/internal/blocks"
	"github.com/rdmacap/rdmacap/report/page/markup"
	"github.com/rdmacap/rdmacap/report/page/visible"
)

// full is a page of which much more is offered than there is room for.
func full(t testing.TB, size int64) (*Writer, []byte, *blocks.Page) {
	t.Helper()
	w := NewWriter(spoolFile(t), Options{MaxSize: size, Files: 1, Sets: []string{"small", "many"}})
	findings, connections := markup.NewShelf(w.FindingsRoom()), markup.NewShelf(w.ConnectionsRoom())
	random := sha256.Sum256(nil)
	for i := range 20_000 {
		random = sha256.Sum256(random[:])
		row := rowAt(i)
		row.Detail = fmt.Appendf(nil, "%x", random) // hard to compress
		w.Row(row)
		if w.Room(90) {
			x := itemOf(i)
			x.Exhibits[0].Bytes = bytes.Clone(random[:])
			w.Item(x)
		}
		if i%10 == 0 {
			findings.Add(int64(i%3), int64(i), (&markup.Finding{ID: "DDP-001", Severity: "note", Message: visible.Text(fmt.Sprintf("%x", random))}).HTML(), "")
		}
	}
	d := &Document{Findings: findings.HTML(), Connections: connections.HTML()}
	page, p := written(t, w, d, &Meta{})
	return w, page, p
}

// TestMaxSize holds that a page is never longer than it may be, that much of the room
// is used, and that it has no row or item of which it does not know.
func TestMaxSize(t *testing.T) {
	least := loadAssets()
	for _, size := range []int64{300e3, 500e3, 1e6, 2e6} {
		if size < least.size()+100e3 {
			continue
		}
		w, page, p := full(t, size)
		if n := int64(len(page)); n > size || n < size/2 {
			t.Errorf("a page of at most %d bytes has %d", size, n)
		}
		rows, items := 0, 0
		for _, b := range p.Of("rows") {
			rows += b.Count
		}
		for _, b := range p.Of("evidence") {
			items += b.Count
		}
		if got := w.Totals(); got.Rows != rows || got.Items != items || int64(rows)+got.RowsLeftOut != 20_000 || items == 0 {
			t.Errorf("totals of %d bytes are %+v, there are %d rows and %d items", size, got, rows, items)
		}
	}
}

// TestSameEveryTime holds that sizes decide the same in every run.
func TestSameEveryTime(t *testing.T) {
	_, first, _ := full(t, 600e3)
	for range 3 {
		if _, again, _ := full(t, 600e3); !bytes.Equal(first, again) {
			t.Fatal("the same data made two pages")
		}
	}
}

// TestPolicy holds that the hashes are those of what is in the page, and that there
// is nothing else that a browser would run or apply.
func TestPolicy(t *testing.T) {
	w := NewWriter(spoolFile(t), Options{MaxSize: 1e6})
	_, p := written(t, w, &Document{Title: "x"}, &Meta{})
	policy := ""
	for _, m := range p.Find("meta", "") {
		if blocks.Attr(m, "http-equiv") == "Content-Security-Policy" {
			policy = blocks.Attr(m, "content")
		}
	}
	for _, directive := range []string{"default-src 'none'", "base-uri 'none'", "form-action 'none'", "require-trusted-types-for 'script'", "trusted-types rdmacap"} {
		if !strings.Contains(policy, directive) {
			t.Errorf("the policy %q lacks %q", policy, directive)
		}
	}
	hash := func(s string) string {
		sum := sha256.Sum256([]byte(s))
		return "'sha256-" + base64.StdEncoding.EncodeToString(sum[:]) + "'"
	}
	var loader, script string
	scripts := 0
	for _, s := range p.Find("script", "") {
		switch blocks.Attr(s, "type") {
		case "":
			scripts++
			loader = blocks.Text(s)
		case "application/x-rdmacap-script":
			scripts++
			packed, err := base64.StdEncoding.DecodeString(blocks.Text(s))
			if err != nil {
				t.Fatal(err)
			}
			b, err := io.ReadAll(flate.NewReader(bytes.NewReader(packed)))
			if err != nil {
				t.Fatal(err)
			}
			script = string(b)
		}
	}
	if want := "script-src " + hash(loader) + " " + hash(script) + ";"; !strings.Contains(policy, want) {
		t.Errorf("the policy %q lacks %q", policy, want)
	}
	styles := p.Find("style", "")
	if len(styles) != 1 || scripts != 2 || !strings.Contains(policy, "style-src "+hash(blocks.Text(styles[0]))+";") {
		t.Errorf("%d scripts and %d style sheets, and the policy is %q", scripts, len(styles), policy)
	}
}
