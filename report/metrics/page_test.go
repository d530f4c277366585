package metrics

import (
	"crypto/sha256"
	"encoding/base64"
	"io"
	"math"
	"regexp"
	"strings"
	"testing"

	"github.com/rdmacap/rdmacap/report/finding"
)

// TestPage holds that the page has the figures, that nothing in it is taken for HTML, and
// that the policy lets its style through and nothing else.
func TestPage(t *testing.T) {
	const hostile = `</table><script>alert("x")</script>&<img src=//example.com/x>`
	m, live := watching(io.Discard, Options{Version: "v1 " + hostile, Interfaces: []string{"mirror0", hostile}})
	m.Began()
	m.operations.named([]byte(hostile)).RPCs = 7
	m.errors.addName(hostile)
	play(t, "rxe-cb", live, nil)
	live.Dropped(finding.Drops{Kernel: 12345}, 0)
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
		"Captured frames that were analysed.<td class=\"n\">585\n", "<td>kernel<td class=\"n\">12345\n", "<td>to_server, RDMA_MSG<td class=\"n\">116\n",
		"<td>NFS4 CREATE<td class=\"n\">2<td class=\"n\">0<", "<th class=\"n\">99 % within<", "<td>INV-001b, note<td class=\"n\">2\n", "that are 0 are left out",
		"Resident memory", `<p class="bad">`,
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

func TestDuration(t *testing.T) {
	for s, want := range map[float64]string{
		0: "0s", 1e-9: "1ns", 12345e-9: "12.35µs", 0.001: "1ms", 0.0123456: "12.35ms", 0.123456: "123.5ms", 1.23456: "1.235s", 12.3456: "12.35s",
		123.456: "2m3.46s", math.Inf(1): "more", math.NaN(): "–",
	} {
		if got := duration(s); got != want {
			t.Errorf("%v seconds are %q, want %q", s, got, want)
		}
	}
}
