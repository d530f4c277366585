package rocev2

// The opcodes, named by transport, operation and position as IBA 9.2.1 and
// Annex A14 do. Imm stands for "with Immediate" and Inv for "with Invalidate".

// Reliable Connection.
const (
	OpRCSendFirst          OpCode = 0x00
	OpRCSendMiddle         OpCode = 0x01
	OpRCSendLast           OpCode = 0x02
	OpRCSendLastImm        OpCode = 0x03
	OpRCSendOnly           OpCode = 0x04
	OpRCSendOnlyImm        OpCode = 0x05
	OpRCWriteFirst         OpCode = 0x06
	OpRCWriteMiddle        OpCode = 0x07
	OpRCWriteLast          OpCode = 0x08
	OpRCWriteLastImm       OpCode = 0x09
	OpRCWriteOnly          OpCode = 0x0A
	OpRCWriteOnlyImm       OpCode = 0x0B
	OpRCReadRequest        OpCode = 0x0C
	OpRCReadResponseFirst  OpCode = 0x0D
	OpRCReadResponseMiddle OpCode = 0x0E
	OpRCReadResponseLast   OpCode = 0x0F
	OpRCReadResponseOnly   OpCode = 0x10
	OpRCAcknowledge        OpCode = 0x11
	OpRCAtomicAcknowledge  OpCode = 0x12
	OpRCCompareSwap        OpCode = 0x13
	OpRCFetchAdd           OpCode = 0x14
	OpRCSendLastInv        OpCode = 0x16
	OpRCSendOnlyInv        OpCode = 0x17
	OpRCFlush              OpCode = 0x1C
	OpRCAtomicWrite        OpCode = 0x1D
)

// Unreliable Connection.
const (
	OpUCSendFirst    OpCode = 0x20
	OpUCSendMiddle   OpCode = 0x21
	OpUCSendLast     OpCode = 0x22
	OpUCSendLastImm  OpCode = 0x23
	OpUCSendOnly     OpCode = 0x24
	OpUCSendOnlyImm  OpCode = 0x25
	OpUCWriteFirst   OpCode = 0x26
	OpUCWriteMiddle  OpCode = 0x27
	OpUCWriteLast    OpCode = 0x28
	OpUCWriteLastImm OpCode = 0x29
	OpUCWriteOnly    OpCode = 0x2A
	OpUCWriteOnlyImm OpCode = 0x2B
)

// Reliable Datagram: an RDETH precedes the others, requests have a DETH too.
const (
	OpRDSendFirst          OpCode = 0x40
	OpRDSendMiddle         OpCode = 0x41
	OpRDSendLast           OpCode = 0x42
	OpRDSendLastImm        OpCode = 0x43
	OpRDSendOnly           OpCode = 0x44
	OpRDSendOnlyImm        OpCode = 0x45
	OpRDWriteFirst         OpCode = 0x46
	OpRDWriteMiddle        OpCode = 0x47
	OpRDWriteLast          OpCode = 0x48
	OpRDWriteLastImm       OpCode = 0x49
	OpRDWriteOnly          OpCode = 0x4A
	OpRDWriteOnlyImm       OpCode = 0x4B
	OpRDReadRequest        OpCode = 0x4C
	OpRDReadResponseFirst  OpCode = 0x4D
	OpRDReadResponseMiddle OpCode = 0x4E
	OpRDReadResponseLast   OpCode = 0x4F
	OpRDReadResponseOnly   OpCode = 0x50
	OpRDAcknowledge        OpCode = 0x51
	OpRDAtomicAcknowledge  OpCode = 0x52
	OpRDCompareSwap        OpCode = 0x53
	OpRDFetchAdd           OpCode = 0x54
	OpRDResync             OpCode = 0x55
	OpRDFlush              OpCode = 0x5C
)

// Unreliable Datagram: a DETH precedes the others.
const (
	OpUDSendOnly    OpCode = 0x64
	OpUDSendOnlyImm OpCode = 0x65
)

// Extended Reliable Connection: an XRCETH precedes the others in requests.
const (
	OpXRCSendFirst          OpCode = 0xA0
	OpXRCSendMiddle         OpCode = 0xA1
	OpXRCSendLast           OpCode = 0xA2
	OpXRCSendLastImm        OpCode = 0xA3
	OpXRCSendOnly           OpCode = 0xA4
	OpXRCSendOnlyImm        OpCode = 0xA5
	OpXRCWriteFirst         OpCode = 0xA6
	OpXRCWriteMiddle        OpCode = 0xA7
	OpXRCWriteLast          OpCode = 0xA8
	OpXRCWriteLastImm       OpCode = 0xA9
	OpXRCWriteOnly          OpCode = 0xAA
	OpXRCWriteOnlyImm       OpCode = 0xAB
	OpXRCReadRequest        OpCode = 0xAC
	OpXRCReadResponseFirst  OpCode = 0xAD
	OpXRCReadResponseMiddle OpCode = 0xAE
	OpXRCReadResponseLast   OpCode = 0xAF
	OpXRCReadResponseOnly   OpCode = 0xB0
	OpXRCAcknowledge        OpCode = 0xB1
	OpXRCAtomicAcknowledge  OpCode = 0xB2
	OpXRCCompareSwap        OpCode = 0xB3
	OpXRCFetchAdd           OpCode = 0xB4
	OpXRCSendLastInv        OpCode = 0xB6
	OpXRCSendOnlyInv        OpCode = 0xB7
)

// OpCNP is RoCEv2's congestion notification packet (Annex A17.9.3): a BTH with
// BECN set and sixteen reserved bytes, which Decode treats as its payload.
const OpCNP OpCode = 0x81
