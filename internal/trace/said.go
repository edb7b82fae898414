package trace

import "strings"

// Messages of a condition are one text with values in it:
//
//	Cannot change timeMode from EventTime to ProcessingTime between restarts. …
//
// A layout is such a text, as far as it is needed, with "…" where a value stands. Releases have had several of them
// for one condition.

// valueLimit is how much of one value is kept, in bytes.
const valueLimit = 2000

// message is what the exception that tells says behind the name of its condition, on one line.
func (l *look) message() string {
	text := flat(l.Chain[l.At].Message)
	if name := l.Condition.Name; name != "" {
		if i := strings.LastIndex(text, "["+name+"]"); i >= 0 {
			text = text[i+len(name)+2:]
		}
	}
	return strings.TrimSpace(text)
}

// said are the values that the message has in the places "…" of a layout, in its order: of the first layout that
// fits; nil where none does.
func (l *look) said(layouts ...string) []string {
	text := l.message()
	for _, layout := range layouts {
		if values := between(text, layout); values != nil {
			return values
		}
	}
	return nil
}

// between are the texts between the pieces of a layout; nil where the text does not have these pieces in this order.
func between(text, layout string) []string {
	pieces := strings.Split(layout, "…")
	i := strings.Index(text, pieces[0])
	if i < 0 {
		return nil
	}
	text = text[i+len(pieces[0]):]
	var values []string
	for n, piece := range pieces[1:] {
		end := len(text)
		if piece != "" || n+2 < len(pieces) {
			if end = strings.Index(text, piece); end < 0 {
				return nil
			}
		}
		values = append(values, clipped(strings.Trim(text[:end], " `'\""), valueLimit))
		text = text[end+len(piece):]
	}
	return values
}

// shortly is a value as it is told: a long one is cut.
func shortly(value string) string {
	if len(value) > 120 {
		return clipped(value, 120) + " …"
	}
	return value
}

// record is a value that a file of the checkpoint records.
type record struct{ file, value string }

// held holds what the message calls recorded against what is. what names it: "timeMode". now is a clause on what the
// query had instead, or "". Without a record there is nothing to say.
func held(what, said, now string, recorded []record) (Agreement, string) {
	if len(recorded) == 0 {
		return "", ""
	}
	var others []string
	for _, r := range recorded {
		if strings.EqualFold(r.value, said) {
			return Agrees, r.file + " records " + what + " " + shortly(r.value) + ", as in the message" + now + "."
		}
		if len(others) < 4 {
			others = append(others, r.file+" records "+what+" "+shortly(r.value))
		}
	}
	return Disagrees, "According to the message, the checkpoint records " + what + " " + shortly(said) + ". It does not now: " + strings.Join(others, ", ") + "."
}

// listed are names in one text; of many, the first.
func listed(names []string) string {
	const most = 8
	if len(names) == 0 {
		return "none"
	}
	if len(names) > most {
		return strings.Join(names[:most], ", ") + ", …"
	}
	return strings.Join(names, ", ")
}
