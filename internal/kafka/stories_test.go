package kafka

import (
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"tidemark/internal/availability"
)

var idText = regexp.MustCompile(`\(ID [A-Za-z0-9_-]{22}\)`)

const week = "retention.ms=604800000"

// settingsFact is what is told of a topic that is kept for a week.
func settingsFact(topic string, partitions string) string {
	return "fact: topic " + topic + " (id) has " + partitions + ": cleanup.policy=delete, retention.ms=604800000 (7 days), retention.bytes=-1 (no limit)\n"
}

// TestStories are clusters to which something happened since a checkpoint stopped at planned.
func TestStories(t *testing.T) {
	before, after := planned.Add(-time.Hour), planned.Add(2*time.Minute)
	for _, story := range []struct {
		name     string
		happens  func(*fake)
		recorded availability.SourceProgress
		want     string
	}{{
		"nothing happened, and more was written",
		func(f *fake) {
			f.create("orders", 2, week)
			f.write("orders", 0, 20, before)
			f.write("orders", 1, 10, before)
			f.write("orders", 0, 5, after)
		},
		at(`{"orders":{"0":20,"1":10}}`),
		"orders/0: 0 to 25, stable 25, kept 168h0m0s, written 2m0s\norders/1: 0 to 10, stable 10, kept 168h0m0s\nwhole\n" + settingsFact("orders", "2 partitions"),
	}, {
		"retention passed",
		func(f *fake) {
			f.create("orders", 2, week)
			f.write("orders", 0, 20, before)
			f.write("orders", 1, 20, before)
			f.forget("orders", 0, 17)
			f.forget("orders", 1, 20)
		},
		at(`{"orders":{"0":12,"1":12}}`),
		"orders/0: 17 to 20, stable 20, kept 168h0m0s\norders/1: 20 to 20, stable 20, kept 168h0m0s\nwhole\n" + settingsFact("orders", "2 partitions"),
	}, {
		"made again, and shorter",
		func(f *fake) {
			f.create("orders", 1, week)
			f.write("orders", 0, 20, before)
			f.drop("orders")
			f.create("orders", 1, week)
			f.write("orders", 0, 3, after)
		},
		at(`{"orders":{"0":20}}`),
		"orders/0: 0 to 3, stable 3, kept 168h0m0s\nwhole\n" +
			"recreated orders 2m0s: its oldest record, 0 of orders/0, has the timestamp 2026-11-29 14:02:00 UTC\n" + settingsFact("orders", "1 partition"),
	}, {
		"made again, and longer: the position alone would tell nothing",
		func(f *fake) {
			f.create("orders", 2, week)
			f.write("orders", 0, 20, before)
			f.drop("orders")
			f.create("orders", 2, week)
			f.write("orders", 0, 50, after)
			f.write("orders", 1, 50, after.Add(time.Minute))
		},
		at(`{"orders":{"0":20,"1":10}}`),
		"orders/0: 0 to 50, stable 50, kept 168h0m0s, written 0s\norders/1: 0 to 50, stable 50, kept 168h0m0s, written 0s\nwhole\n" +
			"recreated orders 2m0s: its oldest record, 0 of orders/0, has the timestamp 2026-11-29 14:02:00 UTC\n" + settingsFact("orders", "2 partitions"),
	}, {
		"made again while a batch was planned: its end was reached once",
		func(f *fake) {
			f.create("orders", 1, week)
			f.write("orders", 0, 50, after)
		},
		again(`{"orders":{"0":0}}`, `{"orders":{"0":20}}`),
		"orders/0: 0 to 50, stable 50, kept 168h0m0s, written 2m0s\nwhole\n" +
			"recreated orders 2m0s: its oldest record, 0 of orders/0, has the timestamp 2026-11-29 14:02:00 UTC\n" + settingsFact("orders", "1 partition"),
	}, {
		"not made again: one partition still has what was read",
		func(f *fake) {
			f.create("orders", 2, week)
			f.write("orders", 0, 50, after) // a producer whose clock is wrong
			f.write("orders", 1, 50, before)
		},
		at(`{"orders":{"0":20,"1":50}}`),
		"orders/0: 0 to 50, stable 50, kept 168h0m0s, written 0s\norders/1: 0 to 50, stable 50, kept 168h0m0s\nwhole\n" + settingsFact("orders", "2 partitions"),
	}, {
		"not made again: times that lie in the future prove nothing",
		func(f *fake) {
			f.create("orders", 1, week)
			f.write("orders", 0, 50, now().Add(24*time.Hour))
		},
		at(`{"orders":{"0":20}}`),
		"orders/0: 0 to 50, stable 50, kept 168h0m0s\nwhole\n" +
			settingsFact("orders", "1 partition"),
	}, {
		"not made again: clocks differ by seconds",
		func(f *fake) {
			f.create("orders", 1, week)
			f.write("orders", 0, 50, planned.Add(20*time.Second))
		},
		at(`{"orders":{"0":20}}`),
		"orders/0: 0 to 50, stable 50, kept 168h0m0s, written -10h20m0s\nwhole\n" + settingsFact("orders", "1 partition"),
	}, {
		"deleted",
		func(f *fake) { f.create("refunds", 1) },
		at(`{"orders":{"0":20}}`),
		"whole\ngone: orders\nfact: the cluster has none of the topics (orders): they were deleted, or these brokers belong to another cluster\n",
	}, {
		"one of two deleted, a partition added to the other",
		func(f *fake) {
			f.create("refunds", 1, week)
			f.grow("refunds", 2)
			f.write("refunds", 1, 4, after)
		},
		at(`{"orders":{"0":20},"refunds":{"0":0}}`),
		"refunds/0: 0 to 0, stable 0, kept 168h0m0s\nrefunds/1: 0 to 4, stable 4, kept 168h0m0s\nwhole\ngone: orders\n" + settingsFact("refunds", "2 partitions") + "fact: the cluster has no topic orders\n",
	}, {
		"made again with fewer partitions while a batch was planned",
		func(f *fake) { f.create("orders", 1, week) },
		again(`{"orders":{"0":0,"1":0}}`, `{"orders":{"0":0,"1":0,"2":0}}`),
		"orders/0: 0 to 0, stable 0, kept 168h0m0s\nwhole\ngone: orders/1, orders/2\n" + settingsFact("orders", "1 partition"),
	}, {
		"compacted: time is no bound",
		func(f *fake) {
			f.create("shops", 1, "cleanup.policy=compact")
			f.write("shops", 0, 9, before)
		},
		at(`{"shops":{"0":4}}`),
		"shops/0: 0 to 9, stable 9\nwhole\nfact: topic shops (id) has 1 partition: cleanup.policy=compact (compaction removes older records of a key, so gaps between offsets are normal), " +
			"retention.ms=604800000 (7 days), retention.bytes=-1 (no limit)\n",
	}, {
		"bounded by size: time is no bound",
		func(f *fake) {
			f.create("shops", 1, "retention.bytes=1000000", "retention.ms=-1")
			f.write("shops", 0, 9, before)
		},
		at(`{"shops":{"0":4}}`),
		"shops/0: 0 to 9, stable 9\nwhole\nfact: topic shops (id) has 1 partition: cleanup.policy=delete, retention.ms=-1 (no limit), " +
			"retention.bytes=1000000 (a larger partition loses its oldest records earlier)\n",
	}, {
		"what comes next is older than the topic keeps it",
		func(f *fake) {
			f.create("orders", 1, week)
			f.write("orders", 0, 9, planned.Add(-10*24*time.Hour))
			f.write("orders", 0, 9, before)
		},
		at(`{"orders":{"0":4}}`),
		"orders/0: 0 to 18, stable 18, kept 168h0m0s\nwhole\n" + settingsFact("orders", "1 partition") +
			"fact: the first records of the restart are older than the topic retention and may be deleted at any time: orders/0\n",
	}, {
		"far behind: the search finds about how old the next record is",
		func(f *fake) {
			f.create("orders", 1, week)
			f.write("orders", 0, 9, planned.Add(-5*24*time.Hour))
			f.write("orders", 0, 9, planned.Add(-3*24*time.Hour))
		},
		at(`{"orders":{"0":9}}`),
		"orders/0: 0 to 18, stable 18, kept 168h0m0s, written -72h0m0s\nwhole\n" + settingsFact("orders", "1 partition"),
	}, {
		"two topics that are kept alike, one that is not",
		func(f *fake) {
			f.create("orders", 2, week)
			f.create("refunds", 1, week)
			f.create("shops", 1, "cleanup.policy=compact,delete", "retention.ms=-1")
		},
		at(`{"orders":{"0":0},"refunds":{"0":0},"shops":{"0":0}}`),
		"orders/0: 0 to 0, stable 0, kept 168h0m0s\norders/1: 0 to 0, stable 0, kept 168h0m0s\nrefunds/0: 0 to 0, stable 0, kept 168h0m0s\nshops/0: 0 to 0, stable 0\nwhole\n" +
			"fact: topics orders (id), refunds (id) have 3 partitions: cleanup.policy=delete, retention.ms=604800000 (7 days), retention.bytes=-1 (no limit)\n" +
			"fact: topic shops (id) has 1 partition: cleanup.policy=compact,delete (compaction removes older records of a key, so gaps between offsets are normal), " +
			"retention.ms=-1 (no limit), retention.bytes=-1 (no limit)\n",
	}, {
		"names that no topic has are not sent",
		func(f *fake) { f.create("orders", 1, week) },
		at(`{"orders":{"0":0},"a\u001b[2J":{"0":1},"` + strings.Repeat("x", 40000) + `":{"0":1},"..":{"0":1},"":{"0":2}}`),
		"orders/0: 0 to 0, stable 0, kept 168h0m0s\nwhole\n" + settingsFact("orders", "1 partition") +
			"unseen: not checked: \"\" (not a valid Kafka topic name)\nunseen: not checked: \"..\" (not a valid Kafka topic name)\n" +
			"unseen: not checked: \"a\\x1b[2J\" (not a valid Kafka topic name)\nunseen: not checked: \"" + strings.Repeat("x", 80) + "\" (not a valid Kafka topic name)\n",
	}} {
		t.Run(story.name, func(t *testing.T) {
			f := newFake(t).as()
			story.happens(f)
			_, got := f.ask(f.cluster(""), story.recorded)
			if diff := cmp.Diff(story.want, got); diff != "" {
				t.Error(diff)
			}
		})
	}
}
