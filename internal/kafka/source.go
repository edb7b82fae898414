package kafka

import (
	"encoding/base64"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/twmb/franz-go/pkg/kerr"

	"tidemark/checkpoint/source"
	"tidemark/internal/availability"
	"tidemark/internal/phrase"
)

// factLimit is how many topics or partitions are told one by one.
const factLimit = 5

// source tells what the cluster keeps of one source.
func (q *inquiry) source(s *asked) availability.Source {
	out := availability.Source{Index: s.Index, From: q.brokers, Kind: source.Kafka.Name, Unseen: s.unseen, Err: q.err}
	if !s.comparable() {
		out.Unseen = append(out.Unseen, "positions are not compared: the query uses the Event Hubs connector, and its sequence numbers may differ from Kafka offsets")
		return out
	}
	out.Parts = q.parts(s)
	out.Whole = q.whole(s)
	out.Gone = q.gone(s)
	if out.Err == nil {
		out.Err = q.refused(s)
	}
	out.Created = q.recreated(s)
	out.Facts = q.facts(s)
	out.Unseen = append(out.Unseen, q.untold(s)...)
	return out
}

// comparable reports whether the positions of a source are offsets of Kafka.
func (s *asked) comparable() bool {
	return s.Kind == nil || availability.Of(s.Kind).Ask == availability.AskBrokers
}

// whole reports whether it is known which partitions there are.
func (q *inquiry) whole(s *asked) bool {
	return len(s.topics) > 0 && !slices.ContainsFunc(s.topics, func(name string) bool {
		t := q.topics[name]
		return t == nil
	})
}

// parts returns the partitions of the topics of a source, by topic and number. Those that the checkpoint knows, of a topic
// of which nothing was told, are there without positions: that nobody says they exist does not mean that they do not.
func (q *inquiry) parts(s *asked) []availability.Part {
	var all []availability.Part
	for _, name := range s.topics {
		t := q.topics[name]
		if t == nil || t.err != nil && t.err != kerr.UnknownTopicOrPartition {
			all = append(all, s.recordedParts(name)...)
			continue
		}
		for _, n := range slices.Sorted(maps.Keys(t.partitions)) {
			p := t.partitions[n]
			all = append(all, availability.Part{
				Name:     partName(name, n),
				Earliest: position(p.earliest), Latest: position(p.latest), Stable: position(p.stable),
				Retention: t.span(), Written: p.written,
			})
		}
	}
	return all
}

// gone returns the topics and partitions that were asked for and that the brokers say do not exist, in order. A topic that a right
// hides is none of them: of one that is named in the request, brokers answer TOPIC_AUTHORIZATION_FAILED then.
func (q *inquiry) gone(s *asked) []string {
	named := map[string]bool{}
	for _, name := range s.topics {
		if t := q.topics[name]; t != nil && t.err == kerr.UnknownTopicOrPartition {
			named[name] = true
		}
	}
	for _, part := range s.parts {
		name, number, _ := splitPart(part)
		if t := q.topics[name]; t != nil && t.err == nil && t.partitions[number] == nil {
			named[part] = true
		}
	}
	return slices.Sorted(maps.Keys(named))
}

// recordedParts returns the partitions of a topic that the checkpoint has, in its order.
func (s *asked) recordedParts(topic string) []availability.Part {
	var all []availability.Part
	for _, r := range s.endOffsets() {
		if name, _, ok := splitPart(r.part); ok && name == topic {
			all = append(all, availability.Part{Name: r.part})
		}
	}
	return all
}

// position makes a position of an offset; nil where it is not known.
func position(offset int64) *source.Position {
	if offset < 0 {
		return nil
	}
	return &source.Position{Text: strconv.FormatInt(offset, 10), Order: source.Number, Num: offset}
}

// refused says why not all could be told of the topics of a source; nil where all was.
func (q *inquiry) refused(s *asked) error {
	why := map[string][]string{} // names by error
	for _, name := range s.topics {
		t := q.topics[name]
		if t == nil {
			continue
		}
		if t.err != nil && t.err != kerr.UnknownTopicOrPartition {
			text := "topic " + topicWords(t.err)
			why[text] = append(why[text], name)
			continue
		}
		for _, n := range slices.Sorted(maps.Keys(t.partitions)) {
			if err := t.partitions[n].err; err != nil {
				text := "partition " + topicWords(err)
				why[text] = append(why[text], partName(name, n))
			}
		}
	}
	var texts []string
	for _, text := range slices.Sorted(maps.Keys(why)) {
		texts = append(texts, strings.Replace(text, "%", phrase.List(why[text], factLimit), 1))
	}
	if len(texts) == 0 {
		return nil
	}
	return errors.New(strings.Join(texts, "; "))
}

