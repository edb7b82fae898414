package availability

import (
	"encoding/json"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"tidemark/checkpoint/decode"
	"tidemark/checkpoint/source"
)

// StartPosition is where a new query begins to read one source.
type StartPosition struct {
	Kinds         []string // that write such an offset, likeliest first; the one that the query declares
	Option, Value string   // of the source
	Repeats       string   // what is read again, in words; "" for nothing that is known
	Notes         []string // what is skipped, and what else to know; each one sentence without a full stop
}

// Notices is all that a person should know beside the value: what is read again, then the notes.
func (b *StartPosition) Notices() []string {
	if b.Repeats == "" {
		return b.Notes
	}
	return append([]string{"it reads again " + b.Repeats}, b.Notes...)
}

func (b *StartPosition) note(format string, args ...any) {
	b.Notes = append(b.Notes, fmt.Sprintf(format, args...))
}

// StartAt is where a new query begins so that it goes on at an offset, or at what the source has left of it. kind is
// the one of the source where it is certain, else nil. k is nil where it is not known what is left. ok is false where
// the kind has no option for that, or where Notes say why it cannot be.
func StartAt(o source.Offset, kind *source.Kind, k *Source) (b StartPosition, ok bool) {
	o = o.As(kind)
	b, ok = startAt(o, k)
	b.Kinds = o.KindNames()
	if k != nil && k.Err != nil && ok {
		b.note("what the source still has could not be asked, so the position is the recorded one (%s: %v)", k.From, k.Err)
	}
	return b, ok
}

func startAt(o source.Offset, k *Source) (b StartPosition, ok bool) {
	switch {
	case k != nil && isKind(o, "iceberg"):
		return startIceberg(o, k)
	case k != nil && len(k.Parts) > 0 && isKind(o, "kafka", "event-hubs"):
		return startTopics(o, k)
	}
	option, value, repeats, ok := o.StartingOffsets()
	if !ok {
		return b, false
	}
	b.Option, b.Value = option, value
	b.Repeats = repeats
	if k != nil && isKind(o, "delta", "delta-sharing") && len(k.Parts) > 0 {
		return b, b.versions(o, k)
	}
	return b, true
}

func isKind(o source.Offset, names ...string) bool {
	return len(o.Kinds) > 0 && slices.ContainsFunc(names, o.Kinds[0].Is)
}

// versions clamps the version of a Delta table to those that are there; false where it is another table.
func (b *StartPosition) versions(o source.Offset, k *Source) bool {
	if id := o.Identity(); k.TableID != "" && id != "" && !strings.EqualFold(k.TableID, id) {
		b.note("the table that is there now has the id %s, and the position is one in the table %s", k.TableID, id)
		return false
	}
	at, part := o.Parts[0].Position.Num, k.Parts[0]
	switch {
	case part.Earliest != nil && part.Earliest.Num > at:
		b.Value = part.Earliest.Text
		b.note("version %d is not kept any more: it begins at version %s, the oldest that is left, and skips %d versions", at, b.Value, part.Earliest.Num-at)
	case part.Latest != nil && at >= part.Latest.Num:
		b.note("version %d is not written yet, and Delta refuses it until it is: start then, or with the value latest if nothing is written before the query starts", at)
	}
	return true
}

// startTopics clamps the offsets of topics to those that are there, over all partitions that are.
func startTopics(o source.Offset, k *Source) (StartPosition, bool) {
	at := map[string]string{}
	var b StartPosition
	var skipped, gone, anew, joined []string
	for i := range o.Parts {
		name, from := o.Parts[i].Name, o.Parts[i].Position.Num
		part := k.Part(name)
		switch {
		case part == nil && k.Whole:
			gone = append(gone, fmt.Sprintf("%s (it stood at %d)", name, from))
			continue
		case part == nil:
		case part.Latest != nil && from > part.Latest.Num:
			was := from
			from = 0
			if part.Earliest != nil {
				from = part.Earliest.Num
			}
			anew = append(anew, fmt.Sprintf("%s (it stood at %d and ends at %d)", name, was, part.Latest.Num))
		case part.Earliest != nil && from < part.Earliest.Num:
			skipped = append(skipped, fmt.Sprintf("%s %d to %d", name, from, part.Earliest.Num))
			from = part.Earliest.Num
		}
		at[name] = strconv.FormatInt(from, 10)
	}
	for i := range k.Parts {
		if part := &k.Parts[i]; part.Earliest != nil && !slices.ContainsFunc(o.Parts, func(p source.Part) bool { return p.Name == part.Name }) {
			at[part.Name] = part.Earliest.Text
			joined = append(joined, part.Name)
		}
	}
	for _, said := range []struct {
		parts []string
		words string
	}{
		{skipped, "skipped, for they are not kept any more"},
		{anew, "read from the beginning, for they end before that position"},
		{joined, "read from the beginning, for the checkpoint has no position of them"},
		{gone, "left out, for they do not exist any more"},
	} {
		if len(said.parts) > 0 {
			b.note("%s: %s", said.words, fewRanges(said.parts))
		}
	}
	b.Option, b.Value = o.Kinds[0].StartingOffsets(topicsLine(at))
	return b, len(at) > 0
}

func fewRanges(texts []string) string {
	const shown = 8
	if len(texts) <= shown {
		return strings.Join(texts, ", ")
	}
	return fmt.Sprintf("%s and %d more", strings.Join(texts[:shown], ", "), len(texts)-shown)
}

// startIceberg is the time from which a new query reads on. The option names whole snapshots: where some files of one
// were read, it is read again.
func startIceberg(o source.Offset, k *Source) (StartPosition, bool) {
	b := StartPosition{Option: "stream-from-timestamp"}
	if len(o.Parts) == 0 {
		return b, false
	}
	at := o.Parts[0].Position
	m, ok := k.Moment(at.Num)
	switch {
	case !ok && len(k.Moments) > 0 && k.Snapshots != nil && !slices.Contains(k.Snapshots, at.Num):
		b.Value = strconv.FormatInt(k.Moments[0].Time, 10)
		b.note("snapshot %d is not kept any more, nor when it was made: this is the oldest snapshot that is left, %d; what came before it is skipped, and what was read of it and later ones is read again", at.Num, k.Moments[0].ID)
		return b, true
	case !ok:
		return b, false
	case m.Files >= 0 && at.Sub >= m.Files:
		b.Value = strconv.FormatInt(m.Time+1, 10)
		return b, true
	}
	b.Value = strconv.FormatInt(m.Time, 10)
	if at.Sub > 0 {
		b.Repeats = fmt.Sprintf("%d files of snapshot %d", at.Sub, at.Num)
	}
	return b, true
}

// topicsLine are values by part ("orders/0") as a line of the source: {"orders":{"0":1900}}.
func topicsLine(at map[string]string) decode.JSON {
	topics := map[string]map[string]json.RawMessage{}
	for name, value := range at {
		cut := strings.LastIndexByte(name, '/')
		if cut < 0 {
			continue
		}
		topic, partition := name[:cut], name[cut+1:]
		if topics[topic] == nil {
			topics[topic] = map[string]json.RawMessage{}
		}
		topics[topic][partition] = json.RawMessage(value)
	}
	text, err := json.Marshal(topics)
	if err != nil {
		return decode.JSON{}
	}
	line, _ := decode.ParseJSON(text)
	return line
}
