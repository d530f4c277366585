package rules

import "strings"

// A Gate is a question about what the capture may lack, so that it proves nothing. Most
// of them are methods of Conn; which ones a rule asks it declares (Rule.Gates), and a test
// holds what it asks against that. A Gate may name the end whose frames it is about: From.
type Gate uint8

// The gates. Two more need no question: what was sent again, or captured twice, never
// becomes a second message (package flow).
const (
	BeganLate    Gate = iota // the setup of the connection is not in the capture, or half of it only
	JustBegun                // nor is that long ago (Conn.JustBegun, Conn.Lacking)
	OneDirection             // of the two only one was captured
	LostSince                // frames are missing since what is judged, or may be (Conn.LostSince, Conn.Whole)
	LostAround               // frames are missing around what is judged (Conn.LostNear, Conn.Lacking)
	Lossy                    // frames are missing anywhere on the connection (Conn.Lossy, Conn.WholeSoFar)
	Disordered               // frames are not in the order in which they were sent
	NearEnd                  // the capture ends soon after what is judged (Conn.EndGuard)
	Unheard                  // nothing follows that would show that a frame is missing (Conn.WentOn)
	Unpaired                 // a reply may be that to another call (Conn.Paired)
	Uncalled                 // what counts as a call may be none (Conn.Called)
	Cut                      // the message that is judged is not whole in it (Conn.Cut, Conn.Sound)
	AnyCut                   // nor is another that may have excused it
	Protected                // RPCSEC_GSS protects it (Conn.Opaque)
	gates
)

// A Side is an end of a connection, by what it does in what is judged.
type Side uint8

const (
	Either Side = iota
	Client
	Server
	Requester
	Responder
	Sender   // of what is judged
	Receiver // of that
	sides
)

// From is the gate for frames of one end.
func (g Gate) From(s Side) Gate { return g.Kind() + gates*Gate(s) }

// Kind is the gate for frames of either end, Side the end that it is about.
func (g Gate) Kind() Gate { return g % gates }
func (g Gate) Side() Side { return Side(g / gates) }

// Fits reports whether a gate that was asked is one that was declared: of the same end, if
// that is the client's or the server's.
func (g Gate) Fits(declared Gate) bool {
	s := declared.Side()
	return g.Kind() == declared.Kind() && (s != Client && s != Server || g.Side() == Either || g.Side() == s)
}

// String says what the capture is like where the gate is shut, "has frames out of order", or
// what becomes of messages, for Cut and Protected.
func (g Gate) String() string {
	s := [gates]string{
		BeganLate:    "began after the connection was set up",
		JustBegun:    "began shortly before, on an existing connection",
		OneDirection: "has one direction only",
		LostAround:   "lacks frames% near it, except calls and replies that other messages account for",
		LostSince:    "lacks frames% since the call",
		Lossy:        "lacks frames% of the connection",
		Disordered:   "has frames out of order",
		NearEnd:      "ends soon after",
		Unheard:      "has no later message% that would show a loss",
		Unpaired:     "leaves open which call a reply answers",
		Uncalled:     "leaves open whether a message is a call",
		Cut:          "were captured only in part",
		AnyCut:       "has other messages only in part",
		Protected:    "RPCSEC_GSS protects",
	}[g.Kind()]
	return strings.Replace(s, "%", [sides]string{
		Client: " of the client", Server: " of the server", Requester: " of the requester", Responder: " of the responder",
		Sender: " of the sender", Receiver: " of the receiver",
	}[g.Side()], 1)
}
