package log

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"testing"
	"testing/iotest"

	"tidemark/checkpoint/decode"
)

const entry6 = `{"path":"s3a://lake/in/part-0006.json","timestamp":1767225960000,"batchId":6}`

func TestParseSourceLog(t *testing.T) {
	t.Parallel()
	l := ParseSourceLog("sources/0/6", []byte("v1\n"+entry6+"\n"+`{"batchId":7,"path":"s3a://lake/a%20b\u002fc","timestamp":1}`))
	if l.Version != 1 || len(l.Problems) > 0 || len(l.Entries) != 2 {
		t.Fatalf("%+v", l)
	}
	want := SourceEntry{"s3a://lake/in/part-0006.json", 1767225960000, 6, decode.Where{File: "sources/0/6", Line: 2, Offset: 3}}
	if l.Entries[0] != want {
		t.Errorf("%+v, want %+v", l.Entries[0], want)
	}
	if e := l.Entries[1]; e.Path != "s3a://lake/a%20b/c" || e.BatchID != 7 || e.Where.Offset != int64(len("v1\n"+entry6)+1) {
		t.Errorf("%+v", e)
	}
}

func TestSourceLogSaysWhatIsWrong(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name, text string
		entries    int
		want       string
	}{
		{"nothing found", "v1", 0, ""},
		{"a line feed at the end", "v1\n" + entry6 + "\n", 1, ""},
		{"empty", "", 0, "empty sources/0/6"},
		{"no version", "garbage", 0, "no version sources/0/6:1"},
		{"v99", "v99\n" + entry6, 1, "version unknown sources/0/6:1"},
		{"blank after the version", "v1 \n" + entry6, 1, "no version sources/0/6:1"},
		{"byte order mark", "\xEF\xBB\xBFv1\n" + entry6, 1, "byte order mark sources/0/6:1"},
		{"cut", "v1\n" + entry6[:60], 0, "cut sources/0/6:2@63"},
		{"a broken line costs itself", "v1\nx\n" + entry6, 1, "malformed sources/0/6:2@3"},
		{"an empty line", "v1\n\n" + entry6, 1, "extra line sources/0/6:2@3"},
		{"Windows", "v1\r\n" + entry6 + "\r\n", 1, "line ends sources/0/6:1@2"},
		{"behind an entry", "v1\n" + entry6 + "x\n" + entry6, 2, "trailing sources/0/6:2@80"},
		{"a number with a fraction", `v1` + "\n" + `{"path":"p","timestamp":1.5,"batchId":6}`, 1, ""},
		{"no UTF-8", "v1\n" + entry6[:10] + "\xff" + entry6[10:], 1, "encoding sources/0/6:2@13"},
		{"a list", "v1\n[]", 0, "value sources/0/6:2@3"},
		{"no path", `v1` + "\n" + `{"timestamp":1,"batchId":6}`, 0, "value sources/0/6:2@3"},
		{"no number", `v1` + "\n" + `{"path":"p","timestamp":"1","batchId":6}`, 0, "value sources/0/6:2@3"},
	} {
		t.Run(c.name, func(t *testing.T) {
			l := ParseSourceLog("sources/0/6", []byte(c.text))
			var got []string
			for _, p := range l.Problems {
				got = append(got, string(p.Flaw)+" "+p.Where.String())
			}
			if strings.Join(got, "; ") != c.want || len(l.Entries) != c.entries {
				t.Errorf("%d entries, problems %q, want %d, %q", len(l.Entries), got, c.entries, c.want)
			}
		})
	}
}

func TestSourceLogCutAnywhere(t *testing.T) {
	t.Parallel()
	whole := "v1\n" + entry6 + "\n" + strings.ReplaceAll(entry6, "6", "7")
	for n := range len(whole) {
		l := ParseSourceLog("sources/0/6", []byte(whole[:n]))
		// A cut that leaves whole lines cannot be told from a shorter file; all others are told.
		if rest := strings.TrimSuffix(whole[:n], "\n"); rest == "v1" || rest == "v1\n"+entry6 {
			continue
		}
		if len(l.Problems) == 0 {
			t.Errorf("cut at %d: no problem", n)
		}
	}
}

func TestReadSourceLogStreams(t *testing.T) {
	t.Parallel()
	entries, problems := 0, 0
	long := `{"path":"` + strings.Repeat("x", 200<<10) + `","timestamp":1,"batchId":1}`
	endless := strings.Repeat("y", entryLimit+1)
	text := "v1\n" + long + "\n" + endless + "\n" + entry6
	for e, err := range ReadSourceLog("sources/0/9.compact", iotest.HalfReader(strings.NewReader(text))) {
		if err != nil {
			problem, ok := errors.AsType[*decode.Error](err)
			if !ok || problem.Flaw != decode.TooLarge || problem.Where.Line != 3 {
				t.Errorf("%v", err)
			}
			problems++
			continue
		}
		entries++
		if at := int(e.Where.Offset); text[at] != '{' {
			t.Errorf("entry at %d, where %q stands", at, text[at:at+1])
		}
	}
	if entries != 2 || problems != 1 {
		t.Errorf("%d entries and %d problems, want 2 and 1", entries, problems)
	}
}

func TestReadSourceLogEndsWhenTheBytesDo(t *testing.T) {
	t.Parallel()
	broken := errors.New("connection reset")
	var last error
	for _, err := range ReadSourceLog("sources/0/9.compact", io.MultiReader(strings.NewReader("v1\n"+entry6+"\n{"), iotest.ErrReader(broken))) {
		last = err
	}
	if !errors.Is(last, broken) {
		t.Errorf("%v", last)
	}
}

