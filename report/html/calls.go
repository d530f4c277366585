package html

import (
	"fmt"
	"strings"

	"github.com/rdmacap/rdmacap/report/page/markup"
	"github.com/rdmacap/rdmacap/report/page/visible"
)

// calls are those that took longest and those that failed, by name, with links.
func (h *Page) calls() visible.HTML {
	heading, list := h.place().Calls(&h.end)
	if len(list) == 0 {
		return ""
	}
	calls := make([]markup.Call, len(list))
	for i, c := range list {
		calls[i].Label = visible.Text(c.Label)
		for _, p := range c.Parts {
			part := markup.Part{Text: visible.Text(p.Text)}
			switch {
			case p.RPC != "":
				part.Link = "rpc-" + p.RPC
			case p.Connection != 0:
				part.Link = fmt.Sprintf("connection-%d", p.Connection)
			case p.Frame.Number != 0:
				part.Link = h.frameLink(p.Frame)
			}
			calls[i].Parts = append(calls[i].Parts, part)
		}
	}
	return markup.Calls(visible.Text(strings.ToUpper(heading[:1])+heading[1:]), calls)
}
