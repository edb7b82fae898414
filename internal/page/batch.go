package page

import (
	"fmt"
	"path"
	"strconv"
	"strings"

	"tidemark/checkpoint"
	"tidemark/checkpoint/decode"
	"tidemark/checkpoint/source"
	"tidemark/internal/checks"
	"tidemark/internal/phrase"
)

// Planned is when a batch was planned, as a cell of 20 cells, or why that is not known. when writes a time.
func Planned(cp *checkpoint.Checkpoint, b *checkpoint.Batch, when func(ms int64) string) Cell {
	switch {
	case b.Plan == nil && unread(b, cp.Offsets.Name) != nil:
		return Cell{"?", "unread: " + unread(b, cp.Offsets.Name).Why(), phrase.Open}
	case b.Plan == nil && cp.Offsets.Err != nil:
		return Cell{"?", "offsets not listed", phrase.Open}
	case b.Plan == nil:
		return Cell{"✗", "no file in offsets", phrase.Warn}
	case b.Plan.Timestamp == 0 && len(b.Plan.Problems) > 0:
		return Cell{"!", "damaged, " + string(b.Plan.Problems[0].Flaw), phrase.Warn}
	case b.Plan.Timestamp == 0:
		return Cell{Text: "?", Role: phrase.Open}
	}
	return Cell{Text: when(b.Plan.Timestamp)}
}

// unread is why the file of a batch in a log could not be read; nil where it was, or where there is none.
func unread(b *checkpoint.Batch, log string) *checkpoint.Unread {
	for i := range b.Unread {
		if b.Unread[i].Name == path.Join(log, strconv.FormatInt(b.ID, 10)) {
			return &b.Unread[i]
		}
	}
	return nil
}

// MissingBatches says that there is no file of the batches from first to last.
func MissingBatches(cp *checkpoint.Checkpoint, first, last int64) string {
	why := "in neither offsets nor commits"
	for _, dir := range []*checkpoint.LogDir{&cp.Offsets, &cp.Commits} {
		if dir.Err != nil {
			why = dir.Name + " could not be listed"
		}
	}
	if first == last {
		return fmt.Sprintf("%d missing: %s", first, why)
	}
	return fmt.Sprintf("%d to %d missing (%s): %s", first, last, phrase.Units(last-first+1, "batches"), why)
}

// Batch is what the logs say of a batch beside its ranges and settings: when it was planned, its watermark, and whether
// it is committed.
func Batch(cp *checkpoint.Checkpoint, b *checkpoint.Batch, c phrase.Clock) Facts {
	var f Facts
	if p := b.Plan; p == nil {
		f.mark("planned", Span{phrase.Bad, "✗"}, noFile(b, cp.Offsets.Name))
	} else {
		f.Rows = append(f.Rows, Fact{Name: "planned", Text: aged(c, p.Timestamp)})
		watermark := "none yet"
		if p.Watermark != 0 {
			watermark = c.Full(p.Watermark)
		}
		f.say("watermark", watermark)
		if p.Control != "" {
			f.say("control", "a control batch: "+phrase.Printable(p.Control))
		}
	}
	if b.Commit == nil {
		f.mark("committed", Span{phrase.Warn, "✗ no"}, ": "+noFile(b, cp.Commits.Name))
		return f
	}
	f.mark("committed", Span{phrase.Good, "✓ yes"}, "")
	if b.Commit.NextWatermark != 0 {
		f.say("next mark", c.Full(b.Commit.NextWatermark)+", the watermark of the next batch")
	}
	return f
}

// aged is the age of a time, and the time behind it where it matters less; a time of 0 is not recorded.
func aged(c phrase.Clock, ms int64) Text {
	switch age := c.Age(ms); {
	case ms == 0:
		return Plain("at an unrecorded time")
	case age == "":
		return Plain(c.Full(ms))
	default:
		return Text{{phrase.Plain, age}, {phrase.Dim, "  " + c.Clocked(ms)}}
	}
}

// mark adds a fact that begins with a mark.
func (f *Facts) mark(name string, mark Span, text string) {
	if text != "" && !strings.HasPrefix(text, ":") {
		text = " " + text
	}
	f.Rows = append(f.Rows, Fact{Name: name, Text: Text{mark, {Text: text}}})
}

// noFile says why there is no file of a batch in a log.
func noFile(b *checkpoint.Batch, log string) string {
	if u := unread(b, log); u != nil {
		return fmt.Sprintf("%s could not be read (%s): %s", u.Name, u.Why(), phrase.Printable(u.Err.Error()))
	}
	return path.Join(log, strconv.FormatInt(b.ID, 10)) + " is missing"
}

// SourceHead names a source of a plan, with the kinds that its offset may be of.
func SourceHead(index int, o *source.Offset) string {
	name := fmt.Sprintf("source %d", index)
	if o.Name != "" {
		name += " " + phrase.Printable(o.Name)
	}
	if o.None {
		return name + ": no offset yet"
	}
	return name + ", " + phrase.Printable(strings.Join(o.KindNames(), " or "))
}

