package iwarp

import "github.com/rdmacap/rdmacap/field"

// fpduTable is what stands before the ULPDU in an FPDU.
var fpduTable = field.Table{Key: "mpa.fpdu", Name: "MPA FPDU", Ref: "RFC 5044 section 4.1", Fields: []field.Field{
	{Name: "ULPDU_Length", Key: "ulpdu_length", Bit: 0, Width: 16, Doc: "bytes of the ULPDU, without markers, pad and CRC"},
}}

// fpduCRCTable is the end of an FPDU.
var fpduCRCTable = field.Table{Key: "mpa.crc", Name: "CRC", Ref: "RFC 5044 section 4.4", Fields: []field.Field{
	{Name: "CRC", Key: "crc", Bit: 0, Width: 32, Format: field.Hex, Doc: "the four bytes as sent; the CRC32c has them reversed"},
}}

// fpduMarkerTable is a marker.
var fpduMarkerTable = field.Table{Key: "mpa.marker", Name: "Marker", Ref: "RFC 5044 section 4.2", Fields: []field.Field{
	{Name: "Reserved", Key: "reserved", Bit: 0, Width: 16, Format: field.Hex, Doc: "0, ignored by the receiver"},
	{Name: "FPDUPTR", Key: "fpduptr", Bit: 16, Width: 16, Doc: "bytes of the stream from the ULPDU_Length of the FPDU to the marker; 0 between two FPDUs"},
}}
