// Package blocks reads an HTML report as its script does, for tests.
package blocks

import (
	"bytes"
	"compress/flate"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"io"
	"strconv"

	"golang.org/x/net/html"
)

// A Block is a block of data of a page.
type Block struct {
	Kind         string
	First, Count int
	JSON         []byte
}

// Decode reads the block into v.
func (b *Block) Decode(v any) error {
	d := json.NewDecoder(bytes.NewReader(b.JSON))
	d.UseNumber()
	return d.Decode(v)
}

// A Page is an HTML report taken apart.
type Page struct {
	Root   *html.Node
	Blocks []Block
}

// Parse takes a page apart.
func Parse(page []byte) (*Page, error) {
	root, err := html.Parse(bytes.NewReader(page))
	if err != nil {
		return nil, err
	}
	p := &Page{Root: root}
	for n := range root.Descendants() {
		if n.Type != html.ElementNode || n.Data != "script" || Attr(n, "type") != "application/x-rdmacap" {
			continue
		}
		b, err := blockOf(n)
		if err != nil {
			return nil, fmt.Errorf("block %d: %w", len(p.Blocks), err)
		}
		p.Blocks = append(p.Blocks, b)
	}
	return p, nil
}

func blockOf(n *html.Node) (b Block, err error) {
	b.Kind = Attr(n, "data-kind")
	if b.First, err = strconv.Atoi(Attr(n, "data-first")); err != nil {
		return b, err
	}
	if b.Count, err = strconv.Atoi(Attr(n, "data-count")); err != nil {
		return b, err
	}
	packed, err := base64.StdEncoding.DecodeString(Text(n))
	if err != nil {
		return b, err
	}
	b.JSON, err = io.ReadAll(flate.NewReader(bytes.NewReader(packed)))
	return b, err
}

// Of are the blocks of a kind, in their order.
func (p *Page) Of(kind string) (list []Block) {
	for _, b := range p.Blocks {
		if b.Kind == kind {
			list = append(list, b)
		}
	}
	return list
}

// Find are the elements of a name that have a class, or any if that is "".
func (p *Page) Find(name, class string) (list []*html.Node) {
	for n := range p.Root.Descendants() {
		if n.Type == html.ElementNode && n.Data == name && (class == "" || HasClass(n, class)) {
			list = append(list, n)
		}
	}
	return list
}

// HasClass reports whether an element has a class.
func HasClass(n *html.Node, class string) bool {
	for c := range bytes.FieldsSeq([]byte(Attr(n, "class"))) {
		if string(c) == class {
			return true
		}
	}
	return false
}

// Attr is an attribute of an element, "" if it has none.
func Attr(n *html.Node, name string) string {
	for _, a := range n.Attr {
		if a.Key == name {
			return a.Val
		}
	}
	return ""
}

// Text is all text in a node.
func Text(n *html.Node) string {
	var b bytes.Buffer
	for d := range n.Descendants() {
		if d.Type == html.TextNode {
			b.WriteString(d.Data)
		}
	}
	return b.String()
}
