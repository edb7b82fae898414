package drift

import (
	"fmt"
	"slices"
	"strings"

	"tidemark/checkpoint/source"
	"tidemark/internal/availability"
	"tidemark/internal/checks"
	"tidemark/internal/checks/basics"
	"tidemark/internal/phrase"
	"tidemark/internal/spec"
)

// topics compares what source i subscribes to with the topics of its line. What is subscribed is not recorded: the line has the topics that
// had partitions when the batch was planned. all are the lines of all sources by position; nil where they have names.
func (c *comparer) topics(i int, key string, o source.Offset, all []source.Offset) {
	d := &c.Spec.Sources[i]
	t := topicsDrift{c, i, key, d, o, all}
	field, declared := t.words()
	sub, ok, err := d.Subscription()
	switch {
	case err != nil:
		c.skip(field, "%v", err)
	case !ok:
	case !o.Likeliest().Topics:
		c.skip(field, "the offset of this source has no topics")
	default:
		recorded := basics.TopicsOf(o)
		diff := checks.Drift{Field: field, Declared: declared, Recorded: strings.Join(recorded, ", "), Where: o.Where, Place: d.At}
		if !t.compare(&sub, recorded, &diff) {
			c.agree(field, true)
			return
		}
		c.differ(diff)
	}
}

// topicsDrift is one source whose topics are compared.
type topicsDrift struct {
	*comparer
	index int
	key   string
	d     *spec.Source
	o     source.Offset
	all   []source.Offset
}

// words are the field that declares the topics, and what it says.
func (t *topicsDrift) words() (field, declared string) {
	field = fmt.Sprintf("sources[%d]", t.index)
	switch {
	case t.d.Topics != nil:
		return field + ".topics", strings.Join(t.d.Topics, ", ")
	case t.d.Pattern != "":
		return field + ".pattern", "topics matching " + t.d.Pattern
	}
	var texts []string
	for _, assigned := range t.d.Assign {
		for _, n := range assigned.Partitions {
			texts = append(texts, fmt.Sprintf("%s/%d", assigned.Topic, n))
		}
	}
	return field + ".assign", phrase.List(texts, 8)
}

// compare fills in the difference; false where there is none.
func (t *topicsDrift) compare(sub *spec.Subscription, recorded []string, diff *checks.Drift) bool {
	gone := t.unread(sub)
	var added []string
	for _, topic := range sub.Named() {
		if !slices.Contains(recorded, topic) {
			added = append(added, topic)
		}
	}
	switch {
	case len(gone) > 0:
		t.dropped(sub, gone, added, diff)
	case len(added) > 0:
		diff.Effect, t.found.Weighty = checks.Allowed, true
		diff.Meaning = fmt.Sprintf(`The checkpoint has no position in %s. Spark reads partitions new to a checkpoint from their first
record. startingOffsets does not apply to them.`, strings.Join(added, ", "))
	default:
		return false
	}
	return true
}

// unread are the topics of the line of which the query reads nothing any more; with assign, its partitions.
func (t *topicsDrift) unread(sub *spec.Subscription) (gone []string) {
	for _, p := range t.o.Parts {
		topic, partition := availability.CutPart(p.Name)
		name := topic
		if sub.Assign != nil && sub.ReadsTopic(topic) {
			name = p.Name
		}
		if !sub.Reads(topic, partition) && !slices.Contains(gone, name) {
			gone = append(gone, name)
		}
	}
	return gone
}

