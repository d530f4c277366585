// Package hostile makes captures that somebody would send who wants to use up memory or
// time: thousands of queue pairs that nobody knows, connections that nobody accepts, calls
// that nobody answers. Each is made in any size, so that what the program needs can be held
// against the size: it may grow with it, up to the program's limits, and not faster.
package hostile
