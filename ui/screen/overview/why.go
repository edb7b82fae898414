package overview

import (
	"fmt"
	"path"
	"strings"

	"tidemark/internal/checks"
	"tidemark/internal/page"
	"tidemark/internal/phrase"
	"tidemark/ui/kit"
)

// The panel of why a restart is as the banner says: facts of the kind that the reason is of.

// whyPanel is what Spark will do at a restart, or why it must not be tried. brief leaves out what the reason says already.
func (o *model) whyPanel(brief bool) *kit.Panel {
	s := o.Session
	p := &kit.Panel{ID: whyID, Rank: 3, Least: 2}
	switch s.Decision().State {
	case checks.Stop:
		p.Sign = phrase.Tones[phrase.Bad]
		if p.Title = "Why not yet"; s.Verdict.Refused() {
			p.Title = "Why it fails"
		}
		p.Text = func(w int) []string { return o.cause(w, brief) }
	case checks.NoVerdict:
		p.Title = "What happened"
		p.Text = o.unread
	default:
		p.Title = "What the restart does"
		p.Text = func(w int) []string { return o.does(w, brief) }
	}
	p.Fold = func(w int) string { return kit.FirstLines(append(p.Text(w), ""), 1)[0] }
	return p
}

// cause is why a restart fails, or must wait.
func (o *model) cause(w int, brief bool) []string {
	v := &o.Session.Verdict
	load, drift, found := o.brokenLoad(), o.stoppingDrift(), o.stoppingFinding()
	var lines []string
	switch {
	case v.Refused() && load != nil:
		lines = o.ofState(load, w, brief)
	case v.Refused() && drift != nil && (found == nil || found.OfDrift):
		lines = o.ofDrift(w, brief)
	case found == nil && drift != nil:
		lines = o.ofDrift(w, brief)
	case found != nil && found.Damage == checks.TwoWriters:
		lines = o.ofWriters(found, w)
	case found != nil && found.Question == checks.ReplaySafe && len(lostParts(v)) > 0:
		lines = o.ofSources(w, brief)
	default:
		lines = o.ofFiles(found, w)
	}
	if found != nil && !brief {
		lines = append(append(lines, ""), phrase.Wrap(likely(kit.Prose(found.Meaning)), w)...)
	}
	return lines
}

// likely is the sentence of a meaning that names the likely cause, or its first one.
func likely(meaning string) string {
	sentences := strings.SplitAfter(meaning, ". ")
	for _, text := range sentences {
		if strings.HasPrefix(text, "Likely cause") {
			return strings.TrimSpace(text)
		}
	}
	return strings.TrimSpace(sentences[0])
}

// brokenLoad is the state store whose version cannot be rebuilt, first the one that the verdict names; nil for none.
func (o *model) brokenLoad() (load *checks.Load) {
	v := &o.Session.Verdict
	for i := range v.Loads {
		switch l := &v.Loads[i]; {
		case l.Loadable >= l.Version:
		case strings.Contains(v.Restart.Because, l.Dir+"/"):
			return l
		case load == nil:
			load = l
		}
	}
	return load
}

// stoppingDrift is the first difference that stops a restart; nil for none.
func (o *model) stoppingDrift() *checks.Drift {
	for i := range o.Session.Verdict.Drift {
		if d := &o.Session.Verdict.Drift[i]; d.Effect == checks.Misreads || d.Effect == checks.RefusesDrift {
			return d
		}
	}
	return nil
}

// stoppingFinding is the worst finding about the next start; nil for none.
func (o *model) stoppingFinding() *checks.Finding {
	for i := range o.Session.Verdict.Findings {
		if f := &o.Session.Verdict.Findings[i]; f.Severity >= checks.High && !f.Later {
			return f
		}
	}
	return nil
}

// ofState is a state version that cannot be rebuilt: what is needed, its files, and the newest version that loads.
func (o *model) ofState(l *checks.Load, w int, brief bool) []string {
	s, t, v := o.Session, &o.Session.Theme, &o.Session.Verdict
	store := fmt.Sprintf("operator %d, partition %d", l.Operator, l.Partition)
	if l.Name != "" && l.Name != "default" {
		store += ", " + kit.Safe(l.Name)
	}
	var f kit.Facts
	if !brief {
		f.Say("needs", fmt.Sprintf("version %d of %s", l.Version, store))
	}
	room := f.Room(w, "intact")
	chain := t.Signs(kit.DrawChain(kit.LinksOf(l, flawsIn(v, l.Dir)), room, t.Bad))
	if brief && phrase.Width(chain)+3+phrase.Width(store) <= room {
		chain += "   " + t.Dim.Styled(store)
	}
	f.Line("chain", chain)
	switch {
	case l.Loadable > 0:
		f.Say("intact", fmt.Sprintf("version %d, written by batch %d", l.Loadable, l.Loadable-1))
	default:
		f.Say("intact", "no version of this partition")
	}
	if n := brokenLoads(v) - 1; n > 0 {
		f.Say("others", phrase.Units(int64(n), "other state stores")+" cannot load either; "+s.FirstKey(kit.Keys.State)+" shows them")
	}
	if !brief {
		o.spark(&f, path.Base(l.Asked))
	}
	return f.Lines(t, w)
}

// spark adds Spark's error, about a file where one is named.
func (o *model) spark(f *kit.Facts, file string) {
	text := kit.Prose(o.Session.Verdict.Restart.Error)
	switch {
	case text == "" || !o.Session.Verdict.Refused():
		return
	case file != "." && strings.HasPrefix(text, "does not exist"):
		text = "…/" + kit.Safe(file) + " " + text
	}
	f.Say("error", "Spark: "+text)
}

