// Package order has what reports how a frame came, on any transport: whether two frames
// are copies of one (Sighting), how far each capture file has a direction (Fronts), and
// how long something that is missing may still come (Instant).
package order
