// Package lines writes lines of text for people: cells of columns, paragraphs that are
// broken to the width of the page, tables, and the colours of all of them.
//
// A line is appended to one buffer that is used again, and that is written when it is full:
// nothing is allocated for it.
package lines
