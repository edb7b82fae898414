package drift

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"tidemark/checkpoint/log"
	"tidemark/checkpoint/source"
	"tidemark/internal/checks"
	"tidemark/internal/checks/basics"
	"tidemark/internal/spec"
)

// compareSources holds the sources against the lines of the newest plan: their number, then each one by its
// position, which is all that ties a line to a source.
func compareSources(c *comparer) {
	declared := c.Spec.Sources
	if declared == nil {
		return
	}
	plan := basics.NewestPlan(c.Standing)
	if plan == nil {
		c.skip("sources", "no offset file exists to compare with")
		return
	}
	recorded := plan.InOrder()
	if names := basics.RecordedNames(recorded); len(names) > 0 {
		c.namedSources(plan, names)
		return
	}
	if len(declared) != len(recorded) {
		c.differ(sourceNumber(plan, len(declared), len(recorded)))
		return
	}
	c.agree("sources", false)
	for i := range declared {
		c.limits(i)
		if declared[i].Name != "" {
			c.skip(fmt.Sprintf("sources[%d].name", i), "the checkpoint names no source: sources are matched by position")
		}
		c.source(i, strconv.Itoa(i), recorded[i], recorded)
	}
}

// sourceNumber is a query with another number of sources (OffsetSeq.toStreamProgress asserts it).
func sourceNumber(plan *log.Plan, is, was int) checks.Drift {
	d := checks.Drift{Field: "sources", Declared: basics.Count(is, "source"), Recorded: basics.Count(was, "source"), Effect: checks.RefusesDrift, Stage: checks.WhenSources,
		Error: fmt.Sprintf("There are [%d] sources in the checkpoint offsets and now there are [%d] sources requested by the query", was, is),
		Meaning: fmt.Sprintf(`The checkpoint has a query with %s, and the query has %s now. Spark matches sources and offset lines by
position, and fails at once if their numbers differ. The order counts too: Spark would not notice two sources of one kind that changed
places.`, basics.Count(was, "source"), basics.Count(is, "source")),
		NextStep: `Start the query with its original sources, or run the new source as a separate query with its own checkpoint. To change
the sources of this query, give it a new checkpoint. Take the start positions from this one ("tidemark offsets LOCATION --as
starting-offsets").`,
		Avoid: `Do not add or remove a line in the offset files by hand: a later start would give a source the position of another.`,
	}
	d.Where.File = plan.File
	if plan.Version > 1 { // lines by number: nothing asserts how many there are
		d.Effect, d.Stage, d.Error = checks.Misreads, 0, ""
		d.Meaning = `The checkpoint stores source positions by number, and the query has a different number of sources. An added source
starts from its start option. If one was removed or inserted before others, its position goes to the next source.`
	}
	return d
}

