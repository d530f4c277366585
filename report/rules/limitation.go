package rules

import "strings"

// A Limitation is something that a capture may lack, so that it proves nothing: a direction, frames,
// the setup. Most of them are checked by methods of Conn. A rule declares which ones it checks
// (Check.Limitations), and a test compares that with those it does check. A Limitation may name the
// end whose frames it is about: From.
type Limitation uint8

// The limitations. Two more need no check: what was retransmitted, or captured twice, never
// becomes a second message (package flow).
const (
	BeganLate      Limitation = iota // the setup of the connection is not in the capture, or half of it only
	JustBegun                        // nor is that long ago (Conn.JustBegun, Conn.Lacking)
	OneDirection                     // of the two only one was captured
	LostSince                        // frames are missing since what is judged, or may be (Conn.LostSince, Conn.Whole)
	LostAround                       // frames are missing around what is judged (Conn.LostNear, Conn.Lacking)
	Lossy                            // frames are missing anywhere on the connection (Conn.Lossy, Conn.WholeSoFar)
	Disordered                       // frames are not in the order in which they were sent
	NearEnd                          // the capture ends soon after what is judged (Conn.EndGuard)
	NothingFollows                   // nothing follows that would show that a frame is missing (Conn.WentOn)
	Unpaired                         // a reply may be that to another call (Conn.Paired)
	Uncalled                         // what counts as a call may be none (Conn.Called)
	Cut                              // the message that is judged is not whole in it (Conn.Cut, Conn.Sound)
	AnyCut                           // nor is another that may have excused it
	Protected                        // RPCSEC_GSS protects it (Conn.Opaque)
	limitationKinds
)

// A Party is an end of a connection, by its part in what is checked.
type Party uint8

const (
	Either Party = iota
	Client
	Server
	Requester
	Responder
	Sender   // of what is judged
	Receiver // of that
	parties
)

// From is the limitation for frames of one end.
func (g Limitation) From(s Party) Limitation { return g.Kind() + limitationKinds*Limitation(s) }

// Kind is the limitation for frames of either end, Side the end that it is about.
func (g Limitation) Kind() Limitation { return g % limitationKinds }
func (g Limitation) Party() Party     { return Party(g / limitationKinds) }

// Fits reports whether a limitation that was asked is one that was declared: of the same end, if
// that is the client's or the server's.
func (g Limitation) Fits(declared Limitation) bool {
	s := declared.Party()
	return g.Kind() == declared.Kind() && (s != Client && s != Server || g.Party() == Either || g.Party() == s)
}

// String says what the capture is like where the limitation applies, "has frames out of order", or
// what becomes of messages, for Cut and Protected.
func (g Limitation) String() string {
	s := [limitationKinds]string{
		BeganLate:      "began after the connection was set up",
		JustBegun:      "began shortly before, on an existing connection",
		OneDirection:   "has one direction only",
		LostAround:     "lacks frames% near it, except calls and replies that other messages account for",
		LostSince:      "lacks frames% since the call",
		Lossy:          "lacks frames% of the connection",
		Disordered:     "has frames out of order",
		NearEnd:        "ends soon after",
		NothingFollows: "has no later message% that would show a loss",
		Unpaired:       "leaves open which call a reply answers",
		Uncalled:       "leaves open whether a message is a call",
		Cut:            "were captured only in part",
		AnyCut:         "has other messages only in part",
		Protected:      "RPCSEC_GSS protects",
	}[g.Kind()]
	return strings.Replace(s, "%", [parties]string{
		Client: " of the client", Server: " of the server", Requester: " of the requester", Responder: " of the responder",
		Sender: " of the sender", Receiver: " of the receiver",
	}[g.Party()], 1)
}
