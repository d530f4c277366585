package page

import (
	"bytes"
	"crypto/sha256"
	"embed"
	"encoding/base64"
	"fmt"
	"io"
	"strings"

	"github.com/klauspost/compress/flate"

	"github.com/rdmacap/rdmacap/report/page/visible"
)

//go:embed dist/page.js.deflate dist/page.css dist/loader.js
var files embed.FS

// assets are what every page has, whatever is in it.
type assets struct {
	// script is compressed, for it is most of a page; the loader unpacks it.
	script []byte
	loader string
	style  string
}

// loadAssets reads what is embedded: a test holds that it can be.
func loadAssets() assets {
	read := func(name string) []byte {
		b, err := files.ReadFile("dist/" + name)
		if err != nil {
			panic(err) // it is embedded
		}
		return b
	}
	return assets{script: read("page.js.deflate"), loader: string(read("loader.js")), style: string(read("page.css"))}
}

// size is about how many bytes the page has without words and data.
func (a *assets) size() int64 {
	const frame = 4 << 10
	return int64(base64.StdEncoding.EncodedLen(len(a.script)) + len(a.loader) + len(a.style) + frame)
}

// policy is the Content-Security-Policy: these two scripts and this style sheet, which make
// no markup of text. The loader may make the other script of text, as long as it is that one. A form of the
// page sends nothing anywhere.
func (a *assets) policy() string {
	script, err := io.ReadAll(flate.NewReader(bytes.NewReader(a.script)))
	if err != nil {
		panic(err) // it is embedded
	}
	hash := func(b []byte) string {
		sum := sha256.Sum256(b)
		return "'sha256-" + base64.StdEncoding.EncodeToString(sum[:]) + "'"
	}
	return fmt.Sprintf("default-src 'none'; script-src %s %s; style-src %s; base-uri 'none'; form-action 'none'; require-trusted-types-for 'script'; trusted-types rdmacap",
		hash([]byte(a.loader)), hash(script), hash([]byte(a.style)))
}

// head is the page up to its words.
func (a *assets) head(title visible.Text) string {
	var b strings.Builder
	b.WriteString("<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n")
	fmt.Fprintf(&b, "<meta http-equiv=\"Content-Security-Policy\" content=\"%s\">\n", a.policy())
	b.WriteString("<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n")
	b.WriteString("<meta name=\"color-scheme\" content=\"light dark\">\n<meta name=\"referrer\" content=\"no-referrer\">\n")
	fmt.Fprintf(&b, "<meta name=\"generator\" content=\"rdmacap\">\n<title>%s</title>\n", title.HTML())
	fmt.Fprintf(&b, "<style>%s</style>\n</head>\n", a.style)
	return b.String()
}

// tail is the page after its data.
func (a *assets) tail() string {
	return "<script type=\"application/x-rdmacap-script\">" + base64.StdEncoding.EncodeToString(a.script) + "</script>\n" +
		"<script>" + a.loader + "</script>\n</body>\n</html>\n"
}
