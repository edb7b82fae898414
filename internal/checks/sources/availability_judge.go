package sources

import (
	"slices"
	"strconv"
	"strings"
	"time"

	"tidemark/checkpoint/source"
	"tidemark/internal/availability"
	"tidemark/internal/checks"
)

// part holds what the next start reads of one part against what exists.
func (k *heldSource) part(x source.Range) checks.KeptPart {
	p := checks.KeptPart{Name: x.Part, From: x.From, To: x.To, State: checks.NotJudged, Unit: k.Unit()}
	there := k.byName[x.Part]
	if there == nil && k.Kind().OneForAll {
		there = k.byName[""] // one time for all shards
	}
	switch {
	case k.Other != "" || k.remade(x.Part):
		if there != nil {
			p.Earliest, p.Latest = there.Earliest, there.Latest
		}
		p.State = checks.Another
		return p // positions of the one mean nothing in the other
	case k.Kind().Listed:
		p.State = k.snapshots()
		return p
	case k.IsGone(x.Part):
		p.State = checks.NotThere
		return p
	case there == nil && k.unsubscribed(x.Part):
		return p // it was not asked for
	case there == nil && k.Whole:
		p.State = checks.NotThere
		return p
	case there == nil:
		return p
	}
	p.Earliest, p.Latest = there.Earliest, there.Latest
	k.judge(&p)
	if p.Latest != nil && p.From != nil && p.State != checks.Beyond {
		p.Lag, p.LagKnown = k.between(*k.next(p.From), *p.Latest)
	}
	if there.Written > 0 && there.Retention > 0 && !p.State.Lossy() {
		p.Until = time.UnixMilli(there.Written).Add(there.Retention).UnixMilli()
	}
	return p
}

// snapshots is whether the snapshots at which a batch of an Iceberg source begins and ends are there.
func (k *heldSource) snapshots() checks.KeptState {
	state := checks.NotJudged
	for _, o := range []source.Offset{k.Recorded.From, k.Recorded.To} {
		switch id, ok := k.snapshotOf(o); {
		case ok && (!slices.Contains(k.Snapshots, id) || slices.Contains(k.Aside, id)):
			return checks.AllGone
		case ok:
			state = checks.Complete
		}
	}
	return state
}

// unlisted is a part that the checkpoint has no position of. A partition that a topic gets later is read from its first record, and where
// that is not the first there ever was, the query never sees what came before.
func (k *heldSource) unlisted(part *availability.Part) checks.KeptPart {
	p := checks.KeptPart{Name: part.Name, Earliest: part.Earliest, Latest: part.Latest, Joined: true, State: checks.Joins, Unit: k.Unit()}
	switch {
	case k.Recorded.From.None || k.Other != "" || slices.Contains(k.strange, topicOf(part.Name)) || k.unsubscribed(part.Name):
		p.State = checks.NotJudged
	case k.growsLate(part):
		p.From = &source.Position{Text: "0", Order: source.Number}
		p.State, p.Gone, p.GoneKnown = checks.PartlyGone, part.Earliest.Num, true
	}
	return p
}

// growsLate reports whether a part was added to a topic that the query reads, and lost its first records before the query read any.
func (k *heldSource) growsLate(part *availability.Part) bool {
	return part.Earliest != nil && k.counts(*part.Earliest) && part.Earliest.Num > 0 && k.Recorded.Kind != nil && k.Recorded.Kind.Taken != nil &&
		slices.Contains(k.read, topicOf(part.Name)) && !k.remade(part.Name)
}

// judge compares positions.
func (k *heldSource) judge(p *checks.KeptPart) {
	begins, ends := k.next(p.From), k.next(p.To)
	switch {
	case begins == nil && ends == nil:
		return
	case ends == nil:
		ends = begins
	case begins == nil:
		k.judgeEnd(p, ends)
		return
	}
	switch {
	case begins.Order == source.Unordered:
		return
	case p.Latest != nil && (k.beyond(*begins, *p.Latest) || k.beyond(*ends, *p.Latest)):
		p.State = checks.Beyond
		return
	case p.Earliest == nil:
		return
	case k.caughtUp(*begins, p.Latest):
		p.State = checks.Complete
		return
	}
	gone, counted, known := k.gone(*begins, *p.Earliest)
	switch {
	case !known:
	case gone <= 0:
		p.State, p.GoneKnown = checks.Complete, counted
	case !counted:
		p.State = checks.MaybeGone
	default:
		p.State, p.Gone, p.GoneKnown = checks.PartlyGone, gone, true
		if p.To != nil {
			k.judgeLeft(p, ends)
		}
	}
}