func FuzzSourceLog(f *testing.F) {
	f.Add([]byte("v1\n" + entry6 + "\n{\"path\":\"a\\u0062\",\"timestamp\":-1,\"batchId\":007}"))
	f.Add([]byte("v1\r\n\r\n"))
	f.Fuzz(func(t *testing.T, data []byte) {
		l := ParseSourceLog("f", data)
		for _, e := range l.Entries {
			if e.Where.Line < 2 || e.Where.Offset < 1 || e.Where.Offset >= int64(len(data)) {
				t.Fatalf("%q: entry at %s", data, e.Where)
			}
			text, _, _ := bytes.Cut(data[e.Where.Offset:], []byte("\n"))
			if quick, ok := plainEntry(text); ok {
				v, err := decode.ParseJSON(text)
				path, _ := v.Get("path")
				id, _ := v.Get("batchId")
				if n, _ := id.Int(); err != nil || path.Text != quick.Path || n != quick.BatchID {
					t.Fatalf("%q: %+v by the short way", text, quick)
				}
			}
		}
		if len(data) == 0 != slices.ContainsFunc(l.Problems, func(e *decode.Error) bool { return e.Flaw == decode.Empty }) {
			t.Fatalf("%q: %v", data, l.Problems)
		}
	})
}

func TestNeedsOf(t *testing.T) {
	t.Parallel()
	const newest = -1
	for _, c := range []struct {
		files   string
		id      int64
		needs   string
		missing string
	}{
		{"", newest, "", ""},
		{"0 1 2", newest, "0 1 2", ""},
		{"0 1 3", newest, "0 1 3", "2"},
		{"0 1 2.compact 3 4 5.compact 6", newest, "5.compact 6", ""},
		{"0 1 2.compact 3 4 5.compact 6", 4, "2.compact 3 4", ""},
		{"0 1 2.compact 3 4 5.compact 6", 1, "0 1", ""},
		{"2.compact 3 4 6", newest, "6", "5.compact"},
		{"10 11 12", newest, "10 11 12", "9.compact"},
		{"9.compact 10 11 12", newest, "9.compact 10 11 12", ""},
		{"9.compact 12", newest, "9.compact 12", "10, 11"},
		{"9.compact 19.compact 20 21 40", newest, "40", "39.compact"},
		{"9.compact 19.compact 20 30", newest, "30", "29.compact"},
		{"08 8 9.compact", newest, "9.compact", ""},
		{"9.compact 1000", newest, "1000", "999.compact"},
		{"0.compact 9223372036854775807", newest, "", "9223372036854775806.compact"},
		{"9223372036854775807", newest, "", "9223372036854775799.compact, 9223372036854775800, 9223372036854775801, 9223372036854775802, 9223372036854775803 and 3 more"},
	} {
		l := NewCompactible(strings.Fields(c.files))
		id := c.id
		if id == newest {
			id = l.Latest()
		}
		n := l.NeedsOf(id, DefaultInterval)
		if got := strings.Join(n.Present, " "); got != c.needs || n.MissingText() != c.missing {
			t.Errorf("%q at %d: needs %q, misses %q; want %q, %q", c.files, id, got, n.MissingText(), c.needs, c.missing)
		}
	}
}

func TestCompactInterval(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		compact             []int64
		byDefault, interval int64
	}{
		{nil, 10, 10},
		{nil, 0, 1},
		{[]int64{2, 5}, 10, 3},
		{[]int64{2, 5, 9}, 10, 4},
		{[]int64{2}, 10, 3},                   // fewer ids than the setting
		{[]int64{9}, 10, 10},                  // as many
		{[]int64{11}, 5, 6},                   // the example in Spark: 12 ids, 6 is the first divisor from 5 on
		{[]int64{11}, 10, 12},                 // the setting is more than half
		{[]int64{99}, 10, 10},                 //
		{[]int64{22}, 10, 23},                 // a prime
		{[]int64{2147483646}, 10, 2147483647}, // a large one takes no time
	} {
		if got := (Compactible{Compact: c.compact}).CompactInterval(c.byDefault); got != c.interval {
			t.Errorf("%v, %d: %d, want %d", c.compact, c.byDefault, got, c.interval)
		}
	}
}

func FuzzNeedsOf(f *testing.F) {
	f.Add("0 1 2.compact 3 5", int64(5))
	f.Add("0.compact 0 0.compact 1", int64(-48))
	f.Fuzz(func(t *testing.T, names string, id int64) {
		l := NewCompactible(strings.Fields(names))
		for _, at := range []int64{id, l.Latest()} {
			n := l.NeedsOf(at, DefaultInterval)
			if len(n.Missing) > missingNamed || n.More < 0 || len(n.Present) > len(l.Plain)+len(l.Compact) {
				t.Fatalf("%q at %d: %+v", names, at, n)
			}
			for _, name := range n.Present {
				if !slices.Contains(strings.Fields(names), name) {
					t.Fatalf("%q at %d: %s is not there", names, at, name)
				}
			}
		}
	})
}

func BenchmarkReadSourceLog(b *testing.B) {
	var data bytes.Buffer
	data.WriteString("v1")
	for i := range 100_000 {
		fmt.Fprintf(&data, "\n"+`{"path":"s3a://lake/in/dt=2026-03-02/part-%06d.json","timestamp":1767225960000,"batchId":%d}`, i, i/10)
	}
	b.SetBytes(int64(data.Len()))
	for b.Loop() {
		for _, err := range ReadSourceLog("sources/0/9999.compact", bytes.NewReader(data.Bytes())) {
			if err != nil {
				b.Fatal(err)
			}
		}
	}
}
