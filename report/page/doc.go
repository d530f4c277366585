// Package page writes the HTML report: one file that needs no network, in which the
// words are HTML and the numbers are blocks of data for the page's script.
//
//	report ──Row, Item, Series──> Writer ──JSON, deflate, base64──> spool (a file)
//	   └────Document, at the end────┐                                │
//	                                v                                v
//	                    OUT.html = head + HTML of the words + blocks + script
//
// What comes from a capture was written by strangers. It reaches the page in two
// ways only: as visible.Text, whose HTML method escapes markup, and inside base64. Both show control
// and bidirectional characters as escapes that can be seen. A
// Content-Security-Policy allows the script, the loader that unpacks it and the one style sheet, by their
// hashes, and nothing else.
//
// The script and the style sheet are built from the directory web into dist. `go generate ./report/page` writes
// docs/report-rxe-loss.html and the pictures in docs/images anew; it needs a Chromium.
package page

//go:generate go test github.com/rdmacap/rdmacap/cmd/rdmacap -run ReportSample -update
//go:generate env RDMACAP_BROWSER=1 go test github.com/rdmacap/rdmacap/report/page/inbrowser -run Images -update
