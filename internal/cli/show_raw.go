package cli

import (
	"bufio"
	"context"
	"encoding/hex"
	"errors"
	"io"
	"strings"

	"tidemark/checkpoint"
	"tidemark/checkpoint/decode"
	"tidemark/internal/phrase"
)

// showRaw copies the bytes; on a terminal they are escaped.
func (a *app) showRaw(ctx context.Context, cp *checkpoint.Checkpoint, name string) error {
	if isTerminal(a.Out) {
		return a.showEscaped(ctx, cp, name)
	}
	r, err := cp.OpenAt(ctx, decode.Where{File: name}, -1)
	if err != nil {
		return err
	}
	defer r.Close()
	_, err = io.Copy(a.Out, r)
	return err
}

// showEscaped copies a file through Printable line by line, so that it cannot drive a terminal.
func (a *app) showEscaped(ctx context.Context, cp *checkpoint.Checkpoint, name string) error {
	r, err := cp.OpenAt(ctx, decode.Where{File: name}, -1)
	if err != nil {
		return err
	}
	defer r.Close()
	in, out := bufio.NewReaderSize(r, 64<<10), bufio.NewWriter(a.Out)
	for {
		line, err := in.ReadSlice('\n')
		text, ended := strings.CutSuffix(string(line), "\n")
		out.WriteString(phrase.Printable(text))
		if ended {
			out.WriteByte('\n')
		}
		if err == io.EOF {
			return out.Flush()
		}
		if err != nil && !errors.Is(err, bufio.ErrBufferFull) {
			return errors.Join(out.Flush(), err)
		}
	}
}

func (a *app) showHex(ctx context.Context, cp *checkpoint.Checkpoint, name string) error {
	r, err := cp.OpenAt(ctx, decode.Where{File: name}, -1)
	if err != nil {
		return err
	}
	defer r.Close()
	w := bufio.NewWriter(a.Out)
	dump := hex.Dumper(w)
	_, err = io.Copy(dump, r)
	return errors.Join(err, dump.Close(), w.Flush())
}
