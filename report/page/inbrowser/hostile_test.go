package inbrowser

import (
	"cmp"
	"encoding/binary"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/rdmacap/rdmacap/field"
	"github.com/rdmacap/rdmacap/internal/browser"
	"github.com/rdmacap/rdmacap/internal/build"
	"github.com/rdmacap/rdmacap/internal/scene"
)

// A stranger is a name that somebody gave a file, and how it is shown: as a comment,
// and in quotes as the name of a file.
type stranger struct{ name, comment, file string }

var strangers = []stranger{
	{name: `<img src=x onerror=alert(1)>`},
	{name: `</script><script>alert(1)</script>`},
	{`<svg onload="alert('2')">&lt;&#x3c;`, `<svg onload="alert('2')">&lt;&#x3c;`, `<svg onload=\"alert('2')\">&lt;&#x3c;`},
	{name: `--><style>*{display:none}</style>`},
	{name: "photo\u202egpj.exe", comment: `photo\u202egpj.exe`},
	{name: "\u2066a\u2069\u200bb\ufeff\u2028", comment: `\u2066a\u2069\u200bb\ufeff\u2028`},
	{name: "\x1b[31mred\x07\x00\r\n", comment: `\x1b[31mred\a\x00\r\n`},
	{name: "bad\xff\xfe\xc0utf", comment: `bad\xff\xfe\xc0utf`},
	{name: "tags\U000e0041\u0085\u3164", comment: `tags\U000e0041\u0085\u3164`},
	{name: "${alert(1)}{{.}}%00javascript:alert(1)"},
}

// shown is how the stranger's name is shown in quotes, in the page and by read.
func (s stranger) shown() string { return `"` + cmp.Or(s.file, s.comment, s.name) + `"` }

// TestReadStrangers holds that names and comments of strangers are shown as in the page.
func TestReadStrangers(t *testing.T) {
	path := strangeCapture(t)
	rows := must(t, "read", "-V", path) + must(t, "read", "--level", "frame", path)
	for _, s := range strangers {
		for _, want := range []string{"LOOKUP " + s.shown(), "name: " + s.shown(), "# " + s.shown()} {
			if !strings.Contains(rows, want) {
				t.Errorf("%q is not shown as %s", s.name, want)
			}
		}
	}
	if strings.ContainsFunc(rows, func(r rune) bool { return r != '\n' && field.Hidden(r) }) {
		t.Error("there is a character that is not seen")
	}
}

