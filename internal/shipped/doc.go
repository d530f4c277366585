// Package shipped cuts seeds for fuzz targets out of the captures in the folder
// samples, so that each decoder's fuzzing begins with real bytes. It imports
// nothing of the module: any package's tests can use it, and it does not trust
// what they test.
//
//	samples/NAME.pcap.zst ─ File
//	   │ zstd
//	   ├── Unpacked       the first bytes of the pcap or pcapng file
//	   └── Frames         Ethernet, without FCS
//	         ├── RoCEv2   after Ethernet, IPv4 and UDP: BTH ... ICRC
//	         │     ├── Sends   payload of RC SEND Only: transport header, RPC
//	         │     └── MADs    payload of UD SEND Only: connection management
//	         └── Segments   after Ethernet, IPv4 and TCP: bytes of iWARP's streams
//	               ├── MPAFrames   MPA Request and Reply
//	               └── FPDUs       ULPDU_Length ... CRC
//	                     └── ULPDUs   DDP and RDMAP header, payload
package shipped
