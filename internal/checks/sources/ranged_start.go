package sources

import (
	"fmt"
	"slices"
	"strconv"

	"tidemark/checkpoint/decode"
	"tidemark/internal/availability"
	"tidemark/internal/checks/basics"
	"tidemark/internal/phrase"
)

// RangedStop is where a source that plans ranges of partitions stops a start.
type RangedStop struct {
	Batch   int64 // that fails
	Words   string
	Because string
	Sound   bool   // the brokers, the query or its options are the cause: the files of the checkpoint may be whole
	Despite string // see checks.Restart
}

// RangedStart tells over what such a source stops at the next start, in Spark's order; nil for nothing. What the brokers have counts where they
// were asked, and what is declared where there is a spec. failOnDataLoss is true where that is not declared, as in Spark.
//
// KafkaMicroBatchStream and KafkaOffsetReader.getOffsetRangesFromResolvedOffsets; the same rules from 2.4 on.
func RangedStart(s *basics.Start) *RangedStop {
	all := rangedSources(s)
	for _, step := range []func(*rangedSource) *RangedStop{
		(*rangedSource).offsetsStop, (*rangedSource).beganStop, (*rangedSource).missingStop, (*rangedSource).availableNowStop, (*rangedSource).batchStop,
	} {
		for _, k := range all {
			if stop := step(k); stop != nil {
				return stop
			}
		}
	}
	return nil
}

// first is the batch that the start runs first.
func (k *rangedSource) first() int64 { return max(k.FirstBatch(), 0) }

// stop is one over the files of the checkpoint.
func (k *rangedSource) stop(words, because string, args ...any) *RangedStop {
	return &RangedStop{Batch: k.first(), Words: words, Because: fmt.Sprintf("source %s: ", k.key) + fmt.Sprintf(because, args...)}
}

// outside is one over the brokers or the query.
func (k *rangedSource) outside(words, because string, args ...any) *RangedStop {
	stop := k.stop(words, because, args...)
	stop.Sound = true
	return stop
}

// lost is one over data that is lost, or may be; nil where the query goes on without it (KafkaMicroBatchStream.reportDataLoss). condition is
// that of 4.0 and later, words are those before.
func (k *rangedSource) lost(condition, words, because string, args ...any) *RangedStop {
	fails, declared := availability.FailsOnLoss(k.declared)
	if !fails {
		return nil
	}
	stop := k.outside(k.Since(4, 0, "KAFKA_DATA_LOSS."+condition, words), because, args...)
	stop.Because += "; failOnDataLoss is true"
	if !declared {
		stop.Because += ", its default"
		if k.declared != nil {
			stop.Because += ": the spec does not declare it"
		}
	}
	if k.line.Ambiguous() && (k.declared == nil || k.declared.Kind == "") {
		stop.Because += fmt.Sprintf("; a source of kind %s writes the same lines, and would continue", phrase.List(k.line.KindNames()[1:], 2))
	}
	return stop
}

// acceptable is a stop over records that are lost and nothing else: once that is accepted, the query continues with what is left. stop may be nil.
func acceptable(stop *RangedStop) *RangedStop {
	if stop != nil {
		stop.Despite = "start the query once with failOnDataLoss as false, and set it back after the first batch"
	}
	return stop
}

// offsetsStop is an offset that the source cannot read (JsonUtils.partitionOffsets).
func (k *rangedSource) offsetsStop() *RangedStop {
	if k.unread == nil {
		return nil
	}
	return k.stop(k.kind.OnAnother, "%s", basics.FlawText(k.unread))
}

// fetchesFirst reports whether the source asks for the newest offsets of all partitions as the query starts, and reads where it first began
// for that. 3.3 to 3.5 do with Trigger.AvailableNow. Since 3.5.7, 4.0.2 and 4.1.0 the offsets are asked for only as the first new batch is planned
// (SPARK-53560).
func (k *rangedSource) fetchesFirst() bool {
	return basics.AvailableNow(k.Pass) && k.OnSpark(3, 3) && !k.OnSpark(4, 0)
}

