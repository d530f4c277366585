package annotate

import "github.com/rdmacap/rdmacap/capture/pcapng"

// An order is the byte order of a section, or of a pcap file.
type order = pcapng.Order

// optionHead is the length in bytes of an option's code and length.
const optionHead = 4

// appendOptions appends a list of options, and comments after those that are
// there. A list that is broken is kept after the comments, where they can be read.
func appendOptions(b []byte, o order, list []byte, comments []string) []byte {
	end, ok := endOf(o, list)
	if !ok {
		return append(appendComments(b, o, comments), list...)
	}
	b = append(b, list[:end]...)
	b = appendComments(b, o, comments)
	if end == len(list) {
		return pcapng.EndOptions(b, o)
	}
	return append(b, list[end:]...)
}

func appendComments(b []byte, o order, comments []string) []byte {
	for _, c := range comments {
		b = pcapng.AppendText(b, o, pcapng.Comment, c)
	}
	return b
}

// endOf is where in a list its last option ends: at opt_endofopt, or where the list
// does. It is not ok where an option is longer than what is there.
func endOf(o order, list []byte) (end int, ok bool) {
	for end < len(list) {
		code, size, ok := option(o, list[end:])
		if !ok {
			return 0, false
		}
		if code == pcapng.EndOfOptions {
			break
		}
		end += size
	}
	return end, true
}

// option is the code and the size in bytes of the first option of a list; it is
// not ok where that does not fit.
func option(o order, list []byte) (code uint16, size int, ok bool) {
	if len(list) < optionHead {
		return 0, 0, false
	}
	size = optionHead + (int(o.Uint16(list[2:]))+3)&^3
	return o.Uint16(list), size, size <= len(list)
}
