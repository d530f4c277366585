package wrap

import (
	"bytes"
	"errors"
	"io"

	"github.com/google/gopacket"
	"github.com/google/gopacket/layers"
	"github.com/google/gopacket/pcapgo"
)

// Capture is a pcap file with every frame changed, by times as they were. Change is
// given the bytes of an Ethernet frame; the record says of what it returns that it was
// captured whole.
func Capture(pcap []byte, change func(frame []byte) []byte) ([]byte, error) {
	from, err := pcapgo.NewReader(bytes.NewReader(pcap))
	if err != nil {
		return nil, err
	}
	var to bytes.Buffer
	w := pcapgo.NewWriterNanos(&to)
	if err := w.WriteFileHeader(1<<18, layers.LinkTypeEthernet); err != nil {
		return nil, err
	}
	for {
		data, info, err := from.ReadPacketData()
		if errors.Is(err, io.EOF) {
			return to.Bytes(), nil
		}
		if err != nil {
			return nil, err
		}
		frame := change(data)
		if err := w.WritePacket(gopacket.CaptureInfo{Timestamp: info.Timestamp, CaptureLength: len(frame), Length: len(frame)}, frame); err != nil {
			return nil, err
		}
	}
}