// judgeEnd is a batch of which only the end is recorded: a part that joined with it, or the first batch.
func (k *heldSource) judgeEnd(p *checks.KeptPart, ends *source.Position) {
	switch {
	case p.Latest != nil && k.beyond(*ends, *p.Latest):
		p.State = checks.Beyond
	case p.Earliest == nil:
	case p.Earliest.Order == source.Number && p.Earliest.Num == 0:
		p.State = checks.Complete
	default:
		if gone, _, known := k.gone(*ends, *p.Earliest); known && gone > 0 {
			p.State = checks.AllGone
		}
	}
}

// judgeLeft is what is left of a batch that lost its beginning.
func (k *heldSource) judgeLeft(p *checks.KeptPart, ends *source.Position) {
	if k.Wholes() {
		if n, ok := lead(*ends).Minus(lead(*p.Earliest)); ok && (n < 0 || n == 0 && ends.Sub < 0) {
			p.State = checks.AllGone
		}
		return
	}
	left, ok := ends.Minus(*p.Earliest)
	p.Left, p.LeftKnown = max(left, 0), ok
	if ok && left <= 0 {
		p.State = checks.AllGone
	}
}

// counts reports whether positions of the source count records one by one.
func (k *heldSource) counts(p source.Position) bool {
	return k.Kind().Unit == "records" && p.Order == source.Number
}

// next is a position as the next thing to read, where the source counts records and names the last one read.
func (k *heldSource) next(p *source.Position) *source.Position {
	if p == nil || !k.counts(*p) || !k.Recorded.Kind.Inclusive {
		return p
	}
	n := p.Num + 1
	return &source.Position{Text: strconv.FormatInt(n, 10), Order: source.Number, Num: n}
}

// lead is a position by its leading number alone.
func lead(p source.Position) source.Position {
	return source.Position{Text: p.Text, Order: source.Number, Num: p.Num}
}

// caughtUp reports whether nothing at all of what exists is needed: a Delta source is before the first file
// of a version that does not exist yet.
func (k *heldSource) caughtUp(from source.Position, latest *source.Position) bool {
	return k.Kind().Ahead && latest != nil && from.Order == source.Pair && from.Num >= latest.Num && from.Sub < 0
}

// gone is how much lies between where a start begins and the first that is left: more than 0 where the source
// begins later. counted is false where the number means no more than that; known is false where the two do not
// compare.
func (k *heldSource) gone(from, earliest source.Position) (n int64, counted, known bool) {
	switch {
	case k.Kind().MayBeDone:
		// The splits of the snapshot itself may all have been read: what is certain comes after it.
		n, counted = lead(earliest).Minus(lead(from))
		return n - 1, counted, counted
	case k.Wholes():
		n, counted = lead(earliest).Minus(lead(from))
		return n, counted, counted
	}
	if k.counts(from) {
		n, counted = earliest.Minus(from)
		return n, counted, counted
	}
	if earliest.Order == source.Number && from.Order == source.BigNumber {
		// A time: what was written after the newest batch was planned, and before it, is gone. What that batch left is
		// older than it, and how much older is not recorded.
		if k.Recorded.Time > 0 && earliest.Num > k.Recorded.Time+clockSkew.Milliseconds() {
			return 1, false, true
		}
		return 0, false, false
	}
	c, ok := earliest.Compare(from)
	return int64(c), false, ok
}

// beyond reports whether a source ends before a position.
func (k *heldSource) beyond(at, latest source.Position) bool {
	if k.Wholes() {
		// A query that has read all is at the version to come. Who takes latest for the newest version there is
		// tells one less, which proves nothing.
		n, ok := lead(at).Minus(lead(latest))
		return ok && n > 1
	}
	c, ok := at.Compare(latest)
	return ok && c > 0
}

// between is how many units lie from one position to a later one.
func (k *heldSource) between(from, to source.Position) (int64, bool) {
	if k.Wholes() {
		n, ok := lead(to).Minus(lead(from))
		return max(n, 0), ok
	}
	if !k.counts(from) {
		return 0, false
	}
	n, ok := to.Minus(from)
	return max(n, 0), ok
}

// clockSkew is how far the clocks of a cluster and of a source may differ before a difference proves something.
const clockSkew = time.Minute

// remade reports whether a part belongs to a topic, or to a source, that was made after the newest plan.
func (k *heldSource) remade(part string) bool {
	for _, c := range k.Created {
		if k.madeAfter(c, k.Recorded.Time) && (c.Name == "" || c.Name == topicOf(part)) {
			return true
		}
	}
	return false
}

func (k *heldSource) madeAfter(c availability.Created, batch int64) bool {
	return batch > 0 && c.Time > batch+clockSkew.Milliseconds()
}

// topicOf is the topic of a part: "orders" of "orders/0"; the part itself where it names none.
func topicOf(part string) string {
	if i := strings.LastIndexByte(part, '/'); i > 0 {
		return part[:i]
	}
	return part
}