// beganStop is the file that says where the source first began, where the start reads it and it is no such file.
func (k *rangedSource) beganStop() *RangedStop {
	f := basics.FolderOf(k.Pass, k.key)
	if f == nil || f.First == nil || !k.fetchesFirst() && !k.unplanned() {
		return nil
	}
	if len(f.First.Problems) > 0 {
		e, words := f.First.Problems[0], k.kind.OnAnother
		switch e.Flaw {
		case decode.VersionUnknown:
			words = "maximum supported log version is v1"
		case decode.Empty:
			words = "assertion failed"
		}
		return k.stop(words, "%s; the source reads there where it first began", basics.FlawText(e))
	}
	if _, err := f.First.Offset.TakenAs(k.kind); err != nil {
		return k.stop(k.kind.OnAnother, "%v; the source reads there where it first began", err)
	}
	return nil
}

// unplanned reports whether the batch begins where the source first began, and not where a plan ends.
func (k *rangedSource) unplanned() bool { return k.first() == 0 }

// missingStop is a topic that the query names and that does not exist (ConsumerStrategy.retrieveAllPartitions). A start asks for it as it plans
// a batch, and some releases before they run one again. A pattern just does not match it.
func (k *rangedSource) missingStop() *RangedStop {
	if k.ends != nil && !k.fetchesFirst() || k.told && k.topics.Pattern() {
		return nil
	}
	named := k.topics.Named()
	if !k.told {
		named = topicsOf(k.begins)
	}
	for _, topic := range named {
		if k.lacksTopic(topic) {
			return k.outside("UnknownTopicOrPartitionException: This server does not host this topic-partition",
				"the query reads topic %s, which does not exist%s", topic, k.by())
		}
	}
	return nil
}

// lacksTopic reports whether the cluster has no such topic, or not all partitions of it that the query assigns itself.
func (k *rangedSource) lacksTopic(topic string) bool {
	if k.held == nil {
		return false
	}
	for _, assigned := range k.topics.Assign {
		for _, n := range assigned.Partitions {
			if assigned.Topic == topic && k.exists(topic+"/"+strconv.FormatInt(n, 10)) == no {
				return true
			}
		}
	}
	return k.count[topic] == 0 && (k.held.Whole || slices.Contains(k.held.Gone, topic))
}

func topicsOf(all partOffsets) (topics []string) {
	for _, name := range all.names() {
		if topic, _ := availability.CutPart(name); !slices.Contains(topics, topic) {
			topics = append(topics, topic)
		}
	}
	return topics
}

// by is who told what the cluster has, in brackets.
func (k *rangedSource) by() string {
	if k.held == nil {
		return ""
	}
	return " (" + k.held.ToldBy() + ")"
}

// What Spark says of a batch of Trigger.AvailableNow that does not end at the partitions which a source had when the query started, or ends
// beyond them (END_OFFSET_HAS_GREATER_OFFSET_FOR_TOPIC_PARTITION_THAN_PREFETCHED). The message of 3.5 does not have the condition.
const (
	mismatchedCondition = "MISMATCHED_TOPIC_PARTITIONS_BETWEEN_END_OFFSET_AND_PREFETCHED"

	mismatchedWords = "Kafka data source in Trigger.AvailableNow should provide the same topic partitions"
	aheadWords      = "For Kafka data source with Trigger.AvailableNow, end offset should have lower or equal offset"
)

// checksEnds reports whether a batch that is run again is held against what the brokers had as the query started, whatever failOnDataLoss says
// (KafkaMicroBatchStream.verifyEndOffsetForTriggerAvailableNow, from 3.4 on).
func (k *rangedSource) checksEnds() bool { return k.ends != nil && k.fetchesFirst() && k.OnSpark(3, 4) }

// availableNowStop is a batch that is run again and ends at other partitions than the topics have, or beyond their ends.
func (k *rangedSource) availableNowStop() *RangedStop {
	if !k.checksEnds() {
		return nil
	}
	const of = "with Trigger.AvailableNow, Spark compares the end of batch %d with the partitions that exist"
	var other, beyond []string
	for _, name := range k.ends.names() {
		if k.current(name) == no {
			other = append(other, name+" is not read any more")
		} else if latest, ok := k.latest(name); ok && k.ends[name] > latest {
			beyond = append(beyond, fmt.Sprintf("%s ends at %d, and the batch at %d", name, latest, k.ends[name]))
		}
	}
	if k.told { // else the query may assign itself what it reads
		for _, name := range k.cameSince() {
			other = append(other, name+" is not in the offset file")
		}
	}
	patched := "; Kafka connectors since 3.5.7 do not (SPARK-53560)"
	if !k.OnSpark(3, 5) {
		patched = " (SPARK-53560)"
	}
	switch {
	case len(other) > 0:
		return k.outside(mismatchedWords, of+": %s%s%s", k.first(), phrase.List(other, 3), k.by(), patched)
	case len(beyond) > 0:
		return k.outside(aheadWords, of+": %s%s%s", k.first(), phrase.List(beyond, 3), k.by(), patched)
	}
	return nil
}