func brokenLoads(v *checks.Verdict) (n int) {
	for i := range v.Loads {
		if v.Loads[i].Loadable < v.Loads[i].Version {
			n++
		}
	}
	return n
}

// flawsIn is what is wrong with files in a folder, in a word, by their paths.
func flawsIn(v *checks.Verdict, dir string) map[string]string {
	flaws := map[string]string{}
	for i := range v.Findings {
		if f := &v.Findings[i]; f.Severity > checks.Info && path.Dir(f.Where.File) == dir {
			flaws[f.Where.File] = kit.FlawWord(f.Code)
		}
	}
	return flaws
}

// driftsShown is how many differences are shown.
const driftsShown = 3

// ofDrift is what the query declares otherwise than the checkpoint records it.
func (o *model) ofDrift(w int, brief bool) (lines []string) {
	t, shown := &o.Session.Theme, 0
	for i := range o.Session.Verdict.Drift {
		d := &o.Session.Verdict.Drift[i]
		if d.Effect != checks.Misreads && d.Effect != checks.RefusesDrift {
			continue
		}
		if shown++; shown > driftsShown || brief && shown > 1 {
			continue
		}
		var f kit.Facts
		f.Tell("differs", kit.Safe(d.Field), t.Strong)
		f.Say("recorded", kit.Prose(checks.OrNothing(d.Recorded)))
		f.Say("declared", kit.Prose(checks.OrNothing(d.Declared)))
		if d.Error != "" {
			f.Say("error", "Spark: "+kit.Prose(d.Error))
		}
		lines = append(lines, f.Lines(t, w)...)
	}
	limit := driftsShown
	if brief {
		limit = 1
	}
	if more := shown - limit; more > 0 {
		lines = append(lines, t.Dim.Styled(fmt.Sprintf("… %d more · %s shows them", more, o.Session.FirstKey(kit.Keys.Drift))))
	}
	return lines
}

// ofWriters are the two files that two runs wrote for one batch.
func (o *model) ofWriters(found *checks.Finding, w int) []string {
	s, id := o.Session, found.Batch
	var f kit.Facts
	second := kit.Safe(found.Where.File)
	if path.Base(second) == fmt.Sprint(id) { // the log itself shows that the query went back
		f.Say("batch", fmt.Sprint(id))
		f.Say("file", second)
		f.Say("shows", kit.Prose(found.Evidence))
		return f.Lines(&s.Theme, w)
	}
	f.Say("batch", fmt.Sprintf("%d, planned twice", id))
	f.Say("first", fmt.Sprintf("%s/%d", path.Dir(second), id))
	f.Line("second", phrase.Middle(second, f.Room(w, "commit")))
	commit := "none"
	if s.Committed(id) {
		commit = fmt.Sprintf("commits/%d", id)
	}
	f.Say("commit", commit)
	return f.Lines(&s.Theme, w)
}

// partsShown is how many partitions of sources are shown.
const partsShown = 4

// ofSources is what the sources do not have any more of what a restart reads.
func (o *model) ofSources(w int, brief bool) []string {
	t, v := &o.Session.Theme, &o.Session.Verdict
	lost, shown := lostParts(v), partsShown
	if brief {
		shown = 1
	}
	var f kit.Facts
	for _, l := range lost[:min(len(lost), shown)] {
		k, p := l.source, l.part
		f.Tell("source", page.PartName(v, k.Recorded.Index, p.Name), t.Strong)
		if p.From != nil {
			f.Say("needs", "from "+k.Say(p.From))
		}
		if p.Earliest != nil {
			f.Say("oldest", k.Say(p.Earliest))
		}
		if p.GoneKnown {
			f.Tell("gone", phrase.Units(p.Gone, p.Unit), t.Bad)
		} else {
			f.Say("gone", page.Remains(p))
		}
		if p.LeftKnown {
			f.Say("left", phrase.Units(p.Left, p.Unit))
		}
	}
	lines := f.Lines(t, w)
	if more := len(lost) - shown; more > 0 {
		lines = append(lines, t.Dim.Styled(fmt.Sprintf("… %d more partitions · %s shows them", more, o.Session.FirstKey(kit.Keys.Sources))))
	}
	return lines
}

// lostPart is a partition of a source that does not have, or may not have, what a restart reads.
type lostPart struct {
	source *checks.KeptSource
	part   *checks.KeptPart
}

func lostParts(v *checks.Verdict) (all []lostPart) {
	if v.Kept == nil {
		return nil
	}
	for i := range v.Kept.Sources {
		k := &v.Kept.Sources[i]
		for j := range k.Reads {
			if k.Reads[j].State.Lost() {
				all = append(all, lostPart{k, &k.Reads[j]})
			}
		}
	}
	return all
}

// ofFiles is a finding about a file, or what is known of a start that fails where no finding says more.
func (o *model) ofFiles(found *checks.Finding, w int) []string {
	s, v := o.Session, &o.Session.Verdict
	var f kit.Facts
	if found != nil {
		f.Say("finding", found.Code)
		f.Say("at", page.FindingPlace(found))
		if text := kit.Prose(found.Evidence); text != "" && !strings.EqualFold(strings.TrimSuffix(s.Decision().Because, "."), text) {
			f.Say("shows", text)
		}
	}
	if v.Refused() && v.Restart.Because != "" && found == nil {
		f.Say("because", kit.Prose(v.Restart.Because))
	}
	o.spark(&f, ".")
	return f.Lines(&s.Theme, w)
}
