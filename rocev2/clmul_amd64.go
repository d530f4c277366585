package rocev2

import "golang.org/x/sys/cpu"

// clmul reports whether the processor multiplies without carries, that is,
// polynomials over GF(2), and has the instructions with three operands.
var clmul = cpu.X86.HasPCLMULQDQ && cpu.X86.HasAVX

// clmulSum is the CRC-32 of the blocks of sixteen bytes that b holds, begun
// with a register of zeros. In the first blocks, as many as masked, a byte
// counts as its bits in keep, with those of flip turned over; both are as long
// as these blocks. b holds at least these, and masked is not 0.
//
//go:noescape
func clmulSum(b []byte, keep, flip *byte, masked int) uint32

// clmulBy are what clmulSum multiplies by, two in a register. P is the
// polynomial of the CRC-32.
//
// In a CRC the lowest bit of the first byte is the highest coefficient, so
// registers hold polynomials in reverse. The product of two of 64 bits has 127,
// and stands in 128 one too low; so the factors of 32 bits stand here as 33,
// one higher than they would. They are the last 32 coefficients of 64, which
// makes up for x^32: to move the first half of a block on by d bits, and
// after it the second one, takes x^(d+64-32) and x^(d-32).
var clmulBy = [...]uint64{
	0x1_54442BD4, 0x1_C6E41596, // x^(512+32), x^(512-32) mod P: four blocks on
	0x1_751997D0, 0x0_CCAA009E, // x^(128+32), x^(128-32) mod P: one block on
	0x1_63CD6124, 0, // x^64 mod P
	0xFFFFFFFF, 0, // no factor: the first 32 coefficients
	0x1_F7011641, 0x1_DB710641, // x^64 / P, P
}
