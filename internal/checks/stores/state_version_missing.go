package stores

import (
	"context"
	"fmt"
	"strings"

	"tidemark/checkpoint/decode"
	"tidemark/checkpoint/state"
	"tidemark/internal/checks"
	"tidemark/internal/checks/basics"
	"tidemark/internal/phrase"
)

var StateVersionMissing = &checks.Check{
	Code:     "state-version-missing",
	Severity: checks.Critical,
	Question: checks.Intact,
	Damage:   checks.Broken,
	Lacks:    true,
	OfState:  true,
	Rejudge:  true,
	Title:    "the state version a restart loads cannot be rebuilt",
	Meaning: `The first batch after a restart loads this version of this store, and one of its files is missing. The batch fails at every
restart, and its error names the file. Other partitions are not affected. Likely causes: a lifecycle rule or clean-up, an incomplete copy,
or an incomplete upload. Versions Spark itself has purged are not needed.`,
	NextStep: `Look for the missing file in object versions, the trash or a backup. ` + basics.CopyFirst + `Put it back and
restart. If it cannot be recovered: roll back to the newest version every partition can load. For that, set the later files in offsets and
commits aside. The sources must still have those batches, and the sink must accept them twice.`,
	Avoid: `Do not create an empty file in its place or copy one from another partition: Spark may start and produce wrong results. Do not
delete the checkpoint.`,
	Run: runStateVersionMissing,
}

func runStateVersionMissing(ctx context.Context, p *checks.Pass) error {
	groups := map[string][]Need{} // the same gap in many partitions is told once
	var order []string
	for n := range Needs(p) {
		if len(n.Files()) == 0 || n.Chain.Whole() {
			continue
		}
		key := fmt.Sprint(n.Op.ID, n.name, n.Chain.Missing, n.Chain.Base)
		if groups[key] == nil {
			order = append(order, key)
		}
		groups[key] = append(groups[key], n)
	}
	if len(order) == 0 {
		return nil
	}
	for _, key := range order {
		g := groups[key]
		if len(g) <= fewFolders {
			for i := range g {
				if err := reportMissingVersion(ctx, p, &g[i], nil); err != nil {
					return err
				}
			}
			continue
		}
		var parts []int64
		for i := range g {
			parts = append(parts, int64(g[i].partition))
		}
		if err := reportMissingVersion(ctx, p, &g[0], parts); err != nil {
			return err
		}
	}
	return nil
}

// reportMissingVersion tells of one store, or of the same gap in several partitions.
func reportMissingVersion(ctx context.Context, p *checks.Pass, n *Need, partitions []int64) error {
	file := n.MissingFile(p)
	var b strings.Builder
	fmt.Fprintf(&b, "version %d needs %s: %s", n.Chain.Version, needed(&n.Chain), missingText(n, file))
	if len(partitions) > 0 {
		fmt.Fprintf(&b, ", and the same in partitions %s (%d in all)", phrase.List(basics.SpanNames(basics.Runs(partitions)), 5), len(partitions))
	}
	evidence, act, err := wayBack(ctx, p, n)
	b.WriteString(evidence)
	p.Report(checks.Finding{Severity: checks.Critical, Batch: n.Chain.Missing[0].From - 1, Where: decode.Where{File: n.Path(file)},
		Evidence: b.String(), NextStep: act})
	return err
}

// needed is what a version is rebuilt from: "22.snapshot and the changes of batches 22 to 25".
func needed(c *state.Chain) string {
	from := c.Base + 1
	changes := fmt.Sprintf("the changes of %s", basics.Span{First: from - 1, Last: c.Version - 1}.Batches())
	if c.Base == 0 {
		return changes + ", because no snapshot exists"
	}
	base := ""
	for _, f := range c.Files {
		if f.Version == c.Base {
			base = f.Name()
		}
	}
	return base + " and " + changes
}

// missingText names what is missing: "24.delta is missing", "12.zip and 12.changelog are both missing".
func missingText(n *Need, file string) string {
	first := n.Chain.Missing[0]
	text := file + " is missing"
	if at := strings.TrimSuffix(file, ".zip"); at != file {
		text = fmt.Sprintf("%s and %s.changelog are both missing", file, at)
	}
	count := int64(0)
	for _, m := range n.Chain.Missing {
		count += m.To - m.From + 1
	}
	if count > 1 {
		text += fmt.Sprintf(", and so are the files of %d later versions", count-1)
		if len(n.Chain.Missing) == 1 {
			text = fmt.Sprintf("%s (%d to %d)", text, first.From+1, first.To)
		}
	}
	return text
}
