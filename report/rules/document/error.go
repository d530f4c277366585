package document

import (
	"cmp"
	"fmt"
)

// An Error says what is wrong with a document, and where.
type Error struct {
	File         string
	Line, Column int // from 1; a Column of 0 is the whole line
	Reason       string
}

// Error is FILE:LINE:COLUMN: REASON, which editors can jump to.
func (e *Error) Error() string {
	return fmt.Sprintf("%s:%d:%d: %s", e.File, e.Line, cmp.Or(e.Column, 1), e.Reason)
}