// dropped is a query that does not read all that it read. A Kafka source fails over that by default; it knows no subscription, and what it is
// told of the partitions lacks some (KafkaOffsetReader.getOffsetRangesFromResolvedOffsets).
func (t *topicsDrift) dropped(sub *spec.Subscription, gone, added []string, diff *checks.Drift) {
	names := phrase.List(gone, 8)
	fails, declared := availability.FailsOnLoss(t.d)
	twice := t.readTwice(added)
	if len(twice) > 0 && (!fails || !plansRanges(t.o.Likeliest())) {
		diff.Effect = checks.Misreads
		diff.Meaning = fmt.Sprintf(`The checkpoint has positions of this source in %s, and the query no longer reads them here. It reads %s here now,
whose positions belong to another source of this checkpoint. Spark does not see that: it reads these topics again from their first record. Two
sources that changed places look like this.`, names, phrase.List(twice, 8))
		return
	}
	switch {
	case !plansRanges(t.o.Likeliest()):
		diff.Effect = checks.Misreads
		diff.Meaning = fmt.Sprintf(`The checkpoint has positions in %s, and the query no longer reads them. The source drops these positions, and reads
new topics from their first record. If the topic returns later, it reads all of it again.`, names)
	case t.matchesNothing(sub):
		diff.Effect = checks.Allowed
		diff.Meaning = fmt.Sprintf(`The checkpoint has positions in %s, and the query no longer reads them. No topic matches its pattern, so it plans no
new batch: it runs and reads nothing.`, names)
	case fails:
		diff.Effect, diff.Stage = checks.RefusesDrift, checks.WhenNext
		diff.Error = t.Since(4, 0, "KAFKA_DATA_LOSS.PARTITIONS_DELETED", "are gone. Some data may have been missed")
		diff.Meaning = fmt.Sprintf(`The checkpoint has positions in %s, and the query no longer reads them. Spark takes these partitions for deleted.
With failOnDataLoss as true%s, it fails as it plans the next batch.`, names, map[bool]string{false: ", the default"}[declared])
		t.wayOn(gone, twice, diff)
	default:
		diff.Effect = checks.Allowed
		diff.Meaning = fmt.Sprintf(`The checkpoint has positions in %s, and the query no longer reads them. With failOnDataLoss as false, Spark drops
these positions and only logs a warning. It never reads records behind them. If the topic returns later, Spark reads all of it again.`, names)
	}
}

// readTwice are topics that are new to this source, and of which another source of the checkpoint has positions.
func (t *topicsDrift) readTwice(added []string) (twice []string) {
	for j, other := range t.all {
		if j == t.index {
			continue
		}
		for _, topic := range basics.TopicsOf(other) {
			if slices.Contains(added, topic) && !slices.Contains(twice, topic) {
				twice = append(twice, topic)
			}
		}
	}
	return twice
}

// matchesNothing reports whether no topic of the cluster matches the declared pattern.
func (t *topicsDrift) matchesNothing(sub *spec.Subscription) bool {
	held := t.Kept.Source(t.index)
	if held == nil || held.Err != nil || !held.Whole || !sub.Pattern() {
		return false
	}
	return !slices.ContainsFunc(held.Parts, func(p availability.Part) bool {
		topic, _ := availability.CutPart(p.Name)
		return sub.ReadsTopic(topic)
	})
}

// wayOn says what to do about topics that are not read any more. A query that reads none of them is another one: that has the usual words.
func (t *topicsDrift) wayOn(gone, twice []string, diff *checks.Drift) {
	switch names := phrase.List(gone, 8); {
	case len(twice) > 0:
		diff.Meaning += fmt.Sprintf(` The positions of %s belong to another source of this checkpoint: two sources changed places, it seems.`,
			phrase.List(twice, 8))
		diff.NextStep = `Put the sources back in the order in which the checkpoint has them.`
		diff.Avoid = `Do not set failOnDataLoss to false: Spark would start, and read these topics again from their first record.`
		diff.Way = checks.Decide
	case len(gone) < len(basics.TopicsOf(t.o)):
		diff.NextStep = fmt.Sprintf(`If the query is not meant to read %s any more: make sure that it read them to their end. Then start it once with
failOnDataLoss as false, and set that back after the first batch. Else subscribe to them again.`, names)
		diff.Avoid = `Do not remove the topics from the offset file by hand.`
		diff.Way = checks.Decide
	}
}
