package stream_test

// Each line of a story is a segment, or something else that happens, and after
// a bar the place and the bytes missing before it, then what is handed on:
//
//	SYN 0 abc FIN     a segment: sequence number, bytes of which those after
//	                  a tilde were cut off by the snap length, control bits
//	3 -               a segment without payload
//	ack 9             the peer acknowledges all before 9; reports whether a hole is proven
//	skip              tells the bytes given up
//	abc[3]<2>.        handed on: abc, 3 bytes missing, 2 cut off, the FIN
//
// The sequence number of the first byte is 0 in all of them, and each is told
// at several places of the sequence space.
var stories = []struct{ name, lines string }{
	{"in order", `
		SYN -1 - | Empty
		0 -      | Empty
		0 abc    | Next abc
		3 d      | Next d
		4 efgh   | Next efgh
		8 -      | Empty
		8 FIN    | Empty .
		9 -      | Empty
		next 9`},
	{"bytes with the SYN and with the FIN", `
		SYN -1 abc | Next abc
		3 def FIN  | Next def.
		7 -        | Empty
		next 7`},
	{"a late start", `
		0 abc   | Next abc
		-3 xyz  | Old
		-2 xyzd | Old
		3 def   | Next def
		-9 -    | Old`},
	{"a late start in the middle of disorder", `
		0 abc   | Next abc
		-3 xyza | Old
		-3 xyzabcd | Next d`},
	{"reordered", `
		0 abc  | Next abc
		6 ghi  | Early 3
		12 mno | Early 6
		9 jkl  | Filled 3
		3 def  | Filled defghijklmno
		15 p   | Next p`},
	{"sent again", `
		0 abc   | Next abc
		0 abc   | Old
		1 b     | Old
		2 cd    | Next d
		0 abcde | Next e
		4 -     | Old`},
	{"keep-alive probes", `
		0 abc | Next abc
		2 -   | Old
		2 x   | Old
		3 d   | Next d`},
	{"a keep-alive probe first", `
		0 -   | Empty
		1 abc | Next abc
		ack 4 | none
		next 4`},
	{"a keep-alive probe first, then the FIN", `
		0 -   | Empty
		1 FIN | Empty .
		skip  | 0`},
	{"the first of several copies counts", `
		0 abc   | Next abc
		6 GHI   | Early 3
		4 efgh  | Filled 1
		5 xxxx  | Old 1
		3 xxxxxxj | Filled xefGHIj`},
	{"one covers several that wait", `
		0 abc        | Next abc
		5 F          | Early 2
		8 I          | Early 4
		4 efghijkl   | Filled 1
		12 m         | Early 1
		6 g          | Old 1
		3 d          | Filled deFghIjklm`},
	{"the front fills the hole, the end is new", `
		0 ab     | Next ab
		4 E      | Early 2
		2 cdefg  | Filled cdEfg`},
	{"cut by the snap length", `
		0 ab~c   | Next ab<1>
		3 de~fgh | Next de<3>
		8 ~ij    | Next <2>
		0 abc    | Old
		10 k     | Next k`},
	{"a copy that waits is not cut", `
		0 a      | Next a
		4 e      | Early 3
		2 c~def  | Filled 1
		3 d      | Filled 1
		1 b      | Filled bcde<1>`},
	{"bytes take the place of what waits cut off", `
		0 a          | Next a
		2 c~defghi   | Early 1
		4 ef         | Filled 1
		8 ij         | Filled 1
		4 xxxx       | Filled 1
		1 b          | Filled bc<1>efxxij`},
	{"the segment that fills the hole has what waits cut off", `
		0 a        | Next a
		2 ~cdef    | Early 1
		8 i~j      | Early 3
		1 bcd~efgh | Filled bcd<2><2>i<1>`},
	{"all of it cut off, with the FIN", `
		SYN -1 - | Empty
		0 ~abc FIN | Next <3>.
		4 -      | Empty`},
	{"missing, and given up", `
		0 abc | Next abc
		5 fg  | Early 2
		9 jk  | Early 4
		skip  | 2 [2]fg
		3 de  | Old
		skip  | 2 [2]jk
		skip  | 0
		11 l  | Next l`},
	{"missing, and acknowledged", `
		0 abc  | Next abc
		ack 3  | none
		5 fg   | Early 2
		ack 4  | not proven
		ack 5  | proven
		ack 3  | proven
		3 d    | Filled d
		ack 5  | proven
		skip   | 1 [1]fg
		ack 7  | none`},
	{"nothing behind what is missing", `
		0 abc  | Next abc
		ack 9  | proven
		skip   | 5 [5]
		skip   | 0
		ack 9  | none
		next 8`},
	{"the sender goes on behind what was given up", `
		0 abc  | Next abc
		ack 9  | proven
		skip   | 5 [5]
		9 jkl  | Next [1]jkl
		12 m   | Next m`},
	{"the last number of what was given up was the FIN", `
		0 abc  | Next abc
		ack 9  | proven
		skip   | 5 [5]
		8 FIN  | Empty .
		9 -    | Empty
		9 xyz  | Far`},
	{"the last number of what was given up was not the FIN", `
		0 abc  | Next abc
		ack 9  | proven
		skip   | 5 [5]
		9 FIN  | Empty [1].
		10 -   | Empty`},
	{"what was given up comes yet, all but the last", `
		0 abc   | Next abc
		ack 9   | proven
		skip    | 5 [5]
		3 defghijk | Next ijk`},
	{"given up, and still more missing", `
		0 abc   | Next abc
		ack 9   | proven
		skip    | 5 [5]
		12 mno  | Early 4
		ack 12  | proven
		skip    | 4 [4]mno`},
	{"acknowledged in part, and nothing behind it", `
		0 abc   | Next abc
		9 -     | Early 6
		ack 6   | proven
		skip    | 3 [3]
		ack 6   | not proven
		7 hi    | Filled 1
		skip    | 1 [1]hi
		next 9`},
	{"an ACK before the data it acknowledges", `
		0 abc  | Next abc
		ack 6  | proven
		3 def  | Next def
		ack 6  | none
		6 ghi  | Next ghi`},
	{"bare ACKs out of their order", `
		0 abc  | Next abc
		6 -    | Early 3
		9 -    | Early 6
		3 def  | Filled def
		3 -    | Old
		6 ghi  | Filled ghi
		9 -    | Empty`},
	{"the FIN is not captured", `
		0 abc  | Next abc
		4 -    | Empty
		ack 4  | none
		skip   | 0
		next 3`},
	{"the FIN and what is before it are not captured", `
		0 abc  | Next abc
		9 -    | Early 6
		ack 9  | proven
		skip   | 5 [5]
		skip   | 0`},
	{"the FIN waits", `
		0 abc  | Next abc
		6 FIN  | Early 3
		6 FIN  | Old
		7 -    | Early 3
		8 -    | Far
		ack 7  | proven
		3 de   | Filled de
		skip   | 1 [1].
		7 -    | Empty
		6 FIN  | Old
		6 -    | Old
		next 7`},
	{"the FIN behind its ACK", `
		0 abc  | Next abc
		4 -    | Empty
		ack 4  | none
		3 FIN  | Empty .
		ack 4  | none
		skip   | 0
		4 -    | Empty`},
	{"the FIN comes with bytes sent again", `
		0 abc     | Next abc
		1 bc FIN  | Next .
		1 bc FIN  | Old`},
	{"the FIN waits with its bytes", `
		0 abc     | Next abc
		5 fg FIN  | Early 2
		5 fg FIN  | Old 2
		3 de      | Filled defg.`},
	{"nothing follows the FIN", `
		0 abc FIN | Next abc.
		3 d       | Far
		4 d       | Far
		0 abcd    | Old
		5 -       | Far
		ack 9     | none`},
	{"a FIN amid bytes that were seen is none", `
		0 abcdef | Next abcdef
		2 c FIN  | Old
		9 jkl    | Early 3
		8 FIN    | Old
		6 g FIN  | Filled g
		7 hi     | Filled hijkl
		12 FIN   | Empty .`},
	{"bytes end at a FIN that waits", `
		0 ab     | Next ab
		4 FIN    | Early 2
		3 dxx    | Filled 1
		2 cxxxx  | Filled cd.`},
	{"the SYN again", `
		SYN -1 - | Empty
		SYN -1 - | Old
		0 ab     | Next ab
		SYN -1 - | Old
		SYN -1 abc | Next c
		SYN 1 -  | Anew
		SYN 2000000000 - | Anew
		3 d      | Next d`},
	{"the SYN behind the first bytes", `
		0 ab     | Next ab
		SYN -1 - | Old
		SYN -2 - | Anew
		2 c      | Next c`},
	{"too far away", `
		0 abc         | Next abc
		1073741828 x  | Far
		-1073741823 - | Far
		2147483651 -  | Far
		ack 1073741828 | none
		ack -9        | none
		3 d           | Next d`},
	{"barely near enough", `
		0 abc          | Next abc
		1073741827 x   | Early 1073741824
		ack 1073741827 | proven
		skip           | 1073741824 [1073741824]x`},
	{"an ACK before the stream", `
		ack 500 | none
		skip    | 0
		0 a     | Next a
		ack 1   | none`},
}
