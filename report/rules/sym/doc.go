// Package sym has the rules about symptoms (family SYM): what a person who waits for NFS
// notices, told in those terms and proven by frames. They name no culprit: what explains a
// symptom is a finding of another family, or of this one, that it is linked to.
//
//	no capture of RDMA                     SYM-008
//	connection refused, mount refused      SYM-004, SYM-005
//	nothing moves                          SYM-001 with calls open, 010 without
//	too slow                               SYM-002 one RPC, 007 a busy connection, 011 the way, or all
//	the same answer over and over          SYM-003
//	the connection goes away               SYM-009, again and again 006
package sym
