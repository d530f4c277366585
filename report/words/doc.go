// Package words names things for people: connections and their ends, RPCs and what came of
// them, messages, numbers with units, times, findings. Rows and the page say it alike.
//
// What is worded for every row is appended to a buffer and allocates nothing.
package words
