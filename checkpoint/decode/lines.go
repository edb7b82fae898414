package decode

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"iter"
)

// Line is one line of a log.
type Line struct {
	Text  []byte // without its line feed; good until the next line is asked for
	Where Where
}

// Lines reads a log as a stream, line by line. what is what the file is, for its errors. A line of more than limit
// bytes, and a file without bytes, end the sequence with a *Error; so does any error of r, with the name of
// the file.
func Lines(r io.Reader, file, what string, limit int) iter.Seq2[Line, error] {
	return func(yield func(Line, error) bool) {
		in := bufio.NewScanner(r)
		in.Buffer(make([]byte, 0, 64<<10), limit)
		in.Split(keepEnds)
		where := Where{File: file, Line: 1}
		for in.Scan() {
			if !yield(Line{bytes.TrimSuffix(in.Bytes(), []byte("\n")), where}, nil) {
				return
			}
			where.Line, where.Offset = where.Line+1, where.Offset+int64(len(in.Bytes()))
		}
		switch err := in.Err(); {
		case errors.Is(err, bufio.ErrTooLong):
			yield(Line{}, &Error{Where: where, Flaw: TooLarge, What: what, Err: fmt.Errorf("a line is longer than %d bytes; the bytes after it were not read", limit)})
		case err != nil:
			yield(Line{}, fmt.Errorf("%s: %w", file, err))
		case where.Line == 1:
			yield(Line{}, &Error{Where: Where{File: file}, Flaw: Empty, What: what, Err: errors.New("the file is empty")})
		}
	}
}

// keepEnds splits after each line feed and keeps it, so that places can be counted.
func keepEnds(data []byte, atEOF bool) (int, []byte, error) {
	if i := bytes.IndexByte(data, '\n'); i >= 0 {
		return i + 1, data[:i+1], nil
	}
	if atEOF && len(data) > 0 {
		return len(data), data, nil
	}
	return 0, nil, nil
}
