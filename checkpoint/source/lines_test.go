package source

import (
	"bytes"
	"errors"
	"flag"
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"golang.org/x/tools/txtar"

	"tidemark/checkpoint/decode"
)

var update = flag.Bool("update", false, "write what is read into testdata/lines.txt")

const linesFile = "testdata/lines.txt"

// A section of testdata/lines.txt is one source: its line in one batch or in two that follow each
// other, marked ">", and everything that is read from them.
func sections(t testing.TB) *txtar.Archive {
	t.Helper()
	a, err := txtar.ParseFile(linesFile)
	if err != nil {
		t.Fatal(err)
	}
	return a
}

func offsetsOf(section txtar.File) []Offset {
	var all []Offset
	for l := range strings.Lines(string(section.Data)) {
		if l, ok := strings.CutPrefix(l, "> "); ok {
			all = append(all, Decode([]byte(strings.TrimSuffix(l, "\n")), decode.Where{File: "offsets/7", Line: 3, Offset: 100}))
		}
	}
	return all
}

func TestLines(t *testing.T) {
	t.Parallel()
	a := sections(t)
	for i, s := range a.Files {
		t.Run(s.Name, func(t *testing.T) {
			var got bytes.Buffer
			offsets := offsetsOf(s)
			for _, o := range offsets {
				fmt.Fprintf(&got, "> %s\n", o.Raw)
			}
			describe(&got, offsets)
			if *update {
				a.Files[i].Data = got.Bytes()
			} else if diff := cmp.Diff(string(s.Data), got.String()); diff != "" {
				t.Errorf("(-want +got)\n%s", diff)
			}
		})
	}
	if *update {
		if err := os.WriteFile(linesFile, txtar.Format(a), 0o666); err != nil {
			t.Fatal(err)
		}
	}
}

func describe(w *bytes.Buffer, offsets []Offset) {
	from, to := Offset{None: true}, offsets[len(offsets)-1]
	if len(offsets) > 1 {
		from = offsets[0]
	}
	fmt.Fprintf(w, "kinds %s\n", strings.Join(to.KindNames(), ", "))
	if to.None {
		fmt.Fprintf(w, "no offset yet\n")
	}
	for _, r := range Ranges(from, to) {
		fmt.Fprintf(w, "%q", r.Part)
		if r.From != nil {
			fmt.Fprintf(w, " from %s", r.From.Text)
		}
		if r.To != nil {
			fmt.Fprintf(w, " to %s", r.To.Text)
		}
		if r.From != nil && r.To != nil {
			if c, ok := r.To.Compare(*r.From); !ok {
				fmt.Fprintf(w, ", no order")
			} else if c < 0 {
				fmt.Fprintf(w, ", backwards")
			}
		}
		if r.Counted {
			fmt.Fprintf(w, ", %s %d %s", r.CountIs, r.Count, r.Unit)
		}
		fmt.Fprintln(w)
	}
	if id := to.Identity(); id != "" {
		fmt.Fprintf(w, "identity %s\n", id)
	}
	if words, ok := to.Snapshot(); ok {
		fmt.Fprintf(w, "snapshot: %s\n", words)
	}
	if to.LogsStart() {
		fmt.Fprintf(w, "is where its batch starts\n")
	}
	if option, value, repeats, ok := to.StartingOffsets(); ok {
		fmt.Fprintf(w, "%s=%s\n", option, value)
		if repeats != "" {
			fmt.Fprintf(w, "reads again %s\n", repeats)
		}
	}
	if e, ok := errors.AsType[*decode.Error](to.Problem); ok {
		fmt.Fprintf(w, "%s (%s)\n", e, e.Flaw)
	}
}

// Every kind must have a line of its own, where it is the likeliest, or share one.
func TestEveryKindHasALine(t *testing.T) {
	t.Parallel()
	seen := map[*Kind]bool{}
	for _, s := range sections(t).Files {
		for _, o := range offsetsOf(s) {
			if o.Problem == nil {
				for _, k := range o.Kinds {
					seen[k] = true
				}
			}
		}
	}
	for _, k := range Kinds {
		if !seen[k] {
			t.Errorf("no line in %s is of kind %s", linesFile, k.Name)
		}
	}
}

func TestNamesOfKinds(t *testing.T) {
	t.Parallel()
	var names []string
	for _, k := range Kinds {
		if slices.Contains(names, k.Name) {
			t.Errorf("two kinds are named %q", k.Name)
		}
		names = append(names, k.Name)
		if ByName(k.Name) != k {
			t.Errorf("ByName(%q) is another kind", k.Name)
		}
	}
	for name, want := range map[string]*Kind{"cloudFiles": AutoLoader, "eventhubs": EventHubs, "kinesis": Kinesis, "rate": Rate, "akka": MQTT, "pigeon": nil} {
		if got := ByName(name); got != want {
			t.Errorf("ByName(%q) = %v", name, got)
		}
	}
	if !AWSKinesis.Is("kinesis") || !AWSKinesis.Is("aws-kinesis") || Kafka.Is("event-hubs") {
		t.Error("a kind goes by the wrong names")
	}
}

