package report

import (
	"encoding/json"
	"fmt"
	"io"
	"strings"

	"tidemark/checkpoint"
	"tidemark/checkpoint/source"
	"tidemark/internal/availability"
	"tidemark/internal/phrase"
)

// NoStartError is that positions have no form in which a source takes them as a start.
type NoStartError struct{ Why string }

func (e *NoStartError) Error() string { return e.Why }

// Beginning is where a new query begins to read source i, which stands at o; ok is false where its kind has no option
// for that.
type Beginning func(i int, o source.Offset) (b availability.StartPosition, ok bool, err error)

// StartingOffsets writes what a new query's source option takes: for one source the value itself, for several a
// JSON list with one entry a source: {"source": 0, "option": "startingOffsets", "value": …}. The notes say which
// option that is, and what a person should know beside it. An error is a *NoStartError, or one of w or
// begin; begin is nil where nothing is known of what the sources still keep.
func StartingOffsets(w io.Writer, p *checkpoint.Positions, begin Beginning) (notes []string, err error) {
	if begin == nil {
		begin = func(_ int, o source.Offset) (availability.StartPosition, bool, error) {
			b, ok := availability.StartAt(o, nil, nil, nil)
			return b, ok, nil
		}
	}
	type entry struct {
		Source int    `json:"source"`
		Name   string `json:"name,omitempty"`
		Option string `json:"option"`
		Value  any    `json:"value"`
	}
	var all []entry
	for i, o := range p.Sources {
		if o.None {
			continue
		}
		b, ok, err := begin(i, o)
		if err != nil {
			return notes, err
		}
		kinds := strings.Join(b.Kinds, " or ")
		switch {
		case !ok && len(b.Notes) > 0:
			return notes, &NoStartError{fmt.Sprintf("source %d (%s): %s", i, kinds, strings.Join(b.Notices(), "; "))}
		case !ok:
			return notes, &NoStartError{fmt.Sprintf("source %d (%s) has no option to start there", i, kinds)}
		}
		notes = append(notes, fmt.Sprintf("source %d is %s: use its option %s with a new checkpoint. A query with this checkpoint ignores it", i, kinds, b.Option))
		for _, note := range b.Notices() {
			notes = append(notes, fmt.Sprintf("source %d: %s", i, note))
		}
		all = append(all, entry{i, o.Name, b.Option, Embedded(b.Value)})
	}
	if len(p.Sources) > 1 {
		return notes, WriteJSON(w, all, "")
	}
	if len(all) == 0 {
		return notes, &NoStartError{"the source has no offset yet"}
	}
	if text, ok := all[0].Value.(string); ok {
		_, err := fmt.Fprintln(w, phrase.Printable(text))
		return notes, err
	}
	return notes, WriteJSON(w, all[0].Value, "")
}

// Embedded is a value for JSON: as it is where it is an object or a list, else as text.
func Embedded(value string) any {
	if strings.HasPrefix(value, "{") || strings.HasPrefix(value, "[") {
		if json.Valid([]byte(value)) {
			return json.RawMessage(value)
		}
	}
	return value
}
