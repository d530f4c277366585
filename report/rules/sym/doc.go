// Package sym has the rules about symptoms (family SYM): what a user who waits for NFS
// notices, reported in those terms and proven by frames. They name no culprit: a symptom is
// linked to the finding of another family, or of this one, that explains it.
//
//	no RDMA in capture                     SYM-008
//	connection refused, mount refused      SYM-004, SYM-005
//	nothing moves                          SYM-001 with calls open, 010 without
//	too slow                               SYM-002 one RPC, 007 a busy connection, 011 the path, or all
//	the same answer repeatedly             SYM-003
//	the connection is lost                 SYM-009, repeatedly 006
package sym