// A line cut anywhere is told, unless what is left is a whole value by itself.
func TestCutLines(t *testing.T) {
	t.Parallel()
	for _, s := range sections(t).Files {
		for _, o := range offsetsOf(s) {
			for n := range len(o.Raw) {
				cut := Decode([]byte(o.Raw[:n]), o.Where)
				hold(t, cut)
				if strings.HasPrefix(o.Raw, "{") && cut.Problem == nil {
					t.Errorf("%s: %q decodes", s.Name, cut.Raw)
				}
			}
		}
	}
}

func FuzzDecode(f *testing.F) {
	for _, s := range sections(f).Files {
		for _, o := range offsetsOf(s) {
			f.Add([]byte(o.Raw))
		}
	}
	f.Fuzz(func(t *testing.T, line []byte) {
		hold(t, Decode(line, decode.Where{File: "offsets/7", Line: 3, Offset: 100}))
	})
}

// hold checks what is true of every line, whatever stands in it.
func hold(t *testing.T, o Offset) {
	t.Helper()
	for _, k := range o.Kinds {
		as := o.As(k)
		if as.Problem != nil {
			e, ok := errors.AsType[*decode.Error](as.Problem)
			if !ok || e.Offset < o.Where.Offset || e.Offset > o.Where.Offset+int64(len(o.Raw)) || e.Line != o.Where.Line {
				t.Errorf("%q as %s: problem %v (%+v)", o.Raw, k.Name, as.Problem, e)
			}
		}
		for _, p := range as.Parts {
			if p.Position.Order == BigNumber && p.Position.Big == nil {
				t.Errorf("%q as %s: %q has no number", o.Raw, k.Name, p.Name)
			}
			if v, ok := standing(o.Line, p.At); !ok || v.Kind != decode.Array && v.Kind != decode.Object && v.Kind != decode.Null && !strings.HasPrefix(p.Position.Text, v.Text) {
				t.Errorf("%q as %s: %q is %q, at %d stands %+v", o.Raw, k.Name, p.Name, p.Position.Text, p.At, v)
			}
		}
		for _, r := range Ranges(as, as) {
			if r.From == nil || r.To == nil {
				if as.Problem == nil {
					t.Errorf("%q as %s: %q has no range to itself", o.Raw, k.Name, r.Part)
				}
			} else if c, ok := r.From.Compare(*r.To); as.Problem == nil && (c != 0 || !ok) {
				t.Errorf("%q as %s: %q does not equal itself", o.Raw, k.Name, r.Part)
			}
		}
		as.Identity()
		as.Snapshot()
		as.StartingOffsets()
		if k.StartingOffsets != nil {
			k.StartingOffsets(o.Line)
		}
	}
}

// standing is the value that begins at a place.
func standing(v decode.JSON, at int) (decode.JSON, bool) {
	if v.At == at {
		return v, true
	}
	for _, f := range v.Fields {
		if v, ok := standing(f.Value, at); ok {
			return v, true
		}
	}
	for _, item := range v.Items {
		if v, ok := standing(item, at); ok {
			return v, true
		}
	}
	return decode.JSON{}, false
}

func TestAnotherKindReadsABareNumber(t *testing.T) {
	t.Parallel()
	from, to := Decode([]byte("37"), decode.Where{}), Decode([]byte("42"), decode.Where{})
	if r := Ranges(from, to)[0]; !to.Ambiguous() || r.Counted {
		t.Errorf("a bare number counts %d %s", r.Count, r.Unit)
	}
	if r := Ranges(from.As(Rate), to.As(Rate))[0]; !r.Counted || r.Count != 5 || r.Unit != "seconds" {
		t.Errorf("as rate: %+v", r)
	}
	if o := to.As(Kafka); len(o.Kinds) != len(to.Kinds) {
		t.Errorf("as kafka: %v", o.KindNames())
	}
}

func BenchmarkDecode(b *testing.B) {
	var line strings.Builder
	line.WriteString(`{"orders":{`)
	for p := range 2000 {
		if p > 0 {
			line.WriteByte(',')
		}
		fmt.Fprintf(&line, `"%d":%d`, p, 1_000_000+p)
	}
	line.WriteString("}}")
	text := []byte(line.String())
	v, err := decode.ParseJSON(text)
	if err != nil {
		b.Fatal(err)
	}
	b.Run("line", func(b *testing.B) {
		b.SetBytes(int64(len(text)))
		b.ReportAllocs()
		for b.Loop() {
			if o := Decode(text, decode.Where{}); len(o.Parts) != 2000 {
				b.Fatal(o.Problem)
			}
		}
	})
	b.Run("parts", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			if parts, err := Kafka.Parts(v); len(parts) != 2000 {
				b.Fatal(err)
			}
		}
	})
}
