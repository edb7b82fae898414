package state

import (
	"bufio"
	"encoding/binary"
	"errors"
	"fmt"
	"io"

	"github.com/klauspost/compress/zstd"

	"tidemark/checkpoint/decode"
)

// records reads the records of one inflated stream, field by field. Once err is set no field is read.
type records struct {
	file, what string
	r          *bufio.Reader
	at         int64 // bytes read
	start      int64 // where the current record begins
	number     [4]byte
	key, value []byte // reused from record to record
	keep       int32  // bytes of a key or a value that are kept; longer ones are passed over

	done bool  // the end mark was read
	flaw error // what is wrong with the current record alone
	err  error // why no record after the current one can be read
}

// The lengths that stand for something else.
const (
	endMark   = -1 // instead of the length of a key: no more records
	tombstone = -1 // instead of the length of a value: the key is removed
)

func newRecords(file, what string, r io.Reader) *records {
	return &records{file: file, what: what, r: bufio.NewReader(r), key: []byte{}, value: []byte{}, keep: recordLimit}
}

// each yields the records that read reads.
func (r *records) each(read func(*Change), yield func(Change, error) bool) {
	var ch Change
	for r.err == nil {
		ch = Change{At: r.at}
		r.start, r.flaw = r.at, nil
		read(&ch)
		if r.done {
			r.rest()
			if r.err != nil {
				yield(Change{At: r.at}, r.err)
			}
			return
		}
		err := r.err
		if err == nil {
			err = r.flaw
		}
		if !yield(ch, err) {
			return
		}
	}
}

// untyped reads a record as Changes describes it.
func (r *records) untyped(ch *Change) {
	n := r.int32("the length of a key")
	if r.err == nil && n == endMark {
		r.done = true
		return
	}
	ch.Key = r.bytes(&r.key, n, "a key")
	at := r.at
	n = r.int32("the length of a value")
	if r.err == nil && n == tombstone {
		ch.Op = Delete
		if r.what == snapshotRecord {
			r.flaw = r.fail(at, decode.Malformed, errors.New("a removal, which a snapshot never contains"))
		}
		return
	}
	ch.Value = r.bytes(&r.value, n, "a value")
}

// int32 reads a number; it is 0 after an error.
func (r *records) int32(what string) int32 {
	if r.err != nil {
		return 0
	}
	if b, err := r.r.Peek(4); err == nil { // nearly always
		n := int32(binary.BigEndian.Uint32(b))
		r.r.Discard(4)
		r.at += 4
		return n
	}
	r.take(r.number[:0], 4, what)
	return 0
}

// bytes reads a key or a value of n bytes into buf; n was read from the 4 bytes before.
func (r *records) bytes(buf *[]byte, n int32, what string) []byte {
	switch {
	case r.err != nil:
		return nil
	case n < 0:
		r.err = r.fail(r.at-4, decode.Malformed, fmt.Errorf("%d is not the length of %s", n, what))
		return nil
	case n > r.keep && r.keep < recordLimit:
		r.skip(n, what)
		return nil
	case n > recordLimit:
		r.flaw = r.fail(r.at-4, decode.TooLarge, fmt.Errorf("%s of %d bytes", what, n))
		r.skip(n, what)
		return nil
	}
	if b, err := r.r.Peek(min(int(n), r.r.Buffered())); err == nil && len(b) == int(n) { // nearly always
		*buf = append((*buf)[:0], b...)
		r.r.Discard(len(b))
		r.at += int64(n)
		return *buf
	}
	*buf = r.take(*buf, int(n), what)
	return *buf
}

func (r *records) take(buf []byte, n int, inside string) []byte {
	if r.err != nil {
		return buf[:0]
	}
	buf, err := take(r.r, buf, n)
	r.at += int64(len(buf))
	r.broke(err, inside)
	return buf
}

func (r *records) skip(n int32, what string) {
	m, err := io.CopyN(io.Discard, r.r, int64(n))
	r.at += m
	if err == io.EOF {
		err = errEnd
	}
	r.broke(err, what)
}

// broke keeps why reading stopped: the stream ended inside something, or the reader below says why.
func (r *records) broke(err error, inside string) {
	if err == errEnd {
		err = fmt.Errorf("the records end inside %s", inside)
		if r.at == r.start {
			err = errors.New("the records end without an end mark")
		}
		err = r.fail(r.at, decode.Cut, err)
	}
	if err != nil {
		r.err = err
	}
}

// rest looks at what follows the end mark, where nothing should.
func (r *records) rest() {
	_, err := r.r.ReadByte()
	if err == io.EOF {
		return
	}
	if err == nil {
		err = r.fail(r.at, decode.Malformed, errors.New("bytes follow the end mark"))
	}
	problem, ok := errors.AsType[*decode.Error](err)
	if ok && !seenBySpark(problem) {
		err = &Loose{problem}
	}
	r.err = err
}

// seenBySpark reports whether Spark meets damage behind the end mark of the records. It reads zstd ahead,
// to the end of the frame; the other codecs block by block.
func seenBySpark(e *decode.Error) bool {
	return e.What == zstdWhat && !errors.Is(e, zstd.ErrMagicMismatch)
}

func (r *records) fail(at int64, flaw decode.Flaw, err error) error {
	return &decode.Error{Where: decode.Where{File: r.file, Offset: at}, Flaw: flaw, What: r.what, Err: err}
}