// cameSince are the parts that the query finds and that an open batch does not have; none where no batch is open.
func (k *rangedSource) cameSince() (all []string) {
	if k.ends == nil {
		return nil
	}
	for _, name := range k.listed() {
		if _, planned := k.ends[name]; !planned {
			all = append(all, name)
		}
	}
	return all
}

// batchStop is the first batch: its ranges, then what its tasks read.
func (k *rangedSource) batchStop() *RangedStop {
	ends := k.ends
	if ends == nil {
		if ends = k.newEnds(); ends == nil {
			return nil
		}
	}
	if k.begins == nil {
		return nil // where the batch begins is not recorded
	}
	for _, step := range []func(partOffsets) *RangedStop{k.addedStop, k.deletedStop, k.loweredStop, k.readStop} {
		if stop := step(ends); stop != nil {
			return stop
		}
	}
	return nil
}

// newEnds is where a batch would end that is not planned yet, so far as that is known: at the newest offsets, or before them where the query
// limits a batch, but beyond where the batch begins wherever there is something. nil where no batch is planned: nothing is new, or no topic
// matches.
func (k *rangedSource) newEnds() partOffsets {
	ends, changed := partOffsets{}, false
	for name, begin := range k.begins {
		latest, known := k.latest(name)
		switch {
		case k.current(name) == no:
			changed = true
		case known && latest != begin:
			ends[name], changed = latest, true
		default:
			ends[name] = begin
		}
	}
	for _, name := range k.listed() {
		if _, was := k.begins[name]; !was {
			ends[name], _ = k.latest(name)
			changed = true
		}
	}
	if !changed || len(ends) == 0 && !k.readsOther() {
		return nil
	}
	return ends
}

// readsOther reports whether the query may read topics of which nothing is known.
func (k *rangedSource) readsOther() bool {
	if k.held != nil && k.held.Whole {
		return false
	}
	return !k.told || !k.topics.Pattern()
}

// addedStop is a partition that the batch reads and the one before did not have. It is read from its first record, which must exist and be the
// first there ever was.
func (k *rangedSource) addedStop(ends partOffsets) *RangedStop {
	var gone, late []string
	for _, name := range ends.names() {
		if _, was := k.begins[name]; was {
			continue
		}
		earliest, known := k.earliest(name)
		switch {
		case k.current(name) == no:
			gone = append(gone, name)
		case known && earliest != 0:
			late = append(late, name)
		}
	}
	if len(gone) > 0 {
		return k.lost("INITIAL_OFFSET_NOT_FOUND_FOR_PARTITIONS", "Cannot find earliest offsets of",
			"%s has %s, which the offset file before lacks; %s", k.line.Where.File, phrase.List(gone, 3), k.whyGone(gone))
	}
	if len(late) == 0 {
		return nil
	}
	earliest, _ := k.earliest(late[0])
	return acceptable(k.lost("ADDED_PARTITION_DOES_NOT_START_FROM_OFFSET_ZERO",
		fmt.Sprintf("Added partition %s starts from %d instead of 0. Some data may have been missed", sparkPart(late[0]), earliest),
		"%s is new to the query and begins at %d, not at 0%s", late[0], earliest, k.by()))
}

// notDeclared reports whether some of these parts are gone because the query, as declared, does not read them: then its code is to be looked at.
func (k *rangedSource) notDeclared(parts []string) bool {
	return slices.ContainsFunc(parts, func(name string) bool { return !k.subscribes(name) })
}

// whyGone says why the query does not find parts.
func (k *rangedSource) whyGone(parts []string) string {
	if k.notDeclared(parts) {
		return "the query, as declared, does not read them"
	}
	return "they do not exist" + k.by()
}

