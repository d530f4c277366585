package capture

import (
	"bytes"
	"encoding/binary"
	"errors"
	"io"
	"reflect"
	"sort"
	"strings"
	"testing"
	"testing/iotest"
)

// wholeFiles are small good files, one of each kind, and after how many bytes
// a record, or the file header, is whole.
func wholeFiles() map[string][][]byte {
	files := map[string][][]byte{}
	for _, o := range byteOrders {
		name := " " + o.String()
		files["pcap"+name] = [][]byte{
			pcapHead(o, 0xa1b2c3d4, 65535, ethernet),
			pcapRecord(o, 1, 1, 9, "one", ""), pcapRecord(o, 2, 2, 3, "", ""), pcapRecord(o, 3, 3, 5, "three", ""),
		}
		files["pcap Kuznetzov"+name] = [][]byte{
			pcapHead(o, 0xa1b2cd34, 65535, ethernet),
			pcapRecord(o, 1, 1, 9, "one", "12345678"), pcapRecord(o, 2, 2, 3, "two", "12345678"),
		}
		files["pcapng"+name] = [][]byte{
			ngSection(o, -1),
			ngInterface(o, ethernet, 0, ngOption(o, ifTsresol, []byte{9})),
			ngEnhanced(o, 0, 1, 9, "one", ngOption(o, optComment, []byte("comment"))),
			ngBlock(o, 0xbad, []byte("unknown block")),
			ngSimple(o, 3, "two"),
			ngSection(binary.BigEndian, -1),
			ngInterface(binary.BigEndian, ethernet, 0),
			ngOldPacket(binary.BigEndian, 0, 0, 1, 9, "three"),
			ngBlock(binary.BigEndian, 5, nil),
		}
	}
	return files
}

// TestCut cuts each file at every byte. Every whole frame must come, and then
// the byte at which the cut record begins.
func TestCut(t *testing.T) {
	for name, parts := range wholeFiles() {
		t.Run(name, func(t *testing.T) {
			var ends []int // where each part ends
			for i := range parts {
				ends = append(ends, len(join(parts[:i+1]...)))
			}
			file := join(parts...)
			all := mustRead(t, file)
			for cut := range file {
				got, err := readAll(t, file[:cut])
				// The cut is in part number at, or before its first byte.
				at := sort.SearchInts(ends, cut+1)
				begin := 0
				if at > 0 {
					begin = ends[at-1]
				}
				want := sort.Search(len(all), func(i int) bool { return all[i].Offset >= int64(begin) })
				if len(got) != want || want > 0 && !reflect.DeepEqual(got, all[:want]) {
					t.Fatalf("cut at %d: got %d frames, want the first %d", cut, len(got), want)
				}
				if cut == begin && cut > 0 {
					if err != nil {
						t.Fatalf("cut at %d, between records: %v", cut, err)
					}
					continue
				}
				if e := asError(t, err); e.Offset != int64(begin) {
					t.Fatalf("cut at %d: %v, want byte %d", cut, err, begin)
				}
				if cut >= 4 && !errors.Is(err, io.ErrUnexpectedEOF) {
					t.Fatalf("cut at %d: %v is no io.ErrUnexpectedEOF", cut, err)
				}
			}
		})
	}
}

// TestCutCompressed cuts the compressed file at every byte: frames that come
// are the first ones, and the loss is always told.
func TestCutCompressed(t *testing.T) {
	for name, pack := range map[string]func(testing.TB, []byte) []byte{"gzip": gzipped, "zstd": zstandard} {
		for _, kind := range []string{"pcap LittleEndian", "pcapng BigEndian"} {
			t.Run(name+"/"+kind, func(t *testing.T) {
				plain := join(wholeFiles()[kind]...)
				file := pack(t, plain)
				all := mustRead(t, plain)
				if got := mustRead(t, file); !reflect.DeepEqual(got, all) {
					t.Fatalf("whole: got %+v\nwant %+v", got, all)
				}
				for cut := range file {
					got, err := readAll(t, file[:cut])
					if len(got) > 0 && !reflect.DeepEqual(got, all[:len(got)]) {
						t.Fatalf("cut at %d: wrong frames", cut)
					}
					asError(t, err)
					if cut >= 4 && !errors.Is(err, io.ErrUnexpectedEOF) {
						t.Fatalf("cut at %d: %v is no io.ErrUnexpectedEOF", cut, err)
					}
				}
			})
		}
	}
}

// TestBrokenCompressed: the frames before bytes that do not decompress come,
// and the loss is told like that of a cut file.
func TestBrokenCompressed(t *testing.T) {
	parts := wholeFiles()["pcap LittleEndian"]
	file := join(parts...)
	begin := len(file) - len(parts[len(parts)-1])
	half := file[:begin+7] // two whole frames and some of the third
	for _, c := range []struct {
		file []byte
		want string
	}{
		// Deflate block type 3 (RFC 1951 section 3.2.3).
		{append(gzipped(t, half), "\x1f\x8b\x08\x00\x00\x00\x00\x00\x00\x00\x07"...), "gzip data are broken"},
		// Zstandard block type 3 (RFC 8878 section 3.1.1.2.2).
		{append(zstandard(t, half), "\x28\xb5\x2f\xfd\x00\x58\x07\x00\x00"...), "zstd data are broken"},
		{append(gzipped(t, half), "no gzip follows"...), "gzip data are broken"},
		{append(zstandard(t, half), "no zstd follows"...), "zstd data are broken"},
	} {
		got, err := readAll(t, c.file)
		if len(got) != 2 {
			t.Errorf("%s: got %d frames, want 2", c.want, len(got))
		}
		if e := asError(t, err); e.Offset != int64(begin) || !strings.Contains(e.Reason, c.want) || !errors.Is(err, io.ErrUnexpectedEOF) {
			t.Errorf("got %v, want %q at byte %d", err, c.want, begin)
		}
	}
}

// TestReadError: what the system says on reading is neither an end nor a cut.
func TestReadError(t *testing.T) {
	broken := errors.New("input/output error")
	for _, pack := range []func(testing.TB, []byte) []byte{
		func(_ testing.TB, b []byte) []byte { return b }, gzipped, zstandard,
	} {
		file := pack(t, join(wholeFiles()["pcap LittleEndian"]...))
		for cut := range file {
			r := io.MultiReader(bytes.NewReader(file[:cut]), iotest.ErrReader(broken))
			f, err := NewReader(r, "F", 0)
			if err == nil {
				_, err = drain(t, f)
				f.Close()
			}
			asError(t, err)
			if !errors.Is(err, broken) || errors.Is(err, io.ErrUnexpectedEOF) {
				t.Fatalf("cut at %d: got %v", cut, err)
			}
		}
	}
}

// idle is a reader that never gives anything, and reports nothing about it.
type idle struct{}

func (idle) Read([]byte) (int, error) { return 0, nil }

// TestIdleReader: a reader that gives nothing for ever does not hold us.
func TestIdleReader(t *testing.T) {
	head := wholeFiles()["pcap LittleEndian"][0]
	f := open(t, io.MultiReader(bytes.NewReader(head), idle{}))
	if _, err := drain(t, f); !errors.Is(err, io.ErrNoProgress) || asError(t, err).Offset != 24 {
		t.Errorf("got %v", err)
	}
}