// strangeCapture is a pcapng file in which the strangers are names of files, and
// comments of the packets, with one of them as its own name.
func strangeCapture(t *testing.T) string {
	t.Helper()
	text := "connect\n"
	for i, s := range strangers {
		text += fmt.Sprintf("call %d NFS3 LOOKUP what={dir=\"fh\" name=%s}\nreply %[1]d NFS3ERR_NOENT\n    credits 0\n", i+1, strconv.Quote(s.name))
		text += fmt.Sprintf("call %d NFS4 COMPOUND [PUTROOTFH LOOKUP{objname=%s}] tag=%[2]s\nreply %[1]d [PUTROOTFH LOOKUP]\n", i+101, strconv.Quote(s.name))
	}
	text += fmt.Sprintf("call 99 NFS3 LOOKUP what={dir=\"fh\" name=text(4000)}\nreply 99 NFS3ERR_NAMETOOLONG\ncall 98 MOUNT3 MNT %s\nreply 98\n", strconv.Quote(strangers[0].name))
	s, err := scene.Play(text, scene.RoCE)
	if err != nil {
		t.Fatal(err)
	}
	dir := filepath.Join(t.TempDir(), "<", "b onmouseover=alert(1)>")
	if err := os.MkdirAll(dir, 0o700); err != nil {
		t.Fatal(err)
	}
	var comments []string
	for _, s := range strangers {
		comments = append(comments, s.name)
	}
	path := filepath.Join(dir, strangers[0].name+"\u202e\x1b\xff'\"&.pcapng")
	const granting = 6 // the first reply, which grants no credits
	if err := os.WriteFile(path, pcapng(s.Frames, granting, comments), 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

// pcapng is a capture file in which one frame, counted from 1, has comments
// (draft-ietf-opsawg-pcapng, sections 4.1 to 4.3).
func pcapng(frames build.Frames, commented int, comments []string) (file []byte) {
	le := binary.LittleEndian
	block := func(kind uint32, body []byte) {
		length := uint32(len(body) + 12)
		file = le.AppendUint32(le.AppendUint32(file, kind), length)
		file = le.AppendUint32(append(file, body...), length)
	}
	padded := func(b []byte) []byte { return append(b, make([]byte, -len(b)&3)...) }
	const section, description, packet, comment = 0x0a0d0d0a, 1, 6, 1
	block(section, append([]byte{0x4d, 0x3c, 0x2b, 0x1a, 1, 0, 0, 0}, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff))
	block(description, []byte{1, 0, 0, 0, 0, 0, 0, 0}) // Ethernet, microseconds
	for i, f := range frames {
		at, length := uint64(f.Time.UnixMicro()), uint32(len(f.Data))
		var b []byte
		for _, word := range []uint32{0, uint32(at >> 32), uint32(at), length, length} {
			b = le.AppendUint32(b, word)
		}
		b = padded(append(b, f.Data...))
		for _, c := range comments {
			if i+1 == commented {
				b = le.AppendUint16(le.AppendUint16(b, comment), uint16(len(c)))
				b = padded(append(b, c...))
			}
		}
		block(packet, b)
	}
	return file
}

// browserStrangers holds that what strangers wrote is only ever text.
func browserStrangers(t *testing.T, b *browser.Browser) {
	title := strings.ReplaceAll(strangers[1].name+strangers[4].name+strangers[6].name, "\x00", "\x01") + "\xff" // no command line has a NUL
	path := reportIn(t, strangeCapture(t), "--title", title)
	p := opened(t, b, path, "")
	unfold(p)
	words := p.Text(`document.body.innerText`)
	checkStrange := func(when string) {
		t.Helper()
		if p.Is(`document.querySelector("img, iframe, object, embed, link, form:not([role]), base, audio, video, math, [onerror], [onload], [onmouseover], [style*='display: none']:not(.rpc-row)")
			|| document.scripts.length !== document.querySelectorAll("script[data-kind]").length + 2 || document.styleSheets.length !== 1`) {
			t.Errorf("%s: a name became an element", when)
		}
	}
	checkStrange("after opening")
	// Every RPC is opened: names are in its row, its operations, its ladder, its bytes.
	for n := 1; p.Is(fmt.Sprintf(`document.querySelector('.rpc-row[aria-rowindex="%d"]:not([hidden])') || document.querySelector(".rpc-grid").ariaRowCount > %[1]d`, n)); n++ {
		p.Eval(nil, fmt.Sprintf(`(async () => {
			const grid = document.querySelector(".rpc-grid");
			grid.focus();
			grid.dispatchEvent(new KeyboardEvent("keydown", { key: %q }));
			grid.dispatchEvent(new KeyboardEvent("keydown", { key: "Enter" }));
			const drawn = () => new Promise((done) => requestAnimationFrame(() => setTimeout(done)));
			await drawn();
			for (const e of document.querySelectorAll(".rpc-panel details:not([open])")) e.open = true;
			await drawn();
		})()`, map[bool]string{true: "Home", false: "ArrowDown"}[n == 1]))
		words += p.Text(`document.querySelector(".rpc-panel").innerText`)
	}
	checkStrange("after opening all RPCs")
	for _, s := range strangers {
		if want := cmp.Or(s.comment, s.name); !strings.Contains(words, "Comment in the capture: "+want) {
			t.Errorf("%q is not shown as %s", s.name, want)
		}
		if want := s.shown(); strings.Count(words, `LOOKUP `+want) == 0 || strings.Count(words, `LOOKUP3args: 0x311737b4 `+want) == 0 {
			t.Errorf("the name %q is not shown as %s", s.name, want)
		}
	}
	for _, r := range words {
		if r < ' ' && r != '\n' && r != '\t' || r == 0x7f || 0x80 <= r && r < 0xa0 || 0x200b <= r && r <= 0x200f || 0x2028 <= r && r <= 0x202e || 0x2066 <= r && r <= 0x2069 || r == 0xfeff || 0xe0000 <= r && r <= 0xe0fff {
			t.Errorf("the character %U is shown as it is", r)
			break
		}
	}
	if p.Is(`/[\u0000-\u001f\u202e]/.test(document.title)`) || !strings.Contains(p.Text(`document.title`), `photo\u202egpj.exe\x1b[31mred`) {
		t.Errorf("the title of the window is %q", p.Text(`document.title`))
	}
	if files := p.Text(`document.querySelector("p.files").textContent`); !strings.Contains(files, `<img src=x onerror=alert(1)>\u202e\x1b\xff'"&.pcapng`) {
		t.Errorf("the file is %q", files)
	}
	if !p.Is(`document.documentElement.scrollWidth <= document.documentElement.clientWidth`) {
		t.Error("a long name makes the page wider than the window")
	}
	filterBy(p, `nfs.name contains "<script>`+"\u202e")
	checkStrange("after a filter that is wrong")
	filterBy(p, "")
	p.PDF()
	quiet(t, p, path)
}

// browserPolicy holds that the page's policy forbids what its names could not do.
func browserPolicy(t *testing.T, b *browser.Browser) {
	path := reportIn(t, sample("rxe-cb"))
	p := opened(t, b, path, "")
	quiet(t, p, path)
	p.Eval(nil, `(() => {
		const script = document.createElement("script");
		script.append("window.ran = 1"); // text that is not said to be a script
		document.body.append(script);
		try { // as the page's loader does
			const again = trustedTypes.createPolicy("rdmacap", { createScript: (text) => text }), made = document.createElement("script");
			made.text = again.createScript("window.ran = 3");
			document.body.append(made);
		} catch {
			// There can be only one such policy.
		}
		for (const src of ["x.png", "data:image/gif;base64,R0lGODlhAQABAAAAACwAAAAAAQABAAA="]) {
			document.body.append(Object.assign(document.createElement("img"), { src }));
		}
		document.body.append(Object.assign(document.createElement("style"), { textContent: "body { display: none }" }));
		const b = document.createElement("b");
		try {
			b.setAttribute("onclick", "window.ran = 2");
		} catch {
			// A newer browser refuses it here.
		}
		document.body.append(b, document.createElement("iframe"));
		b.click();
		for (const put of [() => b.innerHTML = "<i id=made>", () => b.insertAdjacentHTML("beforeend", "<i id=made>")]) {
			try {
				put();
			} catch {
				// It is not allowed, and that is reported.
			}
		}
		document.body.append(Object.assign(document.createElement("form"), { action: "https://rdmacap.invalid/", id: "f" }));
		document.getElementById("f").submit();
		fetch("https://rdmacap.invalid/").catch(() => {});
	})()`)
	want := []string{"trustedscript", "x.png", "data:image", "inline style", "connect", "form", "trustedhtml"}
	said := p.WaitForMessages(want...)
	if p.Is(`window.ran`) || p.Is(`getComputedStyle(document.body).display === "none"`) {
		t.Error("a script or a style that is not the page's own works")
	}
	if p.Is(`document.getElementById("made")`) {
		t.Error("text has become markup")
	}
	for _, want := range want {
		if !strings.Contains(strings.ToLower(said), want) {
			t.Errorf("nothing was said about: %s\n%s", want, said)
		}
	}
	if !p.Is(`location.protocol === "file:"`) {
		t.Error("a form was sent")
	}
}
