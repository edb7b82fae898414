package page

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"

	"tidemark/checkpoint/source"
	"tidemark/internal/phrase"
)

// Sources compares the positions of two plans, source by source and part by part.
func (d *Difference) Sources(left, right []source.Offset) {
	d.Head("positions", "Offsets")
	if len(left) != len(right) {
		d.Line("%s has %s, %s has %d.", d.left, phrase.Units(int64(len(left)), "sources"), d.right, len(right))
	}
	ahead := map[string]int{}
	rows := [][]string{{"source", "partition", ">" + d.left, ">" + d.right, ""}}
	var notes []string
	for i := range max(len(left), len(right)) {
		l, r := offsetAt(left, i), pairOf(left, right, i)
		other := l.Identity() != r.Identity() && l.Identity() != "" && r.Identity() != ""
		if x, y := l.Identity(), r.Identity(); other {
			notes = append(notes, fmt.Sprintf("source %d differs: %s in %s, %s in %s", i, x, d.left, y, d.right))
		}
		for _, name := range partNames(l, r) {
			x, y := partNamed(l, name), partNamed(r, name)
			word := d.compare(l, x, y)
			if other && x != nil && y != nil {
				word = "cannot be compared"
			} else if x != nil && y != nil {
				c, ok := x.Position.Compare(y.Position)
				ahead[aheadWord(c, ok)]++
			}
			rows = append(rows, []string{sourceLabel(i, l, r), phrase.Printable(name), ">" + positionText(x), ">" + positionText(y), word})
		}
		if len(l.Parts) == 0 && len(r.Parts) == 0 && l.Raw != r.Raw {
			rows = append(rows, []string{sourceLabel(i, l, r), "", ">" + phrase.Printable(l.Raw), ">" + phrase.Printable(r.Raw), "differs"})
		}
	}
	if len(rows) > 1 {
		d.Table(rows)
	}
	for _, n := range notes {
		d.Line("%s", n)
	}
	d.sum(ahead)
}

// sum says which side is ahead.
func (d *Difference) sum(ahead map[string]int) {
	l, r := ahead["left"], ahead["right"]
	switch {
	case ahead["unknown"] > 0:
		d.Line("Some offsets have no order: it is unknown which side is ahead.")
	case l > 0 && r > 0:
		d.Line("Neither is ahead: %s in %s, %s in %d.", d.left, phrase.Units(int64(l), "partitions"), d.right, r)
	case l > 0:
		d.Line("%s is ahead in %s and behind in none.", d.left, phrase.Units(int64(l), "partitions"))
	case r > 0:
		d.Line("%s is ahead in %s and behind in none.", d.right, phrase.Units(int64(r), "partitions"))
	case ahead["same"] > 0:
		d.Line("Both are at the same offsets.")
	}
}

func aheadWord(c int, ok bool) string {
	switch {
	case !ok:
		return "unknown"
	case c > 0:
		return "left"
	case c < 0:
		return "right"
	}
	return "same"
}

// compare is how two positions of one part lie to each other, in words.
func (d *Difference) compare(o source.Offset, x, y *source.Part) string {
	switch {
	case x == nil:
		return "only in " + d.right
	case y == nil:
		return "only in " + d.left
	}
	c, ok := x.Position.Compare(y.Position)
	first, low, high := d.left, y, x
	switch {
	case !ok:
		return "differs"
	case c == 0:
		return "same"
	case c < 0:
		first, low, high = d.right, x, y
	}
	at := source.Offset{Kinds: o.Kinds}
	at.Parts = []source.Part{*low}
	to := source.Offset{Kinds: o.Kinds, Parts: []source.Part{*high}}
	var amount phrase.Sum
	amount.Add(source.Ranges(at, to)[0])
	if text := amount.String(); text != "" {
		return fmt.Sprintf("%s is ahead by %s", first, text)
	}
	return first + " is ahead"
}

func offsetAt(all []source.Offset, i int) source.Offset {
	if i < len(all) {
		return all[i]
	}
	return source.Offset{None: true}
}

// pairOf is the source of right that is the i-th of left: by its name where it has one.
func pairOf(left, right []source.Offset, i int) source.Offset {
	if i < len(left) && left[i].Name != "" {
		for _, o := range right {
			if o.Name == left[i].Name {
				return o
			}
		}
		return source.Offset{None: true}
	}
	return offsetAt(right, i)
}

func sourceLabel(i int, l, r source.Offset) string {
	return strings.TrimSpace(fmt.Sprintf("%d %s", i, phrase.Printable(cmp.Or(l.Name, r.Name))))
}

// partNames are the parts of both, those of the left in their order, then those that only the right has.
func partNames(l, r source.Offset) []string {
	var names []string
	for _, o := range []source.Offset{l, r} {
		for _, p := range o.Parts {
			if !slices.Contains(names, p.Name) {
				names = append(names, p.Name)
			}
		}
	}
	return names
}

func partNamed(o source.Offset, name string) *source.Part {
	for i := range o.Parts {
		if o.Parts[i].Name == name {
			return &o.Parts[i]
		}
	}
	return nil
}

func positionText(p *source.Part) string {
	if p == nil {
		return "-"
	}
	return phrase.Printable(p.Position.Text)
}

// Conf compares the settings that two plans pin.
func (d *Difference) Conf(left, right map[string]string) {
	d.Head("settings", "Settings")
	rows := [][]string{{"", d.left, d.right}}
	for _, c := range SettingChanges(left, right) {
		rows = append(rows, []string{c.Name, c.Was, c.Is})
	}
	switch {
	case len(rows) == 1 && len(left) == 1:
		d.Line("The recorded setting is the same.")
		return
	case len(rows) == 1:
		d.Line("The %d recorded settings are the same.", len(left))
		return
	}
	d.Table(rows)
}

func setting(value string, there bool) string {
	if !there {
		return "not recorded"
	}
	return phrase.Printable(value)
}

// Union are the keys of both maps, in order.
func Union[V any](a, b map[string]V) []string {
	all := slices.Collect(maps.Keys(a))
	for k := range b {
		if _, ok := a[k]; !ok {
			all = append(all, k)
		}
	}
	slices.Sort(all)
	return all
}