// namedSources compares sources that have names (4.2 on, with source evolution): those that are in both,
// in any order. One that was added starts anew and one that was removed is let go, without a word.
func (c *comparer) namedSources(plan *log.Plan, recorded map[string]source.Offset) {
	missing := maps.Clone(recorded)
	var added []string
	for i := range c.Spec.Sources {
		d := &c.Spec.Sources[i]
		if d.Name == "" {
			c.skip(fmt.Sprintf("sources[%d]", i), "the checkpoint identifies its sources by name (%s), and this one has no name in the spec", strings.Join(slices.Sorted(maps.Keys(recorded)), ", "))
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
	d := checks.Drift{Field: "sources", Recorded: strings.Join(slices.Sorted(maps.Keys(recorded)), ", "), Effect: checks.Allowed,
		Meaning: `Named sources may be added and removed between starts. A new source begins at its own start option. A removed source is
no longer read. Its later data is read only if the source returns with the same name.`}
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
	c.topics(i, key, o, all)
	if d.TableID != "" {
		c.table(field+".table_id", d, o)
	}
	if d.Location != "" {
		c.location(field+".location", d, key, o)
	}
}

// limits are two options of a Kafka source that contradict each other: it cannot even be made (KafkaSourceProvider.validateStreamOptions, from
// 3.2 on).
func (c *comparer) limits(i int) {
	d := &c.Spec.Sources[i]
	least, has := d.Option("minOffsetsPerTrigger")
	most, limited := d.Option("maxOffsetsPerTrigger")
	n, err := strconv.ParseInt(least, 10, 64)
	m, err2 := strconv.ParseInt(most, 10, 64)
	if !has || !limited || err != nil || err2 != nil || n <= m || !plansRanges(source.ByName(d.Kind)) || !c.OnSpark(3, 2) {
		return
	}
	c.differ(checks.Drift{Field: fmt.Sprintf("sources[%d].options.minOffsetsPerTrigger", i), Declared: fmt.Sprintf("%d, and maxOffsetsPerTrigger %d", n, m),
		Effect: checks.RefusesDrift, Stage: checks.WhenPlanned, Place: d.At, Way: checks.Decide,
		Error:    fmt.Sprintf("The value of minOffsetPerTrigger(%d) is higher than the maxOffsetsPerTrigger(%d)", n, m),
		Meaning:  `Spark refuses a source whose least number of records for a batch is higher than its largest. The checkpoint has nothing to do with it.`,
		NextStep: `Set minOffsetsPerTrigger to at most maxOffsetsPerTrigger.`})
}

// plansRanges reports whether a kind of source, which may be nil, plans ranges of partitions that it holds against brokers.
func plansRanges(k *source.Kind) bool { return k != nil && k.Taken != nil }

// kind compares the kind with the shape of the line; false where they do not go together.
func (c *comparer) kind(field string, d *spec.Source, key string, o source.Offset, all []source.Offset) bool {
	fits := func(name, key string, o source.Offset) bool {
		if basics.FileSource(c.Pass, key, o) {
			return source.ByName(name) == source.File
		}
		return slices.ContainsFunc(o.Kinds, func(k *source.Kind) bool { return k.Is(name) })
	}
	switch {
	case fits(d.Kind, key, o):
		c.agree(field, false)
		return true
	case source.ByName(d.Kind) == nil:
		c.skip(field, "%q is an unknown source kind", d.Kind)
		return true
	case len(o.Kinds) == 0:
		c.skip(field, "the shape of its offset (%s) is unknown", o.Where)
		return true
	}
	names := o.KindNames()
	if basics.FileSource(c.Pass, key, o) {
		names = []string{source.File.Name}
	}
	diff := checks.Drift{Field: field, Declared: d.Kind, Recorded: strings.Join(names, " or "), Effect: checks.RefusesDrift, Error: kindError(d.Kind), Where: o.Where, Place: d.At, Stage: checks.WhenOpened,
		Meaning: fmt.Sprintf(`The recorded offset of this source has the shape of %s. A source of another kind cannot read it, so the start
fails.`, strings.Join(names, " or "))}
	for j, other := range all {
		if other.Where != o.Where && fits(d.Kind, strconv.Itoa(j), other) && j < len(c.Spec.Sources) &&
			fits(c.Spec.Sources[j].Kind, key, o) {
			diff.Meaning += fmt.Sprintf(" Sources %s and %d would match if they changed places: the order of the sources is part of the checkpoint.", key, j)
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

// table compares the id of the table.
func (c *comparer) table(field string, d *spec.Source, o source.Offset) {
	recorded := o.TableID()
	switch {
	case recorded == "":
		c.skip(field, "the offset of this source records no table ID")
	case strings.EqualFold(recorded, d.TableID):
		c.agree(field, true)
	default:
		c.differ(checks.Drift{Field: field, Declared: d.TableID, Recorded: recorded, Effect: checks.RefusesDrift, Where: o.Where,
			Place: d.At, Stage: checks.WhenOpened,
			Error:   "DIFFERENT_DELTA_TABLE_READ_BY_STREAMING_SOURCE",
			Meaning: `The checkpoint belongs to a different table from the one the query reads now. A table that was created again or replaced by a copy has a new ID under the same name. Versions of one table do not apply to the other.`})
	}
}