// facts tells what else was seen.
func (q *inquiry) facts(s *asked) []string {
	var all, absent, open, aged []string
	var told settingsGroups
	for _, name := range s.topics {
		t := q.topics[name]
		switch {
		case t == nil:
			continue
		case t.err == kerr.UnknownTopicOrPartition:
			absent = append(absent, name)
			continue
		case t.err != nil:
			continue
		}
		told.add(t)
		for _, n := range slices.Sorted(maps.Keys(t.partitions)) {
			p := t.partitions[n]
			part := partName(name, n)
			if p.stable >= 0 && p.stable < p.latest {
				open = append(open, fmt.Sprintf("%s up to %d", part, p.stable))
			}
			if p.aged {
				aged = append(aged, part)
			}
		}
	}
	all = told.words()
	if len(absent) > 0 && len(told) == 0 {
		all = append(all, fmt.Sprintf("the cluster has none of the topics (%s): they were deleted, or these brokers belong to another cluster", phrase.List(absent, factLimit)))
	} else if len(absent) > 0 {
		all = append(all, "the cluster has no topic "+phrase.List(absent, factLimit))
	}
	if len(open) > 0 {
		all = append(all, "a transaction is still open: a query with kafka.isolation.level=read_committed reads "+phrase.List(open, factLimit))
	}
	if len(aged) > 0 {
		all = append(all, "the first records of the restart are older than the topic retention and may be deleted at any time: "+phrase.List(aged, factLimit))
	}
	return all
}

// settingsGroups are topics by what is set for them, in order.
type settingsGroups []settingsGroup

type settingsGroup struct {
	settings   string
	topics     []string // with their ids
	partitions int      // of all of them
}

func (all *settingsGroups) add(t *topic) {
	settings := t.retention.words()
	i := 0
	for i < len(*all) && (*all)[i].settings != settings {
		i++
	}
	if i == len(*all) {
		*all = append(*all, settingsGroup{settings: settings})
	}
	g := &(*all)[i]
	g.topics, g.partitions = append(g.topics, t.name+t.idWords()), g.partitions+len(t.partitions)
}

func (all settingsGroups) words() []string {
	var out []string
	for _, g := range all[:min(len(all), factLimit)] {
		topics := "topic " + phrase.List(g.topics, factLimit) + " has "
		if len(g.topics) > 1 {
			topics = "topics " + phrase.List(g.topics, factLimit) + " have "
		}
		out = append(out, topics+counted(g.partitions, "partition")+": "+g.settings)
	}
	if more := len(all) - factLimit; more > 0 {
		out = append(out, fmt.Sprintf("topics with %d other settings exist", more))
	}
	return out
}

// idWords returns the id of a topic: another one under its name has another id. Brokers before 2.8 tell none.
func (t *topic) idWords() string {
	if t.id == [16]byte{} {
		return ""
	}
	return " (ID " + base64.RawURLEncoding.EncodeToString(t.id[:]) + ")"
}

// untold says for which topics the settings are not known.
func (q *inquiry) untold(s *asked) []string {
	var denied, other []string
	for _, name := range s.topics {
		t := q.topics[name]
		switch {
		case t == nil || t.err != nil || t.told:
		case t.retention.err == kerr.TopicAuthorizationFailed || t.retention.err == kerr.ClusterAuthorizationFailed:
			denied = append(denied, name)
		case q.err == nil:
			other = append(other, name)
		}
	}
	var all []string
	if len(denied) > 0 {
		all = append(all, "the retention is unknown: the right DescribeConfigs is missing on "+phrase.List(denied, factLimit))
	}
	if len(other) > 0 {
		all = append(all, "the retention is unknown for "+phrase.List(other, factLimit))
	}
	return all
}

// atParts returns the positions that belong to the time that was asked for.
func (s *asked) atParts(q *inquiry) ([]availability.Part, error) {
	if err := q.refused(s); err != nil {
		return nil, fmt.Errorf("%s: %w", q.brokers, err)
	}
	var all []availability.Part
	for _, name := range s.topics {
		t := q.topics[name]
		if t == nil || t.err != nil {
			continue
		}
		for _, n := range slices.Sorted(maps.Keys(t.partitions)) {
			p := t.partitions[n]
			at := p.later
			if at < 0 {
				at = p.latest
			}
			all = append(all, availability.Part{Name: partName(name, n), Earliest: position(at), Latest: position(p.latest)})
		}
	}
	if len(all) == 0 {
		return nil, fmt.Errorf("%s: the cluster has none of the topics %s", q.brokers, phrase.List(s.topics, factLimit))
	}
	return all, nil
}

func counted(n int, unit string) string {
	if n != 1 {
		unit += "s"
	}
	return strconv.Itoa(n) + " " + unit
}

// cut bounds the length of a text from a broker.
func cut(text string) string { return fmt.Sprintf("%.60s", text) }
