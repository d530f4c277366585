package dissect

import "github.com/rdmacap/rdmacap/dissect/flow"

// BeganLate reports whether the capture began after the connection was set up: what the ends
// told each other then, and what came before, is not known. So it is where only one half of
// the setup was captured.
func (c *Connection) BeganLate() bool {
	return c.Setup == flow.SetupInferred || c.Ends[0].PrivateData == nil || c.Ends[1].PrivateData == nil
}

// Lossy reports whether anything of the connection may be missing from the capture so far.
func (c *Connection) Lossy() bool { return c.Holes > 0 || c.LostInCapture > 0 }
