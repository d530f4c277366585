package inbrowser

import (
	"bytes"
	"cmp"
	"fmt"
	"image"
	"image/color"
	"image/draw"
	"image/png"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/rdmacap/rdmacap/internal/browser"
	"github.com/rdmacap/rdmacap/internal/scene"
)

// wrongLength is an NFS READ whose reply says of its Write chunk that fewer bytes are
// there than the READ returned.
const wrongLength = `
connect
call 1 NFS3 LOOKUP what={dir="fh" name="report.txt"}
reply 1
call 2 NFS3 READ file="fh" offset=0 count=3000
    write 0xc82 4096
reply 2 data=bytes(3000) eof=true
    returns write 0xc82 2000
disconnect
`

// TestImages holds that the pictures in docs are there and small; with -update it
// takes them anew: go test ./report/page/inbrowser -run Images -update
func TestImages(t *testing.T) {
	folder, err := filepath.Abs(filepath.Join("..", "..", "..", "docs", "images"))
	if err != nil {
		t.Fatal(err)
	}
	if *update {
		takeImages(t, folder)
	}
	for _, name := range []string{"first", "finding", "charts", "rpcs"} {
		path := filepath.Join(folder, "report-"+name+".png")
		data, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		c, err := png.DecodeConfig(bytes.NewReader(data))
		if err != nil {
			t.Fatal(err)
		}
		if c.Width != 1280 || len(data) > 150_000 {
			t.Errorf("%s is %d pixels wide and has %d bytes; 1280 and 150,000 at most are wanted", path, c.Width, len(data))
		}
	}
}

func takeImages(t *testing.T, folder string) {
	t.Helper()
	b := browser.Start(t)
	paths := make(map[string]string)
	for _, name := range []string{"rxe-basic", "rxe-loss"} {
		path, err := filepath.Abs(sample(name))
		if err != nil {
			t.Fatal(err)
		}
		paths[name] = path
	}
	if _, err := program(); err != nil { // it is built here, or not at all
		t.Fatal(err)
	}
	t.Chdir(t.TempDir()) // the page names the capture as it was given
	s, err := scene.Play(wrongLength, scene.RoCE)
	if err != nil {
		t.Fatal(err)
	}
	var capture bytes.Buffer
	if err := s.WritePcap(&capture); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile("trace.pcap", capture.Bytes(), 0o600); err != nil {
		t.Fatal(err)
	}
	// from and to are what the picture begins and ends with.
	take := func(p *browser.Page, name, from, to string) {
		t.Helper()
		p.Move(0, 0)
		p.Size(1280, 1800, 1) // all of it in the window
		p.Eval(nil, `document.querySelector(`+browser.JS(from)+`).scrollIntoView()`)
		p.Wait("the page is at rest", `new Promise((done) => setTimeout(() => done(true), 800))`)
		box := browser.Box{Width: 1280}
		box.Y = p.Number(`document.querySelector(` + browser.JS(from) + `).getBoundingClientRect().top + scrollY`)
		box.Height = p.Number(`document.querySelector(`+browser.JS(to)+`).getBoundingClientRect().bottom + scrollY + 16`) - box.Y
		picture, err := png.Decode(bytes.NewReader(p.Screenshot(box)))
		if err != nil {
			t.Fatal(err)
		}
		var small bytes.Buffer
		if err := (&png.Encoder{CompressionLevel: png.BestCompression}).Encode(&small, fewColours(picture)); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(folder, "report-"+name+".png"), small.Bytes(), 0o644); err != nil {
			t.Fatal(err)
		}
	}

	page := reportIn(t, paths["rxe-loss"])
	p := opened(t, b, page, "")
	p.Wait("the picture is drawn", `document.querySelector("#picture canvas")?.width > 300`)
	take(p, "first", "#top", "#picture .legend")

	page = filepath.Join(t.TempDir(), "trace.html")
	must(t, "report", "-q", "trace.pcap", "--title", "NFS READ returns fewer bytes than it says", "-o", page)
	p = opened(t, b, page, "")
	p.Eval(nil, `document.querySelector("#findings .finding").scrollIntoView()`)
	p.Wait("the first finding has its bytes", `document.querySelector(".finding .exhibit[open] .dump")`)
	take(p, "finding", "#findings", ".finding .exhibit[open]")

	page = reportIn(t, paths["rxe-basic"])
	p = opened(t, b, page, "#connection-1")
	p.Wait("the charts are drawn", `document.querySelector("#connection-1 .charts canvas")`)
	take(p, "charts", "#connection-1", "#connection-1 .charts")

	visit(p, page, "#rpcs")
	filterBy(p, "nfs.op in {READ, WRITE} and rpc.latency > 20ms")
	p.Click(".rpc-head .c-latency button")
	p.Click(".rpc-row[aria-rowindex='3'] .c-name")
	p.Wait("the RPC is open", `document.querySelector(".rpc-panel .ladder")`)
	take(p, "rpcs", "#rpcs", ".rpc-panel .phases")
}

// fewColours is a picture in its 256 most frequent colours: text and lines have hardly
// more, and the file is half as long.
func fewColours(p image.Image) image.Image {
	counts := make(map[color.Color]int)
	b := p.Bounds()
	for y := b.Min.Y; y < b.Max.Y; y++ {
		for x := b.Min.X; x < b.Max.X; x++ {
			counts[p.At(x, y)]++
		}
	}
	list := slices.SortedFunc(maps.Keys(counts), func(a, b color.Color) int {
		return cmp.Or(counts[b]-counts[a], strings.Compare(fmt.Sprint(a), fmt.Sprint(b)))
	})
	few := image.NewPaletted(b, color.Palette(list[:min(len(list), 256)]))
	draw.Draw(few, b, p, b.Min, draw.Src)
	return few
}
