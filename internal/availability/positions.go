package availability

import (
	"bytes"
	"cmp"
	"context"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"tidemark/checkpoint/decode"
	"tidemark/checkpoint/source"
	"tidemark/internal/phrase"
	"tidemark/internal/spec"
)

// SizeLimit is how many bytes a file of positions may have: fifty thousand partitions take three megabytes.
const SizeLimit = 16 << 20

// Positions are a file that tells what sources still keep, for those who cannot reach them from where they stand:
//
//	{"positions": 1, "sources": [
//	  {"index": 0, "earliest": {"orders": {"0": 7883100, "1": 7913640}}, "latest": {"orders": {"0": 7990000, "1": 7990100}}},
//	  {"index": 1, "table_id": "5b0c…", "earliest": 812, "latest": 890},
//	  {"index": 2, "snapshots": [8236465713390021201]}
//	]}
//
// earliest is the first position that can still be read and latest the next one to be written, in the form in
// which the source itself writes positions, or shorter: a version for Delta, a snapshot for Paimon, a commit time
// for Hudi, a sequence number for each shard of Kinesis. created_ms is when the source was made, or each of its
// topics. Numbers stay exact.
type Positions struct {
	name    string
	data    []byte
	entries []entry

	declared int // sources of the query, see Allowing
}

// entry is one source of the file.
type entry struct {
	at               decode.JSON // the object
	index            int64
	indexAt          decode.JSON
	earliest, latest *decode.JSON // nil where absent
	tableID          string
	snapshots        []int64
	created          []Created
	gone             []string // parts and topics that do not exist
	goneAt           decode.JSON
}

// Parse reads a file of positions; name stands in its errors. The error is spec.Problems where the file is not
// what the form says: a key that is not known and a value of the wrong type are never passed over.
func Parse(name string, data []byte) (*Positions, error) {
	data = bytes.TrimPrefix(data, []byte("\ufeff"))
	p := &parser{Positions: &Positions{name: name, data: data}}
	switch root, err := decode.ParseJSON(data); {
	case len(data) > SizeLimit:
		p.problemAt(0, "", "the file has more than %d bytes", SizeLimit)
	case err != nil:
		e := err.(*decode.Error) // ParseJSON has no other
		p.problemAt(int(e.Offset), "", "not JSON: %v", e.Err)
	default:
		p.file(root)
	}
	if len(p.problems) > 0 {
		return nil, p.sorted()
	}
	return p.Positions, nil
}

// parser collects what is wrong.
type parser struct {
	*Positions
	problems spec.Problems
}

const problemLimit = 20 // that are told

func (p *parser) sorted() spec.Problems {
	slices.SortStableFunc(p.problems, func(a, b spec.Problem) int {
		return cmp.Or(cmp.Compare(a.At.Line, b.At.Line), cmp.Compare(a.At.Column, b.At.Column))
	})
	return p.problems[:min(len(p.problems), problemLimit)]
}

// place returns where a byte of the file stands.
func (p *Positions) place(at int) spec.Pos {
	at = min(at, len(p.data))
	line := bytes.LastIndexByte(p.data[:at], '\n') + 1
	return spec.Pos{Line: bytes.Count(p.data[:at], []byte("\n")) + 1, Column: utf8.RuneCount(p.data[line:at]) + 1}
}

func (p *parser) problemAt(at int, field, format string, args ...any) {
	p.problems = append(p.problems, spec.Problem{Name: p.name, At: p.place(at), Field: field, Text: fmt.Sprintf(format, args...)})
}

func (p *parser) problem(v decode.JSON, field, format string, args ...any) {
	p.problemAt(v.At, field, format, args...)
}

// object calls read for each key and its value; keys that are not known and those that stand twice are problems.
func (p *parser) object(v decode.JSON, field, what string, keys map[string]func(decode.JSON, string)) {
	if v.Kind != decode.Object {
		p.problem(v, field, "expected %s, not %s", what, found(v))
		return
	}
	seen := map[string]bool{}
	for _, f := range v.Fields {
		path := strings.TrimPrefix(field+"."+f.Name, ".")
		read, known := keys[f.Name]
		switch {
		case !known:
			names := slices.Sorted(func(yield func(string) bool) {
				for name := range keys {
					if !yield(name) {
						return
					}
				}
			})
			hint := "it has " + strings.Join(names, ", ")
			if near := phrase.Nearest(f.Name, names); near != "" {
				hint = "did you mean " + near + "?"
			}
			p.problem(f.Value, field, "%.60q is not a key of %s; %s", f.Name, what, hint)
		case seen[f.Name]:
			p.problem(f.Value, path, "the key occurs twice")
		default:
			read(f.Value, path)
		}
		seen[f.Name] = true
	}
}

