package availability

import (
	"context"
	"flag"
	"fmt"
	"io/fs"
	"iter"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/fstest"
	"time"

	gocmp "github.com/google/go-cmp/cmp"
	"golang.org/x/tools/txtar"

	"tidemark/checkpoint/decode"
	"tidemark/checkpoint/log"
	"tidemark/checkpoint/source"
	"tidemark/internal/tablelog"
)

var update = flag.Bool("update", false, "write what was found into the stories")

// A story is testdata/NAME.txtar: a sentence, what the checkpoint records, the place, and what is found there.
//
//	from, to, first      lines of the offset log: where the batch begins, where it ends as planned, where the query began
//	files                the lines of the source's own log that the batch reads
//	root                 where the place lies; "table" where there is none
//	modified             lines of NAME=TIME
//	anything else        a file of the place
//	want                 what is found
func TestPlaces(t *testing.T) {
	t.Parallel()
	stories, err := filepath.Glob("testdata/*.txtar")
	if err != nil || len(stories) == 0 {
		t.Fatalf("no stories: %v", err)
	}
	for _, file := range stories {
		t.Run(strings.TrimSuffix(filepath.Base(file), ".txtar"), func(t *testing.T) { tellStory(t, file) })
	}
}

func tellStory(t *testing.T, file string) {
	a, err := txtar.ParseFile(file)
	if err != nil {
		t.Fatal(err)
	}
	r, want, root := SourceProgress{From: source.Offset{None: true}, To: source.Offset{None: true}, First: source.Offset{None: true}, Batch: 5}, "", "table"
	tree, modified := fstest.MapFS{}, ""
	for i, f := range a.Files {
		text := strings.TrimSuffix(string(f.Data), "\n")
		line := func() source.Offset { return source.Decode([]byte(text), decode.Where{File: "offsets/4", Line: 3}) }
		switch f.Name {
		case "from":
			r.From = line()
		case "to":
			r.To, r.Again = line(), true
		case "first":
			r.First = line()
		case "files":
			r.Files = entries(text)
		case "root":
			root = text
		case "modified":
			modified = text
		case "want":
			want = string(f.Data)
			defer func() {
				if *update {
					a.Files[i].Data = []byte(want)
					if err := os.WriteFile(file, txtar.Format(a), 0o644); err != nil {
						t.Error(err)
					}
				}
			}()
		default:
			tree[f.Name] = &fstest.MapFile{Data: []byte(text), ModTime: time.Date(2026, 11, 28, 0, 0, 0, 0, time.UTC)}
		}
	}
	for line := range strings.Lines(modified) {
		name, at, _ := strings.Cut(strings.TrimSpace(line), "=")
		when, err := time.Parse(time.RFC3339, at)
		if err != nil || tree[name] == nil {
			t.Fatalf("%s: %v", line, err)
		}
		tree[name].ModTime = when
	}
	o := r.To
	if o.None {
		o = r.From
	}
	if r.Kind = source.ByName("file"); len(o.Kinds) > 0 {
		r.Kind = o.Kinds[0]
	}
	counted := &tablelog.Counted{Files: tablelog.FromFS(tree, root)}
	p := &TableLocation{Location: root, Open: func(context.Context) (tablelog.Files, error) { return counted, nil }}
	got, err := p.Probe(t.Context(), []SourceProgress{r})
	if err != nil || len(got) != 1 {
		t.Fatalf("%d sources, %v", len(got), err)
	}
	said := tellSource(&got[0]) + fmt.Sprintf("requests %d\n", counted.Requests())
	if *update {
		want = said
		return
	}
	if diff := gocmp.Diff(want, said); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
}

// entries are lines of a file source's log.
func entries(text string) func(context.Context) iter.Seq2[log.SourceEntry, error] {
	return func(context.Context) iter.Seq2[log.SourceEntry, error] {
		return log.ReadSourceLog("sources/0/7", strings.NewReader("v1\n"+text))
	}
}

func tellSource(s *Source) string {
	var b strings.Builder
	if s.Err != nil {
		fmt.Fprintf(&b, "error: %v\n", s.Err)
	}
	if s.TableID != "" {
		fmt.Fprintf(&b, "table %s\n", s.TableID)
	}
	for _, p := range s.Parts {
		for _, x := range []struct {
			name string
			at   *source.Position
		}{{"earliest", p.Earliest}, {"latest", p.Latest}} {
			if x.at != nil {
				fmt.Fprintf(&b, "%s %s\n", x.name, x.at.Text)
			}
		}
		if p.Written > 0 && p.Retention > 0 {
			fmt.Fprintf(&b, "kept until %s\n", utc(p.Written+p.Retention.Milliseconds()))
		}
	}
	if s.Snapshots != nil {
		fmt.Fprintf(&b, "snapshots %d\n", s.Snapshots)
	}
	if s.Aside != nil {
		fmt.Fprintf(&b, "aside %d\n", s.Aside)
	}
	for _, l := range s.Missing {
		word := "gone"
		if l.Changed {
			word = "changed"
		}
		fmt.Fprintf(&b, "%s %s: %s: %s\n", l.Of, word, l.What, l.Why)
	}
	for _, text := range s.Facts {
		fmt.Fprintf(&b, "fact: %s\n", text)
	}
	for _, text := range s.Unseen {
		fmt.Fprintf(&b, "unseen: %s\n", text)
	}
	fmt.Fprintf(&b, "seen %v\n", s.Seen)
	return b.String()
}

// A kind that is not known here is named as not looked into, and an index that no source has is an error.
func TestPlacesThatCannotBeAsked(t *testing.T) {
	t.Parallel()
	p := &TableLocation{Index: 0, Location: "in", Open: func(context.Context) (tablelog.Files, error) { return nil, fs.ErrPermission }}
	got, err := p.Probe(t.Context(), []SourceProgress{recordedAs(0, `{"orders":{"0":1}}`)})
	if err != nil || len(got) != 1 || len(got[0].Unseen) != 1 || !strings.Contains(got[0].Unseen[0], "kafka") {
		t.Errorf("%+v, %v", got, err)
	}
	got, err = p.Probe(t.Context(), []SourceProgress{recordedAs(0, `{"sourceVersion":1,"reservoirId":"5b0c","reservoirVersion":812,"index":-1,"isStartingVersion":false}`)})
	if err != nil || len(got) != 1 || got[0].Err != fs.ErrPermission {
		t.Errorf("%+v, %v", got, err)
	}
	p.Index = 3
	if _, err := p.Probe(t.Context(), []SourceProgress{recordedAs(0, "37")}); err == nil || err.Error() != "source 3 does not exist: the newest offset file has one source, 0" {
		t.Errorf("%v", err)
	}
}
