// Package visible keeps what strangers wrote from being more than text: what is hidden in it,
// and would steer a browser or its reader, becomes an escape that can be seen.
package visible

import "github.com/rdmacap/rdmacap/field"

// Text is text that may come from a capture. Printed, also in HTML, it is
// visible.
type Text string

// String is the text as field.Visible shows it.
func (t Text) String() string { return field.Visible(string(t)) }
