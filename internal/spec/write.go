package spec

import (
	"bytes"
	"cmp"
	"fmt"
	"io"
	"maps"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"go.yaml.in/yaml/v3"

	"tidemark/checkpoint/row"
	"tidemark/checkpoint/spark"
)

// Notes are words for a reader of a spec, by the field that they are about: "operators[0].key". Those of a field
// that is absent stand where it would; those of "" stand at the top, a line each.
type Notes map[string]string

// Write writes a spec as a file that Parse reads as the same, with notes as comments. Whatever stands in the spec
// and the notes, what is written is one document of printable text.
func Write(out io.Writer, s *Spec, notes Notes) error {
	w := &writer{notes: notes}
	for line := range strings.Lines(notes[""]) {
		w.line(strings.TrimRight("# "+printable(strings.TrimRight(line, "\n")), " "))
	}
	w.line("spec: 1")
	w.field("", "query", text(s.Query))
	w.field("", "spark", sparkRelease(s.Spark))
	items(w, "sources", s.Sources, func(w *writer, path string, x *Source) {
		w.field(path, "kind", text(x.Kind))
		w.field(path, "name", text(x.Name))
		w.field(path, "topics", list(x.Topics))
		w.field(path, "pattern", text(x.Pattern))
		w.field(path, "assign", assigned(x.Assign))
		w.field(path, "table_id", text(x.TableID))
		w.field(path, "location", text(x.Location))
		w.texts(path, "options", x.Options)
	})
	items(w, "operators", s.Operators, func(w *writer, path string, x *Operator) {
		w.field(path, "name", text(x.Name))
		w.field(path, "key", columns(x.Key))
		w.field(path, "value", columns(x.Value))
		w.field(path, "provider", text(x.Provider))
		w.field(path, "state_format", number(x.StateFormat))
		w.field(path, "join", text(x.Join))
		w.field(path, "left", columns(x.Left))
		w.field(path, "right", columns(x.Right))
		w.field(path, "time_mode", text(x.TimeMode))
		w.variables(path, x.Variables)
	})
	w.texts("", "conf", s.Conf)
	w.sink(s.Sink)
	w.field("", "output_mode", text(s.OutputMode))
	w.field("", "watermark", interval(s.Watermark))
	if s.AsyncProgress != nil {
		w.field("", "async_progress", strconv.FormatBool(*s.AsyncProgress))
	} else {
		w.field("", "async_progress", "")
	}
	w.field("", "trigger", text(s.Trigger))
	w.field("", "owner", text(s.Owner))
	_, err := out.Write(w.b.Bytes())
	return err
}

type writer struct {
	b      bytes.Buffer
	notes  Notes
	indent string
}

// lineLimit is how long a line may get by a comment behind its value.
const lineLimit = 110

func (w *writer) line(text string) {
	w.b.WriteString(w.indent)
	w.b.WriteString(text)
	w.b.WriteByte('\n')
}

// noted writes a line with a note: behind it where there is room, else above it.
func (w *writer) noted(text, note string) {
	note = printable(note)
	switch {
	case note == "":
		w.line(text)
	case len(w.indent)+len(text)+len(note)+4 <= lineLimit:
		w.line(text + "  # " + note)
	default:
		w.line("# " + note)
		w.line(text)
	}
}

// field writes one key; value is YAML, "" for an absent one, of which only the note is written.
func (w *writer) field(path, key, value string) {
	name := key
	if path != "" {
		name = path + "." + key
	}
	note := w.notes[name]
	if value != "" {
		w.noted(key+": "+value, note)
	} else if note != "" {
		w.line("# " + key + ": " + printable(note))
	}
}

// items writes a list of mappings; nothing but its note where it is absent.
func items[T any](w *writer, key string, all []T, write func(*writer, string, *T)) {
	if len(all) == 0 {
		value := ""
		if all != nil {
			value = "[]"
		}
		w.field("", key, value)
		return
	}
	w.noted(key+":", w.notes[key])
	for i := range all {
		path := fmt.Sprintf("%s[%d]", key, i)
		item := &writer{notes: w.notes, indent: "    "}
		if note := w.notes[path]; note != "" {
			item.line("# " + printable(note))
		}
		write(item, path, &all[i])
		w.item(item.b.String())
	}
}

// item writes the lines of one item of a list, its dash before the first that is no comment.
func (w *writer) item(lines string) {
	dashed := false
	for line := range strings.Lines(lines) {
		if rest := strings.TrimPrefix(line, "    "); !dashed && rest[0] != '#' {
			line, dashed = "  - "+rest, true
		} else if !dashed {
			line = "  " + rest
		}
		w.b.WriteString(line)
	}
	if !dashed {
		w.b.WriteString("  - {}\n")
	}
}

// texts writes single values by name, in the order of their names.
func (w *writer) texts(path, key string, all map[string]string) {
	if len(all) == 0 {
		value := ""
		if all != nil {
			value = "{}"
		}
		w.field(path, key, value)
		return
	}
	name := strings.TrimPrefix(path+"."+key, ".")
	w.noted(key+":", w.notes[name])
	outer := w.indent
	w.indent += "  "
	for _, key := range slices.Sorted(maps.Keys(all)) {
		w.noted(text(key)+": "+quoted(all[key]), w.notes[name+"."+key])
	}
	w.indent = outer
}