func (p *parser) file(root decode.JSON) {
	version := false
	p.object(root, "", "a file of positions", map[string]func(decode.JSON, string){
		"positions": func(v decode.JSON, field string) {
			version = true
			if n, ok := v.Int(); !ok || n != 1 {
				p.problem(v, field, "expected the form version, which is 1, not %s", found(v))
			}
		},
		"sources": func(v decode.JSON, field string) {
			if v.Kind != decode.Array {
				p.problem(v, field, "expected a list of sources, not %s", found(v))
			}
			for i, item := range v.Items {
				p.source(item, fmt.Sprintf("%s[%d]", field, i))
			}
		},
	})
	if !version && root.Kind == decode.Object {
		p.problem(root, "positions", `the form version is missing: "positions": 1`)
	}
	slices.SortStableFunc(p.entries, func(a, b entry) int { return cmp.Compare(a.index, b.index) })
	for i := 1; i < len(p.entries); i++ {
		if e := p.entries[i]; e.index == p.entries[i-1].index {
			p.problem(e.indexAt, "index", "source %d occurs twice", e.index)
		}
	}
}

func (p *parser) source(v decode.JSON, field string) {
	e, named := entry{at: v}, false
	position := func(into **decode.JSON) func(decode.JSON, string) {
		return func(v decode.JSON, field string) {
			*into = &v
			p.position(v, field)
		}
	}
	p.object(v, field, "a source", map[string]func(decode.JSON, string){
		"index": func(v decode.JSON, field string) {
			n, ok := v.Int()
			if !ok || n < 0 {
				p.problem(v, field, "expected the number of the source in the offset log, from 0, not %s", found(v))
			}
			e.index, e.indexAt, named = n, v, true
		},
		"earliest": position(&e.earliest),
		"latest":   position(&e.latest),
		"table_id": func(v decode.JSON, field string) {
			if v.Kind != decode.String || v.Text == "" {
				p.problem(v, field, "expected a table ID as text, not %s", found(v))
			}
			e.tableID = v.Text
		},
		"snapshots": func(v decode.JSON, field string) {
			if v.Kind != decode.Array {
				p.problem(v, field, "expected a list of snapshot IDs, not %s", found(v))
			}
			e.snapshots = []int64{}
			for i, item := range v.Items {
				n, ok := item.Int()
				if !ok {
					p.problem(item, fmt.Sprintf("%s[%d]", field, i), "expected a snapshot ID as a whole number, not %s", found(item))
				}
				e.snapshots = append(e.snapshots, n)
			}
		},
		"created_ms": func(v decode.JSON, field string) { e.created = p.created(v, field) },
		"gone":       func(v decode.JSON, field string) { e.gone, e.goneAt = p.gone(v, field), v },
	})
	if !named && v.Kind == decode.Object {
		p.problem(v, field, "index is missing: the number of the source in the offset log, from 0")
	}
	p.entries = append(p.entries, e)
}

// position holds what stands in earliest or latest to what any source writes; its form is looked at once the kind
// of the source is known.
func (p *parser) position(v decode.JSON, field string) {
	switch v.Kind {
	case decode.Number:
		if n, ok := v.Int(); !ok || n < 0 {
			p.problem(v, field, "expected a position as a whole number from 0, not %s", found(v))
		}
	case decode.String, decode.Array:
	case decode.Object:
		seen := map[string]bool{}
		for _, f := range v.Fields {
			if seen[f.Name] {
				p.problem(f.Value, field+"."+f.Name, "the key occurs twice")
			}
			seen[f.Name] = true
		}
	default:
		p.problem(v, field, "expected a position in the form of its source, not %s", found(v))
	}
}

func (p *parser) created(v decode.JSON, field string) (all []Created) {
	one := func(name string, v decode.JSON, field string) {
		n, ok := v.Int()
		if !ok || n < 0 {
			p.problem(v, field, "expected a time in milliseconds since 1970, not %s", found(v))
		}
		all = append(all, Created{Name: name, Time: n})
	}
	if v.Kind != decode.Object {
		one("", v, field)
		return all
	}
	for _, f := range v.Fields {
		if slices.ContainsFunc(all, func(c Created) bool { return c.Name == f.Name }) {
			p.problem(f.Value, field+"."+f.Name, "the key occurs twice")
		}
		one(f.Name, f.Value, field+"."+f.Name)
	}
	return all
}

// gone reads topics and partitions that were asked for and do not exist: {"orders": true, "clicks": [3]}.
func (p *parser) gone(v decode.JSON, field string) (all []string) {
	if v.Kind != decode.Object {
		p.problem(v, field, `expected topics, each with true or a list of its partitions, not %s`, found(v))
		return nil
	}
	seen := map[string]bool{}
	for _, f := range v.Fields {
		path := field + "." + f.Name
		if seen[f.Name] {
			p.problem(f.Value, path, "the key occurs twice")
		}
		seen[f.Name] = true
		switch {
		case f.Value.Kind == decode.Bool && f.Value.Text == "true":
			all = append(all, f.Name)
		case f.Value.Kind == decode.Array:
			for i, item := range f.Value.Items {
				n, ok := item.Int()
				if !ok || n < 0 {
					p.problem(item, fmt.Sprintf("%s[%d]", path, i), "expected a partition as a whole number from 0, not %s", found(item))
				}
				all = append(all, f.Name+"/"+strconv.FormatInt(n, 10))
			}
		default:
			p.problem(f.Value, path, "expected true for the whole topic, or a list of its partitions, not %s", found(f.Value))
		}
	}
	return all
}

