package layers

import (
	"errors"

	"github.com/google/gopacket"

	"github.com/rdmacap/rdmacap/iwarp"
)

// Split is a bufio.SplitFunc that cuts one direction of a TCP stream into its
// start-up frame and its FPDUs without markers. The bytes begin with either. It
// is as good without a bufio.Scanner: it returns how many bytes to go on by,
// and the piece that they are, or 0 where more bytes are needed. At the end of
// a stream that ends within a piece, that is what is there of it.
//
// It goes by the lengths only, and so is lost where bytes are missing, and
// where a sender states a wrong length. A PD_Length of more than 512 is an
// error. A bufio.Scanner needs a buffer of MaxFPDU bytes.
func Split(data []byte, atEOF bool) (advance int, piece []byte, err error) {
	n := 0
	switch {
	case iwarp.LooksLikeStart(data):
		var start iwarp.Start
		n, _ = start.Decode(data)
		if start.PDLength > iwarp.MaxPrivateData {
			return 0, nil, errors.New(start.Fault.String())
		}
	case len(data) >= lengthSize:
		_, n = measure(data)
	}
	switch {
	case n > 0 && n <= len(data):
		return n, data[:n:n], nil
	case atEOF && len(data) > 0:
		return len(data), data, nil
	}
	return 0, nil, nil
}

// TypeOf is the type of the layer that a piece from Split begins with:
// LayerTypeMPAStart or LayerTypeFPDU. A start-up frame is told by its key, which
// read as an FPDU has a wrong RDMAP version.
func TypeOf(piece []byte) gopacket.LayerType {
	if hasKey(piece) {
		return layerMPAStart
	}
	return layerFPDU
}
