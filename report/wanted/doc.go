// Package wanted says which findings somebody asked for: by an expression about them, by their
// connections, or by when they were.
package wanted
