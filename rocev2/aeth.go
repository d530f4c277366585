package rocev2

import (
	"strconv"
	"time"
)

// A Syndrome is the first byte of the AETH (IBA 9.7.5). Its upper three
// bits say which answer it is, its lower five carry a credit count, a timer or
// an error code:
//
//	000ccccc  ACK, credit code
//	001ttttt  RNR NAK, timer code
//	010xxxxx  reserved
//	011eeeee  NAK, error code
//	1xxxxxxx  reserved
type Syndrome uint8

// The syndromes of the NAKs that IBA 9.7.5 defines.
const (
	NAKPSNSequenceError       Syndrome = 0x60 // a PSN is missing
	NAKInvalidRequest         Syndrome = 0x61 // unsupported or malformed request
	NAKRemoteAccessError      Syndrome = 0x62 // R_Key, bounds or rights do not allow it
	NAKRemoteOperationalError Syndrome = 0x63 // the responder cannot go on
	NAKInvalidRDRequest       Syndrome = 0x64 // RD only: Q_Key or EE context
)

// IsACK reports whether the syndrome is a positive acknowledgement.
func (s Syndrome) IsACK() bool { return s>>5 == 0 }

// IsRNR reports whether the syndrome is an RNR NAK: the receiver is not ready.
func (s Syndrome) IsRNR() bool { return s>>5 == 1 }

// IsNAK reports whether the syndrome is a NAK with an error code; an RNR NAK
// is none.
func (s Syndrome) IsNAK() bool { return s>>5 == 3 }

// Code is the lower five bits: credit code of an ACK, timer code of an RNR
// NAK, error code of a NAK.
func (s Syndrome) Code() uint8 { return uint8(s & 0x1F) }

// noCredits is the credit code that carries no end-to-end credit count.
const noCredits = 31

// Credits is the number of receive work requests that an ACK's credit code
// stands for, and false if the syndrome carries no credit count.
func (s Syndrome) Credits() (int, bool) {
	code := s.Code()
	switch {
	case !s.IsACK() || code == noCredits:
		return 0, false
	case code < 2:
		return int(code), true
	}
	// From two on, every second code doubles, with one and a half between.
	return (2 + int(code%2)) << (code/2 - 1), true
}

// rnrTimers are the RNR NAK timer values by code, in hundredths of a
// millisecond (IBA 9.7.5.2.8).
var rnrTimers = [32]uint32{
	65536, 1, 2, 3, 4, 6, 8, 12, 16, 24, 32, 48, 64, 96, 128, 192,
	256, 384, 512, 768, 1024, 1536, 2048, 3072, 4096, 6144, 8192, 12288, 16384, 24576, 32768, 49152,
}

// RNRTimer is the least time that the requester is to wait before it tries
// again, 0 if the syndrome is no RNR NAK.
func (s Syndrome) RNRTimer() time.Duration {
	if !s.IsRNR() {
		return 0
	}
	return time.Duration(rnrTimers[s.Code()]) * 10 * time.Microsecond
}

// String is "ACK", "RNR NAK, 0.64 ms", "NAK: PSN sequence error" and the like.
func (s Syndrome) String() string {
	switch {
	case s.IsACK():
		return "ACK"
	case s.IsRNR():
		return "RNR NAK, " + strconv.FormatFloat(float64(rnrTimers[s.Code()])/100, 'f', 2, 64) + " ms"
	}
	switch s {
	case NAKPSNSequenceError:
		return "NAK: PSN sequence error"
	case NAKInvalidRequest:
		return "NAK: invalid request"
	case NAKRemoteAccessError:
		return "NAK: remote access error"
	case NAKRemoteOperationalError:
		return "NAK: remote operational error"
	case NAKInvalidRDRequest:
		return "NAK: invalid RD request"
	}
	if s.IsNAK() {
		return "NAK: reserved code " + strconv.Itoa(int(s.Code()))
	}
	return "reserved syndrome 0x" + strconv.FormatUint(uint64(s), 16)
}
