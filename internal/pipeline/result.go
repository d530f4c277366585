package pipeline

// A Result is what came of captures.
type Result struct {
	// Unopened are the errors of captures that could not be opened, Faults those of captures
	// that could not be read on. One that is io.ErrUnexpectedEOF says that a capture ends in the
	// middle of a record.
	Unopened, Faults []error
	// Links are interfaces and captures of which nothing could be read.
	Links []LinkProblem
	// Interrupted says that there may be more than was read.
	Interrupted bool
	// Connections is how many were found: they are numbered from 1 on.
	Connections int64
}

// A LinkProblem is that nothing could be read of an interface, or of a capture.
type LinkProblem struct {
	// Text says so.
	Text string
	// Unusable says that nothing at all could be read of the capture since its link types are
	// not known.
	Unusable bool
}

// each takes errors apart that were joined, so that each has its line and is
// judged by itself.
func each(list []error) (all []error) {
	for _, err := range list {
		if joined, ok := err.(interface{ Unwrap() []error }); ok {
			all = append(all, each(joined.Unwrap())...)
		} else {
			all = append(all, err)
		}
	}
	return all
}