// SourceRanges are what a batch reads of one source.
func SourceRanges(all []source.Range) Ranges {
	var out Ranges
	for _, r := range all {
		from, to := phrase.Ends(r)
		out.Rows = append(out.Rows, Range{Name: phrase.Or(phrase.Printable(r.Part), "position"), From: from, To: to, Amount: phrase.Amount(r)})
	}
	return out
}

// BatchReads is a batch with what the logs say of it, and what it reads of each source: before and after are its
// neighbors, nil where there are none; out is nil where no output was looked at.
func BatchReads(cp *checkpoint.Checkpoint, before, b, after *checkpoint.Batch, out *checks.Output, c phrase.Clock) Section {
	s := Section{Key: "batch", Title: fmt.Sprintf("Batch %d", b.ID)}
	facts := Batch(cp, b, c)
	if out != nil {
		sign := phrase.Held.Of(InOutput(out, b.ID))
		facts.mark("in the sink", Span{sign.Role, sign.Head()}, "")
	}
	s.add(facts)
	for i, ranges := range checkpoint.Reads(before, b, after) {
		s.say(0, SourceHead(i, &b.Plan.Sources[i]))
		reads := SourceRanges(ranges)
		reads.Level = 1
		s.add(reads)
	}
	return s
}

// RangeNote is what is unusual about a range; its zero value for nothing.
func RangeNote(r source.Range) Span {
	switch {
	case r.Counted && r.Count < 0:
		return Span{phrase.Warn, "! goes backwards"}
	case r.To == nil && r.From != nil:
		return Span{phrase.Dim, "end not recorded"}
	case r.From == nil:
		return Span{phrase.Dim, "start not recorded"}
	}
	return Span{}
}

// SettingChange is a setting that two plans pin otherwise, made harmless.
type SettingChange struct{ Name, Was, Is string }

// SettingChanges are the settings that differ between two plans, by name.
func SettingChanges(was, is map[string]string) []SettingChange {
	var all []SettingChange
	for _, name := range Union(was, is) {
		x, had := was[name]
		y, has := is[name]
		if x != y || had != has {
			all = append(all, SettingChange{phrase.Printable(name), setting(x, had), setting(y, has)})
		}
	}
	return all
}

// FileLine is a file that a batch reads of a file source.
type FileLine struct {
	Name, Dir string // of its path
	Modified  string // "" where it is not recorded
	Where     decode.Where
}

// TakenFiles are the files that a batch reads of a file source.
type TakenFiles struct {
	Head  string // "source 0 reads 3 files, by entries 3 to 5 of sources/0"
	Files []FileLine
	More  string // how many are not named; "" for none
	Why   string // why not all is known; "" where it is
}

// Taken are the files that a batch reads of a file source, made harmless.
func Taken(t *checkpoint.Taken, c phrase.Clock) TakenFiles {
	out := TakenFiles{Head: fmt.Sprintf("source %d reads %s, by %s", t.Source, phrase.Units(t.Count, "files"), entriesOf(t))}
	for _, f := range t.Files {
		dir, name := path.Split(f.Path)
		line := FileLine{Name: phrase.Printable(name), Dir: phrase.Printable(dir), Where: f.Where}
		if f.Timestamp > 0 {
			line.Modified = "modified " + c.Full(f.Timestamp)
		}
		out.Files = append(out.Files, line)
	}
	if more := t.Count - int64(len(t.Files)); more > 0 {
		out.More = "and " + phrase.Count(more) + " more"
	}
	if t.Why != "" {
		out.Why = "incomplete: " + phrase.Printable(t.Why)
	}
	return out
}

// entriesOf names the entries of a source's log: "entries 3 to 5 of sources/0".
func entriesOf(t *checkpoint.Taken) string {
	switch {
	case t.Last < t.First:
		return "no entry of " + t.Log
	case t.First == t.Last:
		return fmt.Sprintf("entry %d of %s", t.Last, t.Log)
	}
	return fmt.Sprintf("entries %d to %d of %s", t.First, t.Last, t.Log)
}

// FileNames are the last parts of the names of some files: "a.json, b.json and 3 more"; "" for none.
func FileNames(all []checkpoint.Taken) string {
	const named = 3
	var names []string
	var count int64
	unknown := false
	for i := range all {
		count += all[i].Count
		unknown = unknown || all[i].Why != ""
		for _, f := range all[i].Files[:min(len(all[i].Files), named-len(names))] {
			names = append(names, phrase.Printable(path.Base(f.Path)))
		}
	}
	text := strings.Join(names, ", ")
	if more := count - int64(len(names)); more > 0 {
		text += " and " + phrase.Count(more) + " more"
	}
	switch {
	case unknown && text == "":
		text = "(files unknown)"
	case unknown:
		text += " (incomplete)"
	}
	return text
}