// variables writes the state variables of an operator, a mapping by name.
func (w *writer) variables(path string, all []Variable) {
	if len(all) == 0 {
		value := ""
		if all != nil {
			value = "{}"
		}
		w.field(path, "variables", value)
		return
	}
	path += ".variables"
	w.noted("variables:", w.notes[path])
	outer := w.indent
	for i := range all {
		v, path := &all[i], path+"."+all[i].Name
		inner := &writer{notes: w.notes, indent: outer + "    "}
		inner.field(path, "kind", text(v.Kind))
		inner.field(path, "key", columns(v.Key))
		inner.field(path, "value", columns(v.Value))
		inner.field(path, "ttl", interval(v.TTL))
		w.indent = outer + "  "
		if !strings.Contains(inner.b.String(), ": ") {
			w.noted(cmp.Or(text(v.Name), `""`)+": {}", w.notes[path])
			continue
		}
		w.noted(cmp.Or(text(v.Name), `""`)+":", w.notes[path])
		w.b.Write(inner.b.Bytes())
	}
	w.indent = outer
}

func (w *writer) sink(s *Sink) {
	if s == nil {
		w.field("", "sink", "")
		return
	}
	inner := &writer{notes: w.notes, indent: "  "}
	inner.field("sink", "kind", text(s.Kind))
	inner.field("sink", "location", text(s.Location))
	inner.field("sink", "schema", columns(s.Schema))
	inner.field("sink", "replay", text(s.Replay))
	if !strings.Contains(inner.b.String(), ": ") {
		w.field("", "sink", "{}")
		return
	}
	w.noted("sink:", w.notes["sink"])
	w.b.Write(inner.b.Bytes())
}

// ---- values as YAML; "" for an absent one

func sparkRelease(v spark.Version) string {
	if v == (spark.Version{}) {
		return ""
	}
	return quoted(v.String())
}

func number(n int) string {
	if n == 0 {
		return ""
	}
	return strconv.Itoa(n)
}

func interval(s *string) string {
	switch {
	case s == nil:
		return ""
	case *s == "":
		return `""`
	}
	return text(*s)
}

func columns(t *row.Type) string {
	if t == nil {
		return ""
	}
	return text(t.Schema())
}

func assigned(all []TopicPartitions) string {
	if all == nil {
		return ""
	}
	written := make([]string, len(all))
	for i, t := range all {
		numbers := make([]string, len(t.Partitions))
		for j, n := range t.Partitions {
			numbers[j] = strconv.FormatInt(n, 10)
		}
		written[i] = quoted(t.Topic) + ": [" + strings.Join(numbers, ", ") + "]"
	}
	return "{" + strings.Join(written, ", ") + "}"
}

func list(all []string) string {
	if all == nil {
		return ""
	}
	written := make([]string, len(all))
	for i, s := range all {
		if written[i] = text(s); strings.ContainsAny(s, ",:") {
			written[i] = quoted(s)
		}
	}
	return "[" + strings.Join(written, ", ") + "]"
}

// plainText is a text that needs no quotes. What YAML takes for a number or a word
// of its own is found by reading it.
var plainText = regexp.MustCompile(`^[A-Za-z0-9_/.][A-Za-z0-9_/.:=@+()-]*( [A-Za-z0-9_/.(][A-Za-z0-9_/.:=@+()-]*)*$`)

// plainSchema is DDL that needs no quotes.
var plainSchema = regexp.MustCompile(`^[A-Za-z_][A-Za-z0-9_]* [A-Za-z0-9_(), <>]*$`)

func text(s string) string {
	if s == "" {
		return ""
	}
	var n yaml.Node
	if plainText.MatchString(s) || plainSchema.MatchString(s) && strings.TrimSpace(s) == s && !strings.HasPrefix(s, "- ") {
		err := yaml.Unmarshal([]byte("- "+s), &n)
		if err == nil && len(n.Content) == 1 && len(n.Content[0].Content) == 1 {
			if v := n.Content[0].Content[0]; v.Kind == yaml.ScalarNode && v.Tag == "!!str" && v.Value == s && v.LineComment == "" {
				return s
			}
		}
	}
	return quoted(s)
}

// quoted is a text in double quotes. What could drive a terminal, or mislead the eye, is escaped.
func quoted(s string) string {
	var b strings.Builder
	b.WriteByte('"')
	for _, r := range s {
		switch {
		case r == '"' || r == '\\':
			b.WriteByte('\\')
			b.WriteRune(r)
		case r == '\n':
			b.WriteString(`\n`)
		case r == '\t':
			b.WriteString(`\t`)
		case shown(r):
			b.WriteRune(r)
		case r <= 0xff:
			fmt.Fprintf(&b, `\x%02X`, r)
		case r <= 0xffff:
			fmt.Fprintf(&b, `\u%04X`, r)
		default:
			fmt.Fprintf(&b, `\U%08X`, r)
		}
	}
	b.WriteByte('"')
	return b.String()
}

// shown reports whether a character is drawn as itself: no control, and none that is invisible or turns others.
func shown(r rune) bool {
	return r == ' ' || unicode.IsGraphic(r) && r != 0xfeff && r != utf8.RuneError && !unicode.In(r, unicode.Z, unicode.Cf, unicode.Co)
}

// printable is a text on one line for a comment.
func printable(s string) string {
	if !strings.ContainsFunc(s, func(r rune) bool { return !shown(r) }) {
		return s
	}
	q := quoted(strings.Join(strings.Fields(s), " "))
	return strings.ReplaceAll(q[1:len(q)-1], `\"`, `"`)
}
