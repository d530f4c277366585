// Package rows writes rows of text for people: frames, messages and RPCs, each with the field
// tree and hex dump that were asked for, the lines about their connections, and statistics.
//
// A row is a line of package lines, and costs no memory. Field trees and hex dumps are built
// only when they were asked for.
package rows
