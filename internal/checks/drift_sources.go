package checks

import (
	"cmp"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"tidemark/checkpoint/log"
	"tidemark/checkpoint/source"
	"tidemark/internal/spec"
)

// compareSources holds the sources against the lines of the newest plan: their number, then each one by its
// position, which is all that ties a line to a source.
func compareSources(c *comparer) {
	declared := c.Spec.Sources
	if declared == nil {
		return
	}
	plan := newestPlan(c.Standing)
	if plan == nil {
		c.skip("sources", "no plan is there to hold them against")
		return
	}
	recorded := plan.InOrder()
	if names := recordedNames(recorded); len(names) > 0 {
		c.namedSources(plan, names)
		return
	}
	if len(declared) != len(recorded) {
		c.differ(sourceNumber(c, plan, len(declared), len(recorded)))
		return
	}
	c.agree("sources", false)
	for i := range declared {
		if declared[i].Name != "" {
			c.skip(fmt.Sprintf("sources[%d].name", i), "the checkpoint names no source: they are matched by their position")
		}
		c.source(i, strconv.Itoa(i), recorded[i], recorded)
	}
}

// sourceNumber is a query with another number of sources (OffsetSeq.toStreamProgress asserts it).
func sourceNumber(c *comparer, plan *log.Plan, is, was int) Drift {
	d := Drift{Field: "sources", Declared: count(is, "source"), Recorded: count(was, "source"), Effect: RefusesDrift, stage: whenSources,
		Error: fmt.Sprintf("There are [%d] sources in the checkpoint offsets and now there are [%d] sources requested by the query", was, is),
		Meaning: fmt.Sprintf(`The checkpoint is of a query with %s, and the query has %s now. Spark matches sources with the lines of a plan by their position
and refuses another number before it runs anything. The order counts too: two sources of one kind that change places would not be noticed.`, count(was, "source"), count(is, "source")),
		NextStep: `Either start the query with the sources that it had, or run what is new as a query of its own, with its own checkpoint. To change the
sources of this query, give it a new checkpoint and start positions from this one ("tidemark offsets LOCATION --as starting-offsets").`,
		Avoid: `Do not add a line to the files in offsets by hand, or remove one: a later start would give a source the position of another.`,
	}
	d.Where.File = plan.File
	if plan.Version > 1 { // lines by number: nothing asserts how many there are
		d.Effect, d.stage, d.Error = Misreads, 0, ""
		d.Meaning = `The checkpoint keeps the positions of sources by their number, and the query has another number of them. A source that was added begins
anew; one that was removed, or put before others, gives its position to the next.`
	}
	return d
}

func count(n int, thing string) string {
	if n == 1 {
		return "1 " + thing
	}
	return fmt.Sprintf("%d %ss", n, thing)
}

// recordedNames are the sources of a plan by their own names; nil where they have only positions.
func recordedNames(recorded []source.Offset) map[string]source.Offset {
	names := map[string]source.Offset{}
	for _, o := range recorded {
		if _, err := strconv.Atoi(o.Name); o.Name != "" && err != nil {
			names[o.Name] = o
		}
	}
	return names
}

// namedSources compares sources that have names (4.2 on, with source evolution): those that are in both,
// in any order. One that was added starts anew and one that was removed is let go, without a word.
func (c *comparer) namedSources(plan *log.Plan, recorded map[string]source.Offset) {
	missing := maps.Clone(recorded)
	var added []string
	for i := range c.Spec.Sources {
		d := &c.Spec.Sources[i]
		if d.Name == "" {
			c.skip(fmt.Sprintf("sources[%d]", i), "the checkpoint keeps its sources by name (%s), and this one has none in the spec", strings.Join(slices.Sorted(maps.Keys(recorded)), ", "))
			continue
		}
		o, ok := recorded[d.Name]
		if !ok {
			added = append(added, d.Name)
			continue
		}
		delete(missing, d.Name)
		c.found.Agrees = append(c.found.Agrees, fmt.Sprintf("sources[%d].name", i))
		c.source(i, d.Name, o, nil)
	}
	unnamed := slices.ContainsFunc(c.Spec.Sources, func(s spec.Source) bool { return s.Name == "" })
	if len(added) == 0 && (len(missing) == 0 || unnamed) {
		return
	}
	d := Drift{Field: "sources", Recorded: strings.Join(slices.Sorted(maps.Keys(recorded)), ", "), Effect: Allowed,
		Meaning: `Sources with names may come and go from one start to the next. One that is new begins at its own start option; one that is gone is no
longer read, and what came in there since is not read later either unless it comes back under its name.`}
	for i := range c.Spec.Sources {
		d.Declared += map[bool]string{true: ", "}[i > 0] + c.Spec.Sources[i].Name
	}
	d.Where.File = plan.File
	c.differ(d)
}

// source compares one source with the line of its key. all are the lines of all sources by position; nil
// where they have names.
func (c *comparer) source(i int, key string, o source.Offset, all []source.Offset) {
	d := &c.Spec.Sources[i]
	field := fmt.Sprintf("sources[%d]", i)
	if o.None {
		c.skip(field, "%s records no offset of this source yet", o.Where.File)
		return
	}
	if d.Kind != "" && !c.kind(field+".kind", d, key, o, all) {
		return
	}
	o = o.As(source.ByName(d.Kind))
	if d.Topics != nil || d.Pattern != "" {
		c.topics(field, d, o)
	}
	if d.TableID != "" {
		c.table(field+".table_id", d, o)
	}
	if d.Location != "" {
		c.location(field+".location", d, key, o)
	}
}

