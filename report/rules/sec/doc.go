// Package sec has the rules about the exposure of memory (family SEC): what a
// handle lets the peer do, for how long, and whether it is easily guessed (RFC 8166,
// section 8.1).
package sec
