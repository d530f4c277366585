package keep

import (
	"io/fs"
	"time"
)

// Evidence says what is kept on occasions.
type Evidence struct {
	Around
	// Every is the time in which there is one excerpt at most of a rule on a connection.
	Every time.Duration
	// Count is how many there are at most in the folder.
	Count int
	// Make makes of an excerpt what is to be kept, in the folder Excerpt.Dir. It is called
	// by a goroutine of its own.
	Make func(x *Clip) error
}

// An Trigger is why frames are kept: a finding.
type Trigger struct {
	// Rule, Severity and Message are those of the finding.
	Rule, Severity, Message string
	// Connection is the number of its connection, 0 for the whole capture.
	Connection int
	// File and Frame are capture.Frame.File and Number of the frame that shows it, at Time
	// in nanoseconds since 1970; both are 0 if none does.
	File  int
	Frame int64
	Time  int64
	// Reported is the time of the frame that had it reported, which may be much later.
	Reported int64
}

// An Clip is what was captured around an occasion.
type Clip struct {
	// Dir is a folder of its own, which gets its name when all in it is written, and Name
	// what its files should be called, without what says of which kind they are.
	Dir, Name string
	// Rights are those that files in Dir have, unless the umask takes some.
	Rights fs.FileMode
	// Capture is a pcapng file in Dir with the frames, which is deleted after Make.
	Capture string
	// Triggers is the one, and others that came before its end; Others is how many more
	// came than are in it.
	Triggers []Trigger
	Others   int64
	// Missing are, in a sentence each, what is not in it of what was asked for.
	Missing []string
	// Frames is how many it has, from First to Last in nanoseconds since 1970.
	Frames      int64
	First, Last int64
}

// mostTriggers is how many occasions an excerpt has.
const mostTriggers = 200
