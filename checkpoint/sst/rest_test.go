package sst

import (
	"bytes"
	"errors"
	"fmt"
	"strings"
	"testing"

	"tidemark/checkpoint/decode"
)

// lines are what a merge gives, a line a key; an error is a line, too.
func lines(prefix string, whole bool, tables ...*Table) string {
	var b strings.Builder
	merged := MergePrefix([]byte(prefix), tables...)
	if whole {
		merged = MergeKey([]byte(prefix), tables...)
	}
	for live, err := range merged {
		if err != nil {
			fmt.Fprintln(&b, err)
			continue
		}
		fmt.Fprintf(&b, "%x\t%x\n", live.Key, joined(live))
	}
	return b.String()
}

// TestRest: whichever tables rest, and for whatever they do, a merge gives what it gives of open ones, and may
// be ranged over again.
func TestRest(t *testing.T) {
	t.Parallel()
	for name, database := range made(t) {
		for _, asked := range []struct {
			prefix string
			whole  bool
		}{{"", false}, {"a/", false}, {"m/", false}, {"n/z", false}, {"a/key-00020", true}, {"m/list", true}, {"nothing", true}} {
			want := lines(asked.prefix, asked.whole, opened(t, database)...)
			for resting := 1; resting < 4; resting++ {
				tables := opened(t, database)
				for i, table := range tables {
					if resting>>i&1 == 0 {
						continue
					}
					if err := table.Rest([]byte(asked.prefix), asked.whole); err != nil {
						t.Fatal(err)
					}
					if table.rest == nil || table.Memory() > 0 {
						t.Errorf("%s: %d bytes of a table that rests", name, table.Memory())
					}
				}
				for range 2 {
					if got := lines(asked.prefix, asked.whole, tables...); got != want {
						t.Errorf("%s: %+v, %b: %s", name, asked, resting, firstDifference(got, want))
					}
				}
				other := lines("b/", false, opened(t, database)...)
				if got := lines("b/", false, tables...); got != other {
					t.Errorf("%s: asked for another: %s", name, firstDifference(got, other))
				}
			}
		}
	}
}

// TestRestOfDamaged: what does not read is told once, as it is of tables that do not rest.
func TestRestOfDamaged(t *testing.T) {
	t.Parallel()
	told := 0
	for _, s := range snapshots(t, "../../testdata/golden/state-4.3-rocks-damage-flipped-sst.tar.gz") {
		want := lines("", false, s.tables...)
		for _, table := range s.tables {
			if err := table.Rest(nil, false); err != nil {
				t.Fatal(err)
			}
		}
		if got := lines("", false, s.tables...); got != want {
			t.Errorf("%s: %s", s.name, firstDifference(got, want))
		}
		told += strings.Count(want, "checksum")
	}
	if told == 0 {
		t.Error("nothing is damaged")
	}
}

// TestRestNotReached: where the bytes cannot be reached, that is the error, and the table stays as it was.
func TestRestNotReached(t *testing.T) {
	t.Parallel()
	c := &counting{data: build(20_000, 1)}
	table, err := Open("x.sst", c, int64(len(c.data)))
	if err != nil {
		t.Fatal(err)
	}
	c.fail = c.reads + 1
	if err := table.Rest(nil, false); !errors.Is(err, errLine) || table.rest != nil || table.Memory() == 0 {
		t.Errorf("%v, %+v", err, table.rest)
	}
	if err := table.Rest(nil, false); err != nil || table.rest == nil {
		t.Errorf("%v, %+v", err, table.rest)
	}
	c.fail = c.reads + 1
	if got := lines("", false, table); got != errLine.Error()+"\n" {
		t.Errorf("%.100s", got)
	}
}

// following are n tables of which each begins where the one before ends.
func following(t *testing.T, n int) (tables []*Table) {
	t.Helper()
	whole := build(6000, 1)
	at := bytes.Index(whole, []byte("key-0000000000"))
	for i := range n {
		data := bytes.ReplaceAll(whole, whole[at:at+7], fmt.Appendf(nil, "k%06d", i))
		table, err := Open("x.sst", bytes.NewReader(resummed(data)), int64(len(data)))
		if err != nil {
			t.Fatal(err)
		}
		tables = append(tables, table)
	}
	return tables
}

// resummed writes the checksums of a table of build anew.
func resummed(data []byte) []byte {
	was := bytes.Clone(data)
	table, err := Open("x.sst", bytes.NewReader(build(6000, 1)), int64(len(data)))
	if err != nil {
		panic(err)
	}
	fix := func(h handle) {
		copy(was[h.offset+h.size+1:], le32(sum(table.checksum, was[h.offset:h.offset+h.size], was[h.offset+h.size])))
	}
	for b := (&blocks{t: table}); ; {
		h, ok, err := b.next()
		if err != nil {
			panic(err)
		}
		if !ok {
			break
		}
		fix(h)
	}
	fix(table.index)
	return was
}

// TestMergeOfManyNeedsLittle: tables that follow one upon the other need no more memory for being more.
func TestMergeOfManyNeedsLittle(t *testing.T) {
	t.Parallel()
	needed := map[int]int{}
	for _, n := range []int{3, 30} {
		tables := following(t, n)
		for _, table := range tables {
			if err := table.Rest(nil, false); err != nil {
				t.Fatal(err)
			}
		}
		keys := 0
		m := merge{}
		m.yield = func(_ Live, err error) bool {
			if err != nil {
				t.Fatal(err)
			}
			keys++
			needed[n] = max(needed[n], m.held)
			return true
		}
		m.open(tables)
		m.run()
		if keys != n*6000 || m.held != 0 {
			t.Errorf("%d keys, want %d; %d bytes are held in the end", keys, n*6000, m.held)
		}
		for _, h := range m.heads[:cap(m.heads)] {
			if h != nil {
				t.Error("what a table needed is kept when it has been read")
			}
		}
	}
	if needed[30] > needed[3] || needed[3] == 0 {
		t.Errorf("memory grows: %v", needed)
	}
}

// TestMergeOfTooMuch: tables side by side that need more memory than there is for all of them are told, and
// the others are read.
func TestMergeOfTooMuch(t *testing.T) {
	t.Parallel()
	restart := "\x00\x00\x00\x00\x01\x00\x00\x00"
	value := make([]byte, 1<<20)
	data := "\x00\x09" + string(uvarint(uint64(len(value)))) + "k\x01\x01\x00\x00\x00\x00\x00\x00" + string(value) + restart
	file := crafted([]byte(data), compressNone, pointing)
	var tables []*Table
	for range 20 {
		table, err := Open("x.sst", bytes.NewReader(file), int64(len(file)))
		if err != nil {
			t.Fatal(err)
		}
		tables = append(tables, table)
	}
	m := merge{held: mergeMax - 10<<20}
	told, keys := 0, 0
	m.yield = func(_ Live, err error) bool {
		if e, ok := errors.AsType[*decode.Error](err); ok && e.Flaw == decode.TooLarge {
			told++
		} else if err == nil {
			keys++
		}
		return true
	}
	m.open(tables)
	m.run()
	if keys != 1 || told != len(tables)-9 {
		t.Errorf("%d keys, %d of %d tables told", keys, told, len(tables))
	}
}
