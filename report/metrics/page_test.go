package metrics

import (
	"crypto/sha256"
	"encoding/base64"
	"io"
	"regexp"
	"strings"
	"testing"

	"github.com/rdmacap/rdmacap/report"
)

// TestPage holds that the page has the figures, that nothing in it is taken for HTML, and
// that the policy lets its style through and nothing else.
func TestPage(t *testing.T) {
	const hostile = `</table><script>alert("x")</script>&<img src=//example.com/x>`
	m, live := watching(io.Discard, Options{Version: "v1 " + hostile, Interfaces: []string{"mirror0", hostile}})
	m.Began()
	m.operations.of([]byte(hostile)).rpcs = 7
	m.errors.add(hostile)
	play(t, "rxe-cb", live, nil)
	live.Dropped(report.Drops{Kernel: 12345}, 0)
	m.Interface(hostile, hostile)
	got := ask(t, m.Handler(), "GET", "/")
	text := got.body
	if got.status != 200 || got.header.Get("Content-Type") != "text/html; charset=utf-8" {
		t.Fatalf("status %d, %v", got.status, got.header)
	}
	for _, word := range []string{"<script", "<img", "NaN", "{{"} {
		if strings.Contains(text, word) {
			t.Errorf("the page has %s", word)
		}
	}
	if n := strings.Count(text, "&lt;script&gt;"); n < 5 {
		t.Errorf("%d of the hostile names are shown", n)
	}
	for _, want := range []string{
		"<td>client<td class=\"n\">", "<td>kernel<td class=\"n\">12345", "<td>NFS4 OPEN<td class=\"n\">", "<td>to_server, RDMA_MSG<td class=\"n\">",
		"that are 0 are left out", ">99 % within", "process_resident_memory_bytes", `<p class="bad">`,
	} {
		if !strings.Contains(text, want) {
			t.Errorf("the page lacks %s", want)
		}
	}
	style := regexp.MustCompile(`(?s)<style>(.*)</style>`).FindStringSubmatch(text)
	if style == nil {
		t.Fatal("no style")
	}
	sum := sha256.Sum256([]byte(style[1]))
	policy := got.header.Get("Content-Security-Policy")
	if want := "default-src 'none'; style-src 'sha256-" + base64.StdEncoding.EncodeToString(sum[:]) + "';"; !strings.HasPrefix(policy, want) {
		t.Errorf("the policy is %s, want %s…", policy, want)
	}
}
