package page

import (
	"crypto/sha256"
	"embed"
	"encoding/base64"
	"fmt"
	"strings"

	"github.com/rdmacap/rdmacap/report/page/visible"
)

//go:embed dist/page.js dist/page.css
var files embed.FS

// assets are what every page has, whatever is in it.
type assets struct {
	script, style string
}

// loadAssets reads what is embedded: a test holds that it can be.
func loadAssets() assets {
	read := func(name string) string {
		b, err := files.ReadFile(name)
		if err != nil {
			panic(err) // it is embedded
		}
		return string(b)
	}
	return assets{
		script: read("dist/page.js"),
		style:  read("dist/page.css"),
	}
}

// size is about how many octets the page has without words and data.
func (a *assets) size() int64 {
	const frame = 4 << 10
	return int64(len(a.script) + len(a.style) + frame)
}

// policy is the Content-Security-Policy: this script and this style sheet, which make
// no markup of text. A form of the page sends nothing anywhere.
func (a *assets) policy() string {
	hash := func(s string) string {
		sum := sha256.Sum256([]byte(s))
		return "'sha256-" + base64.StdEncoding.EncodeToString(sum[:]) + "'"
	}
	return fmt.Sprintf("default-src 'none'; script-src %s; style-src %s; base-uri 'none'; form-action 'none'; require-trusted-types-for 'script'; trusted-types 'none'",
		hash(a.script), hash(a.style))
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

// tail is the page behind its data.
func (a *assets) tail() string {
	return "<script>" + a.script + "</script>\n</body>\n</html>\n"
}
