package ui

import (
	"context"
	"fmt"
	"io"
	"strings"
	"sync/atomic"
	"testing"
	"testing/fstest"

	"tidemark/checkpoint"
	"tidemark/internal/checks"
	"tidemark/storage"
	"tidemark/ui/kit"
)

// metered counts the bytes that are asked for.
type metered struct {
	storage.Store
	read    atomic.Int64
	offsets atomic.Int64 // offset files that were opened
}

func (m *metered) Open(ctx context.Context, name string, offset, length int64) (io.ReadCloser, error) {
	if strings.HasPrefix(name, "offsets/") {
		m.offsets.Add(1)
	}
	r, err := m.Store.Open(ctx, name, offset, length)
	if err != nil {
		return nil, err
	}
	return &meteredReader{r, m}, nil
}

type meteredReader struct {
	io.ReadCloser
	m *metered
}

func (r *meteredReader) Read(p []byte) (int, error) {
	n, err := r.ReadCloser.Read(p)
	r.m.read.Add(int64(n))
	return n, err
}

func TestLongFileIsReadWhereItIsLookedAt(t *testing.T) {
	const long = 40 << 20
	data := make([]byte, long)
	copy(data[long-4:], "END.")
	m := &metered{Store: storage.FromFS(fstest.MapFS{"state/0/0/7.snapshot": {Data: data}}, "x")}
	o := kit.Options{Location: "x", Open: func(ctx context.Context) (*checkpoint.Checkpoint, error) { return checkpoint.Open(ctx, m) }}
	d := drive(t, o, []checks.Event{{Done: &checks.Done{Complete: true}}}, 120, 40)
	d.run(d.Init())
	d.press("T", "enter", "j", "enter", "j", "enter", "j", "enter")
	d.shows("state/0/0/7.snapshot", "41.9 MB · bytes only: a long file", "0000000000  00 00")
	first := m.read.Load()
	d.press("G")
	d.shows(fmt.Sprintf("%010x", long-16), "END.", fmt.Sprintf("· @%d ", long-16))
	if n := m.read.Load() - first; n > 3<<16 {
		t.Errorf("going to the end read %d bytes", n)
	}
	if n := m.read.Load(); n > 2<<20 {
		t.Errorf("%d bytes of a file of %d were read", n, long)
	}
	for range 100 {
		d.press("pgup")
	}
	wellFormed(t, d.View().Content, 120, 40)
}

func TestBytesFollowThePlaceThroughEveryView(t *testing.T) {
	d := drive(t, openTree(tree()), everything(t, tree()), 120, 40)
	d.run(d.Init())
	d.press("B", "enter", "G") // the last line of batch 11: the first setting, or the last part
	at := d.at()
	d.press("enter")
	shows := func() {
		t.Helper()
		file, place, _ := strings.Cut(at, ":")
		d.shows("─ "+file+" ─", " · "+place+" ─")
		if got := d.at(); got != at {
			t.Errorf("the place is %s, want %s", got, at)
		}
	}
	shows()
	for _, mode := range []string{"text", "bytes", "decoded"} {
		d.press("x")
		d.shows(" · " + mode + " · ")
	}
	shows()
	d.press("/", "v", "1", "enter")
	d.shows("▸1@0")
}

// TestKeysBeforeTheFileIsRead holds that a person who is faster than the reading gets what he asked for.
func TestKeysBeforeTheFileIsRead(t *testing.T) {
	d := drive(t, openTree(tree()), everything(t, tree()), 120, 40)
	d.run(d.Init())
	d.press("F", "j")
	d.hold = true
	d.press("enter", "x", "x")
	late := d.late
	d.late, d.hold = nil, false
	for _, cmd := range late {
		d.run(cmd)
	}
	d.shows(" · bytes · ", "0000000000  76 31 0a")
}
