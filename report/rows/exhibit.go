package rows

import "github.com/rdmacap/rdmacap/report/exhibit"

// exhibits prints the field trees and octets that were asked for. With the
// octets, each line of the tree stands beside those that it was read from.
//
//	Frame 44, 62 octets
//	  0000                                        ..    Ethernet
//	  0000  52 54 00 00 00 02                     RT..    Destination: 52:54:00:00:00:02
func (t *Text) exhibits(of func() []exhibit.Exhibit) {
	if !t.opts.Details && !t.opts.Hex {
		return
	}
	t.Exhibits(of())
}

// Exhibits prints field trees, or the octets with them.
func (t *Text) Exhibits(list []exhibit.Exhibit) {
	for _, e := range list {
		t.Spaces(4)
		t.B = t.Style.Heading.Append(t.B, e.Title(t.opts.Files > 1))
		t.Fit("      ")
		t.End()
		if t.opts.Hex && len(e.Octets) > 0 {
			t.dump(e)
		} else {
			t.tree(e.Nodes, 6)
		}
	}
	t.End()
}
