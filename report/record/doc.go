// Package record writes what programs read: the JSON records of frames, messages, RPCs,
// connections, findings and statistics, as one array or one object per line; SARIF; and
// findings as comments on the frames of a capture.
//
// A record is appended byte by byte to one buffer that is used again: reflection would
// cost more than the dissection.
package record
