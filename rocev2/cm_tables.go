package rocev2

import (
	"strconv"

	"github.com/rdmacap/rdmacap/field"
)

// CMTables lists the tables of the MAD header, of the messages of
// communication management in the order of their AttributeIDs, and of the IP
// CM header. A message's table ends where its private data begins; its bit 0 is
// the first after the MAD header. They are read-only.
func CMTables() []*field.Table {
	return []*field.Table{&madTable, &reqTable, &mraTable, &rejTable, &repTable, &rtuTable, &dreqTable, &drepTable,
		&sidrReqTable, &sidrRepTable, &lapTable, &aprTable, &ipcmTable}
}

// table is the table of a message, nil for what is no message.
func (k CMKind) table() *field.Table {
	if !k.IsMessage() {
		return nil
	}
	return CMTables()[1+k-CMReq]
}

// Bytes is where a field of a message stands in its MAD, by the field's key in the
// table ("initiatordepth"): the offset of its first byte, and how many bytes have
// bits of it. Of a message without such a field, n is 0.
func (k CMKind) Bytes(key string) (offset, n int) {
	t := k.table()
	if t == nil {
		return 0, 0
	}
	f := t.Lookup(key)
	if f == nil {
		return 0, 0
	}
	return MADHeaderSize + f.Start(), f.End() - f.Start()
}

// The fields that several messages have.

func commID(name, key string, size int, doc string) field.Field {
	return field.Field{Name: name, Key: key, Bit: 8 * size, Width: 32, Format: field.Hex, Doc: doc}
}

func localCommID() field.Field {
	return commID("Local Communication ID", "localcommid", 0, "the sender's name for the connection")
}

func remoteCommID() field.Field {
	return commID("Remote Communication ID", "remotecommid", 4, "the receiver's name for the connection")
}

func serviceID(size int) field.Field {
	return field.Field{Name: "ServiceID", Key: "serviceid", Bit: 8 * size, Width: 64, Format: field.Hex, Enum: nameServiceID,
		Doc: "the requested service; 00 00 00 00 01, protocol and port in the IP CM service"}
}

func queuePair(name, key string, size int, doc string) field.Field {
	return field.Field{Name: name, Key: key, Bit: 8 * size, Width: 24, Format: field.Hex, Doc: doc}
}

// timeout is a field of five bits: 4.096 µs times a power of two.
func timeout(name, key string, size int, doc string) field.Field {
	return field.Field{Name: name, Key: key, Bit: 8 * size, Width: 5, Enum: nameTimeout, Doc: doc}
}

// reserved is a reserved field, whose key is that of its byte.
func reserved(bit, width int) field.Field {
	format := field.Hex
	if width > 64 {
		format = field.Bytes
	}
	return field.Field{Name: "Reserved", Key: "reserved" + strconv.Itoa(bit/8), Bit: bit, Width: width, Format: format, Doc: "0"}
}

func additionalInfo(name, key string, size int) field.Field {
	return field.Field{Name: name, Key: key, Bit: 8 * size, Width: 8 * infoSize, Format: field.Bytes,
		Doc: "more about the answer, as its code says"}
}

// path is the twelve fields of a REQ's primary or alternate path, which begins
// at that byte.
func path(name, key string, size int) []field.Field {
	bit := 8 * size
	return []field.Field{
		{Name: name + " Local Port LID", Key: key + "_locallid", Bit: bit, Width: 16, Format: field.Hex, Doc: "the sender's LID; 0xffff over Ethernet"},
		{Name: name + " Remote Port LID", Key: key + "_remotelid", Bit: bit + 16, Width: 16, Format: field.Hex, Doc: "the receiver's LID"},
		{Name: name + " Local Port GID", Key: key + "_localgid", Bit: bit + 32, Width: 128, Format: field.IP, Doc: "the sender's GID; over RoCEv2 its IP address"},
		{Name: name + " Remote Port GID", Key: key + "_remotegid", Bit: bit + 160, Width: 128, Format: field.IP, Doc: "the receiver's GID"},
		{Name: name + " Flow Label", Key: key + "_flowlabel", Bit: bit + 288, Width: 20, Format: field.Hex, Doc: "for the GRH or IPv6 header"},
		reserved(bit+308, 6),
		{Name: name + " Packet Rate", Key: key + "_packetrate", Bit: bit + 314, Width: 6, Enum: namePacketRate, Doc: "the fastest that the sender is to send"},
		{Name: name + " Traffic Class", Key: key + "_tclass", Bit: bit + 320, Width: 8, Format: field.Hex, Doc: "for the GRH or IP header"},
		{Name: name + " Hop Limit", Key: key + "_hoplimit", Bit: bit + 328, Width: 8, Doc: "for the GRH or IP header"},
		{Name: name + " SL", Key: key + "_sl", Bit: bit + 336, Width: 4, Doc: "service level"},
		{Name: name + " Subnet Local", Key: key + "_subnetlocal", Bit: bit + 340, Width: 1, Format: field.Flag, Doc: "both ends are on one subnet"},
		reserved(bit+341, 3),
		timeout(name+" Local ACK Timeout", key+"_acktimeout", size+43, "how long the sender's queue pair waits for an ACK"),
	}
}