// kind compares the kind with the shape of the line; false where they do not go together.
func (c *comparer) kind(field string, d *spec.Source, key string, o source.Offset, all []source.Offset) bool {
	fits := func(name, key string, o source.Offset) bool {
		if fileSource(c.Pass, key, o) {
			return source.ByName(name) == source.File
		}
		return slices.ContainsFunc(o.Kinds, func(k *source.Kind) bool { return k.Is(name) })
	}
	switch {
	case fits(d.Kind, key, o):
		c.agree(field, false)
		return true
	case source.ByName(d.Kind) == nil:
		c.skip(field, "%q is no kind of source that is known here", d.Kind)
		return true
	case len(o.Kinds) == 0:
		c.skip(field, "the shape of its offset (%s) is not known here", o.Where)
		return true
	}
	names := o.KindNames()
	if fileSource(c.Pass, key, o) {
		names = []string{source.File.Name}
	}
	diff := Drift{Field: field, Declared: d.Kind, Recorded: strings.Join(names, " or "), Effect: RefusesDrift, Error: kindError(d.Kind), Where: o.Where, Place: d.At, stage: whenOpened,
		Meaning: fmt.Sprintf(`The offset that the checkpoint keeps for this source has the shape of %s. A source of another kind is handed it at the start and cannot read it.`, strings.Join(names, " or "))}
	for j, other := range all {
		if other.Where != o.Where && fits(d.Kind, strconv.Itoa(j), other) && j < len(c.Spec.Sources) && fits(c.Spec.Sources[j].Kind, key, o) {
			diff.Meaning += fmt.Sprintf(" Sources %s and %d would fit if they changed places: the order of the sources is part of the checkpoint.", key, j)
			break
		}
	}
	c.differ(diff)
	return false
}

// kindError is what a source says to an offset of another kind, where that is known.
func kindError(kind string) string {
	return cmp.Or(source.ByName(kind).OnAnother, "the offset of this source cannot be read")
}

// topics compares what a Kafka source subscribes to with the topics of its line. What is subscribed is not
// recorded: the line has the topics that had partitions when the batch was planned.
func (c *comparer) topics(field string, d *spec.Source, o source.Offset) {
	declared, test := "topics matching "+d.Pattern, func(string) bool { return true }
	name := field + ".pattern"
	if d.Topics != nil {
		name, declared = field+".topics", strings.Join(d.Topics, ", ")
		test = func(topic string) bool { return slices.Contains(d.Topics, topic) }
	}
	if !o.Likeliest().Topics {
		c.skip(name, "the offset of this source has no topics")
		return
	}
	if d.Topics == nil {
		re, err := regexp.Compile("^(?:" + d.Pattern + ")$")
		if err != nil {
			c.skip(name, "the pattern is none that is understood here: %v", err)
			return
		}
		test = re.MatchString
	}
	recorded := topicsOf(o)
	gone := slices.DeleteFunc(slices.Clone(recorded), test)
	added := slices.DeleteFunc(slices.Clone(d.Topics), func(t string) bool { return slices.Contains(recorded, t) })
	diff := Drift{Field: name, Declared: declared, Recorded: strings.Join(recorded, ", "), Where: o.Where, Place: d.At}
	switch {
	case len(gone) > 0:
		diff.Effect = Misreads
		diff.Meaning = fmt.Sprintf(`The checkpoint has positions in %s, and the query does not read that any more. Spark ties a subscription to no checkpoint: it lets
these positions go (or, with failOnDataLoss, stops over the partitions that it misses), and reads topics that are new to it from their first
record. If the topic comes back later, all of it is read again.`, strings.Join(gone, ", "))
	case len(added) > 0:
		diff.Effect, c.found.weighty = Allowed, true
		diff.Meaning = fmt.Sprintf(`The checkpoint has no position in %s. Partitions that are new to a checkpoint are read from their first record on; startingOffsets does not
count for them.`, strings.Join(added, ", "))
	default:
		c.agree(name, true)
		return
	}
	c.differ(diff)
}

// topicsOf are the topics of a Kafka-shaped line, in its order.
func topicsOf(o source.Offset) (all []string) {
	for _, p := range o.Parts {
		if i := strings.LastIndexByte(p.Name, '/'); i > 0 && !slices.Contains(all, p.Name[:i]) {
			all = append(all, p.Name[:i])
		}
	}
	return all
}

// table compares the id of the table.
func (c *comparer) table(field string, d *spec.Source, o source.Offset) {
	recorded := o.TableID()
	switch {
	case recorded == "":
		c.skip(field, "the offset of this source records no table id")
	case strings.EqualFold(recorded, d.TableID):
		c.agree(field, true)
	default:
		c.differ(Drift{Field: field, Declared: d.TableID, Recorded: recorded, Effect: RefusesDrift, Where: o.Where, Place: d.At, stage: whenOpened,
			Error: "DIFFERENT_DELTA_TABLE_READ_BY_STREAMING_SOURCE",
			Meaning: `The checkpoint has read another table than the one that the query reads now. A table that was dropped and made again, or replaced by a
copy, has a new id under the same name. The versions of one say nothing about the other.`})
	}
}
