package capture

import (
	"errors"
	"fmt"
	"io"
)

// strays are the packets of a pcapng file that name an interface which their
// section has not described. Nobody can say what such bytes are, but the
// blocks around them are sound: they are passed over, and told at the end.
type strays struct {
	count     int64
	offset    int64  // of the first one's block
	id        uint32 // the interface that the first one names
	described int    // how many interfaces its section had described by then
}

func (s *strays) addStray(offset int64, id uint32, described int) {
	if s.count == 0 {
		s.offset, s.id, s.described = offset, id, described
	}
	s.count++
}

// endError is the error with which reading ends, err, with the strays before it. An
// end of file is no error beside them; any other is joined to theirs.
func (s *strays) endError(r *File, err error) error {
	if s.count == 0 {
		return err
	}
	packets := "1 such packet was skipped"
	if s.count > 1 {
		packets = fmt.Sprintf("%d such packets were skipped", s.count)
	}
	stray := r.bad(s.offset, "a packet names interface %d, but its section has described %d so far; %s", s.id, s.described, packets)
	if err == io.EOF {
		return stray
	}
	return errors.Join(stray, err)
}
