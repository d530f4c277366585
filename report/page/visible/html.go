package visible

import "html"

// HTML is markup that this program made: all in it that is not a constant was escaped.
type HTML string

// HTML is the text as it stands in markup, also inside an attribute in quotes.
func (t Text) HTML() HTML { return HTML(html.EscapeString(t.String())) }