// found returns a value in words.
func found(v decode.JSON) string {
	switch v.Kind {
	case decode.Null:
		return "null"
	case decode.Number:
		return fmt.Sprintf("the number %.40s", v.Text)
	case decode.String:
		return fmt.Sprintf("the text %.40q", v.Text)
	case decode.Array:
		return "a list"
	case decode.Object:
		return "keys and values"
	}
	return v.Text
}

// Unfit is about a file that has no entry.
func (f *Positions) Unfit([]SourceProgress) string {
	if len(f.entries) == 0 {
		return f.name + " has no entry of a source"
	}
	return ""
}

// Probe returns what the file tells of these sources. The error is spec.Problems where it names a source that the
// checkpoint does not have, or a position in a form that the source does not write.
func (f *Positions) Probe(_ context.Context, recorded []SourceProgress) ([]Source, error) {
	p := &parser{Positions: f}
	var all []Source
	for _, e := range f.entries {
		if e.index >= int64(len(recorded)) && e.index < int64(f.declared) {
			continue
		}
		if e.index >= int64(len(recorded)) {
			p.problem(e.indexAt, "index", "%s", (&NoSource{e.index, len(recorded)}).Error())
			continue
		}
		r := &recorded[e.index]
		s := Source{Index: r.Index, From: f.name, At: f.place(e.at.At), TableID: e.tableID, Snapshots: e.snapshots, Created: e.created}
		p.tell(&s, e.earliest, "earliest", r.Kind, func(part *Part) **source.Position { return &part.Earliest })
		p.tell(&s, e.latest, "latest", r.Kind, func(part *Part) **source.Position { return &part.Latest })
		p.tellGone(&s, &e, r.Kind)
		// {} says that no topic matches; without latest nothing is said.
		s.Whole = s.Whole || r.Kind != nil && r.Kind.Topics && e.latest != nil && e.latest.Kind == decode.Object && len(e.latest.Fields) == 0
		for _, part := range s.Parts {
			if part.Earliest != nil && part.Latest != nil {
				if c, ok := part.Latest.Compare(*part.Earliest); ok && c < 0 {
					p.problem(*e.latest, fmt.Sprintf("sources[%d].latest", e.index), "%s is before earliest, which is %s", named(part.Name, part.Latest), part.Earliest.Text)
				}
			}
		}
		all = append(all, s)
	}
	if len(p.problems) > 0 {
		return nil, p.sorted()
	}
	return all, nil
}

// tellGone takes what does not exist: nothing of it may have positions.
func (p *parser) tellGone(s *Source, e *entry, kind *source.Kind) {
	if len(e.gone) == 0 {
		return
	}
	if kind == nil || !kind.Topics {
		s.Unseen = append(s.Unseen, "gone is not compared: only a source of topics has it")
		return
	}
	s.Gone = slices.Compact(slices.Sorted(slices.Values(e.gone)))
	for i := range s.Parts {
		if s.IsGone(s.Parts[i].Name) {
			p.problem(e.goneAt, fmt.Sprintf("sources[%d].gone", e.index), "%s has positions too: a part that does not exist has none", s.Parts[i].Name)
		}
	}
}

func named(part string, p *source.Position) string {
	if part == "" {
		return p.Text
	}
	return part + ": " + p.Text
}

// tell takes the positions of one field into the parts of a source.
func (p *parser) tell(s *Source, v *decode.JSON, field string, kind *source.Kind, at func(*Part) **source.Position) {
	if v == nil {
		return
	}
	if kind == nil {
		s.Unseen = append(s.Unseen, field+" is not compared: the source kind is unknown")
		return
	}
	if Of(kind).example == "" {
		s.Unseen = append(s.Unseen, fmt.Sprintf("%s is not compared: positions do not show what a %s source still has", field, kind.Name))
		return
	}
	parts, err := Of(kind).positionsOf(*v)
	if err != nil {
		place := v.At
		if e, ok := err.(*decode.Error); ok {
			place, err = int(e.Offset), e.Err
		}
		p.problemAt(place, fmt.Sprintf("sources[%d].%s", s.Index, field), "%v", err)
		return
	}
	byName := map[string]int{}
	for i := range s.Parts {
		byName[s.Parts[i].Name] = i
	}
	for _, x := range parts {
		i, ok := byName[x.Name]
		if !ok {
			i = len(s.Parts)
			s.Parts = append(s.Parts, Part{Name: x.Name})
			byName[x.Name] = i
		}
		position := x.Position
		*at(&s.Parts[i]) = &position
	}
}

// NoSource is the error of an index that no source of the checkpoint has.
type NoSource struct {
	Index   int64
	Sources int // how many there are
}

func (e *NoSource) Error() string {
	switch e.Sources {
	case 0:
		return fmt.Sprintf("source %d does not exist: the newest offset file has no sources", e.Index)
	case 1:
		return fmt.Sprintf("source %d does not exist: the newest offset file has one source, 0", e.Index)
	}
	return fmt.Sprintf("source %d does not exist: the newest offset file has %d sources, 0 to %d", e.Index, e.Sources, e.Sources-1)
}