// deletedStop is a partition that the batch before had and this one lacks.
func (k *rangedSource) deletedStop(ends partOffsets) *RangedStop {
	var gone []string
	for _, name := range k.begins.names() {
		if _, is := ends[name]; !is {
			gone = append(gone, name)
		}
	}
	if len(gone) == 0 {
		return nil
	}
	const words = "are gone. Some data may have been missed"
	if k.ends != nil {
		return k.lost("PARTITIONS_DELETED", words, "%s lacks %s, which the offset file before has", k.line.Where.File, phrase.List(gone, 3))
	}
	stop := k.lost("PARTITIONS_DELETED", words, "%s has %s; %s", k.line.Where.File, phrase.List(gone, 3), k.whyGone(gone))
	if k.notDeclared(gone) {
		return stop
	}
	return acceptable(stop)
}

// loweredStop is a partition that ends before the batch begins.
func (k *rangedSource) loweredStop(ends partOffsets) *RangedStop {
	var lowered []string
	for _, name := range k.begins.names() {
		if end, is := ends[name]; is && end < k.begins[name] {
			lowered = append(lowered, name)
		}
	}
	if len(lowered) == 0 {
		return nil
	}
	name := lowered[0]
	words := "offset was changed from"
	if len(lowered) == 1 {
		words = fmt.Sprintf("Partition %s's offset was changed from %d to %d, some data may have been missed", sparkPart(name), k.begins[name], ends[name])
	}
	if k.ends != nil {
		return k.lost("PARTITION_OFFSET_CHANGED", words, "batch %d begins at %d of %s and ends at %d", k.first(), k.begins[name], name, ends[name])
	}
	return k.lost("PARTITION_OFFSET_CHANGED", words, "batch %d begins at %d of %s, which ends at %d%s", k.first(), k.begins[name], name, ends[name], k.by())
}

// readStop is what the tasks read: a range whose partition does not exist, or of which some is not there (KafkaDataConsumer). A sink that has the
// batch skips it, and no task reads anything.
func (k *rangedSource) readStop(ends partOffsets) *RangedStop {
	if k.Sink.Has(k.first()) {
		return nil
	}
	for _, name := range ends.names() {
		begin, ok := k.begins[name]
		if !ok {
			begin, ok = k.earliest(name)
		}
		end := ends[name]
		if !ok || end <= begin {
			continue
		}
		if stop := k.rangeStop(name, begin, end); stop != nil {
			return stop
		}
	}
	return nil
}

// oldestOffset stands for the first offset that is there, in options (KafkaOffsetRangeLimit.EARLIEST).
const oldestOffset = -2

// rangeStop is one range that a task reads.
func (k *rangedSource) rangeStop(name string, begin, end int64) *RangedStop {
	earliest, hasFirst := k.earliest(name)
	latest, hasLast := k.latest(name)
	switch {
	case begin < 0 && begin != oldestOffset:
		return k.stop(fmt.Sprintf("assertion failed: earliest offset %d does not equal %d", begin, oldestOffset),
			"batch %d begins at %d of %s: a task takes only %d for a place in the topic", k.first(), begin, name, oldestOffset)
	case begin < 0:
		return nil // from the first record that is there
	case k.exists(name) == no:
		return k.outside(fmt.Sprintf("TimeoutException: Timeout of 60000ms expired before the position for partition %s could be determined", sparkPart(name)),
			"batch %d reads %d to %d of %s, which does not exist%s", k.first(), begin, end, name, k.by())
	case hasFirst && begin < earliest:
		return acceptable(k.unreadable(name, begin, "batch %d begins at %d of %s, whose first record is %d%s", k.first(), begin, name, earliest, k.by()))
	case hasLast && end > latest:
		return k.unreadable(name, max(begin, latest), "batch %d reads %d to %d of %s, which ends at %d%s", k.first(), begin, end, name, latest, k.by())
	}
	return nil
}

// unreadable is a range that a task cannot read from at on.
func (k *rangedSource) unreadable(name string, at int64, because string, args ...any) *RangedStop {
	return k.lost("COULD_NOT_READ_OFFSET_RANGE",
		fmt.Sprintf("OffsetOutOfRangeException: Fetch position FetchPosition{offset=%d} is out of range for partition %s", at, sparkPart(name)), because, args...)
}

// sparkPart is a part as Kafka's clients write it: "orders-3".
func sparkPart(name string) string {
	topic, partition := availability.CutPart(name)
	return topic + "-" + strconv.FormatInt(partition, 10)
}
