// Package sec has the rules on memory exposure (family SEC): which memory a
// handle exposes to the peer, for how long, and whether it is easily guessed (RFC 8166,
// section 8.1).
package sec
