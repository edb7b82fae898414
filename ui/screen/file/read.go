package file

import (
	"context"
	"errors"
	"fmt"
	"io"
	"path"

	tea "charm.land/bubbletea/v2"

	"tidemark/checkpoint"
	"tidemark/checkpoint/decode"
	"tidemark/ui/kit"
	"tidemark/ui/kit/widget"
)

// ---- reading

func (b *model) Load(at kit.Scope) tea.Cmd {
	b.at, b.done, b.err, b.asked = at, false, nil, -1
	b.chunks = map[int64][]byte{}
	cp, name, known := b.s.Checkpoint, b.name, b.size
	if cp == nil {
		return nil
	}
	return kit.Guard(at.ID, func() tea.Msg {
		data, err := cp.Read(at.Ctx, name, wholeLimit)
		msg := fileRead{to: at.ID, data: data, whole: err == nil, size: int64(len(data)), err: err}
		if err == nil || data == nil || int64(len(data)) < wholeLimit {
			return msg // whole, or not to be read at all
		}
		msg.err, msg.data = nil, nil
		if msg.size = known; known < 0 {
			msg.size, msg.err = sizeOf(at.Ctx, cp, name)
		}
		return msg
	})
}

// sizeOf looks a file up in its folder.
func sizeOf(ctx context.Context, cp *checkpoint.Checkpoint, name string) (int64, error) {
	l := cp.List(ctx, path.Dir(name))
	if e := l.Find(path.Base(name)); e != nil {
		return e.Size, nil
	}
	return 0, errors.Join(fmt.Errorf("%s is not in the listing of its folder", name), l.Err)
}

// want reads the part of a long file that the window lacks.
func (b *model) want() tea.Cmd {
	if b.whole || !b.done || b.err != nil || b.asked >= 0 || b.s.Checkpoint == nil {
		return nil
	}
	if len(b.chunks) > keptChunks {
		b.chunks = map[int64][]byte{}
	}
	per := int64(widget.PerRow(b.w))
	from, to := b.cursor.Window(b.len(), b.cursor.Height)
	for n := int64(from) * per / chunkSize; n <= int64(to)*per/chunkSize && n*chunkSize < b.size; n++ {
		if b.chunks[n] == nil {
			b.asked = n
			return b.readChunk(n)
		}
	}
	return nil
}

func (b *model) readChunk(n int64) tea.Cmd {
	cp, at, name := b.s.Checkpoint, b.at, b.name
	return kit.Guard(at.ID, func() tea.Msg {
		r, err := cp.OpenAt(at.Ctx, decode.Where{File: name, Offset: n * chunkSize}, chunkSize)
		if err != nil {
			return chunkRead{at.ID, n, nil, err}
		}
		defer r.Close()
		data, err := io.ReadAll(io.LimitReader(r, chunkSize))
		return chunkRead{at.ID, n, data, err}
	})
}

// bytes are what is known of the file from offset on, n of them at most.
func (b *model) bytes(offset int64, n int) []byte {
	data, at := b.data, offset
	if !b.whole {
		data, at = b.chunks[offset/chunkSize], offset%chunkSize
	}
	if at >= int64(len(data)) {
		return nil
	}
	return data[at:min(at+int64(n), int64(len(data)))]
}
