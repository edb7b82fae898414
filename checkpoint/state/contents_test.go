package state

import (
	"bytes"
	"errors"
	"io"
	"iter"
	"strings"
	"testing"

	"tidemark/checkpoint/decode"
)

// read yields the changes of a compressed file, whatever kind it is.
func read(name string, r io.Reader) iter.Seq2[Change, error] {
	return func(yield func(Change, error) bool) {
		inner, codec, err := Inflate(name, r)
		if err != nil {
			yield(Change{}, err)
			return
		}
		if !strings.HasSuffix(name, ".changelog") {
			Changes(codec.In(name), inner)(yield)
			return
		}
		c, err := OpenChangelog(codec.In(name), inner)
		if err != nil && !yield(Change{}, err) || c == nil {
			return
		}
		c.Changes()(yield)
	}
}

// last is the last error of a file, and how many changes it had.
func last(name string, data []byte) (changes int, err error) {
	for _, e := range read(name, bytes.NewReader(data)) {
		if e != nil {
			err = e
			continue
		}
		changes++
	}
	return changes, err
}

// Every file that Spark wrote parses to its exact end; those that were damaged on purpose say where.
func TestGoldenFiles(t *testing.T) {
	damaged := map[string]string{}
	files, changes, codecs := 0, 0, map[Codec]int{}
	for _, archive := range archives(t) {
		for f := range stateFiles(t, archive) {
			n, err := last(f.name, f.data)
			files, changes = files+1, changes+n
			if _, codec, e := Inflate(f.name, bytes.NewReader(f.data)); e == nil {
				codecs[codec]++
			}
			if err != nil {
				flaw := decode.Flaw("")
				if e, ok := errors.AsType[*decode.Error](err); ok {
					flaw = e.Flaw
				}
				damaged[archive+" "+f.name] = string(flaw) + ": " + err.Error()
			}
		}
	}
	t.Log(files, changes, codecs)
	for k, v := range damaged {
		t.Log(k, v)
	}
}
