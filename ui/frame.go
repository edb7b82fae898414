package ui

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"charm.land/bubbles/v2/key"
	tea "charm.land/bubbletea/v2"

	"tidemark/checkpoint/spark"
	"tidemark/internal/checks"
	"tidemark/internal/report"
	"tidemark/ui/widget"
)

// The frame around every screen: what is looked at, where we are, the verdict, and the keys.
//
//	tidemark   s3://lake/checkpoints/orders            query 1f0c9a2e   Spark 3.5 inferred   read-only
//	overview › findings
//	✗ 1 critical   ! 1 high   i 2      restart: REFUSES at batch 120
//	────────────────────────────────────────────────────────────────────
//	 … the screen …
//	────────────────────────────────────────────────────────────────────
//	enter open  / filter  ? help                                142 requests  1.3 MB

// The smallest terminal that a screen is drawn on. On a smaller one only the verdict is.
const (
	leastWidth  = 60
	leastHeight = 15
	roomy       = 30  // lines from which on the frame has rules
	roomForStop = 90  // cells for keys from which on it is said what stopping does
	wide        = 100 // cells from which on a detail stands beside its list
)

// bodyHeight is how many lines the frame leaves to a screen.
func (a *App) bodyHeight() int {
	if a.h >= roomy {
		return a.h - 6 - a.tourHeight()
	}
	return max(a.h-4-a.tourHeight(), 0)
}

// View draws one frame: exactly as many lines as the terminal has, none wider than it is.
func (a *App) View() tea.View {
	v := tea.NewView(a.frame())
	v.AltScreen = true
	if a.pointer {
		v.MouseMode = tea.MouseModeCellMotion
	}
	v.WindowTitle = "tidemark " + widget.Middle(safe(a.Location), 60)
	v.KeyboardEnhancements.ReportAlternateKeys = true
	return v
}

// frame draws all lines. A panic outside of the screen, which body catches, leaves a line that says so.
func (a *App) frame() (content string) {
	defer func() {
		if p := recover(); p != nil {
			lines := widget.Wrap(safe(brokeDown(p).Error()), a.w)
			content = strings.Join(fill(lines, a.h), "\n")
		}
	}()
	if a.w <= 0 || a.h <= 0 {
		return "" // the terminal has not said its size yet
	}
	var lines []string
	if a.w < leastWidth || a.h < leastHeight {
		need := fmt.Sprintf("tidemark needs %d×%d, has %d×%d", leastWidth, leastHeight, a.w, a.h)
		lines = append(lines, " "+a.strip(a.w-1), " "+need)
	} else {
		body := a.body(a.w, a.bodyHeight())
		lines = append(lines, a.header(a.w), " "+a.theme.strong.Styled(joined(a.trailIn(a.crumbsRoom())))+a.asOfMark(), " "+a.strip(a.w-1))
		rule := a.theme.dim.Styled(strings.Repeat("─", a.w))
		if a.h >= roomy {
			lines = append(lines, rule)
		}
		lines = append(lines, fill(body, a.bodyHeight())...)
		lines = append(lines, a.tourView(a.w)...)
		if a.h >= roomy {
			lines = append(lines, rule)
		}
		lines = append(lines, a.footer(a.w))
	}
	lines = fill(lines, a.h)
	for i, l := range lines {
		lines[i] = a.theme.plain(widget.Cut(a.theme.plain(l), a.w))
	}
	return strings.Join(lines, "\n")
}

// crumbsRoom is how many cells there are for the crumbs.
func (a *App) crumbsRoom() int { return a.w - 1 - widget.Width(a.asOfMark()) }

// fill makes lines exactly h lines.
func fill(lines []string, h int) []string {
	if len(lines) > h {
		return lines[:h]
	}
	for len(lines) < h {
		lines = append(lines, "")
	}
	return lines
}

// body draws the top screen. A panic there shows in its place, and the keys go on working.
func (a *App) body(w, h int) (lines []string) {
	defer func() {
		if p := recover(); p != nil {
			lines = append([]string{""}, widget.Wrap(safe(brokeDown(p).Error()), w)...)
		}
	}()
	lines = a.top().view(w, h)
	switch {
	case a.menu != nil:
		lines = over(lines, a.menuView(w), h)
	case a.saving.open():
		lines = over(lines, append([]string{a.theme.dim.Styled(ruler(w))}, a.saving.view(&a.theme, w)...), h)
	case a.prompt.Typing:
		lines = over(lines, a.offersView(w), h)
	}
	return lines
}

func (a *App) header(w int) string {
	query, version, how := "", "", ""
	if id := a.verdict.QueryID; id != "" {
		query = "query " + safe(id[:min(len(id), 8)]) + "   "
	}
	if a.verdict.Known && a.verdict.Spark != (spark.Version{}) {
		version, how = "Spark "+a.verdict.Spark.String(), " inferred   "
		if a.Examine.Spark != (spark.Version{}) {
			how = " as asked   "
		}
	}
	who := a.Identity(a.Location)
	if who != "" {
		who = "as " + safe(who) + "   "
	}
	// The location matters most: what else there is to say gives way until most of it fits.
	tail, room := "", 0
	for _, t := range []string{query + version + how + who, query + version + "   " + who, query + version + "   ", query, ""} {
		tail = strings.TrimLeft(t, " ") + "read-only"
		if room = w - len(" tidemark   ") - widget.Width(tail) - 3; room >= min(widget.Width(safe(a.Location)), w*2/5) {
			break
		}
	}
	return " " + a.theme.section.Styled("tidemark") + "   " + widget.Fit(widget.Middle(safe(a.Location), room), room) + "  " + a.theme.dim.Styled(tail)
}

// strip is the verdict in one line, there on every screen.
func (a *App) strip(w int) string {
	t := &a.theme
	switch {
	case a.err != nil && a.cp == nil:
		return t.critical.Styled("✗ cannot be opened") + ": " + safe(a.err.Error())
	case a.cp == nil && a.Open == nil:
		if x := a.chooser(); x != nil {
			return x.summary(w)
		}
		return ""
	case a.cp == nil:
		return "… opening " + widget.Middle(safe(a.Location), max(w-10, 0))
	}
	counts := a.counts()
	switch {
	case a.err != nil:
		counts = t.critical.Styled("✗ could not be read again") + ", this is from before   " + counts
	case a.opening:
		counts = "… reading again   " + counts
	}
	if !a.verdict.Known {
		return counts
	}
	return counts + "   " + restartStrip(&a.session)
}

// counts says how many findings there are, and whether all was looked at.
func (a *App) counts() string {
	t, v := &a.theme, &a.verdict
	var parts []string
	tally := v.Tally()
	for s := checks.Critical; s >= checks.Info; s-- {
		if tally[s] > 0 {
			symbol, style := t.severity(s)
			parts = append(parts, style.Styled(fmt.Sprintf("%s %d %s", symbol, tally[s], s)))
		}
	}
	switch {
	case !v.Done && len(parts) == 0:
		parts = append(parts, "… nothing found so far"+a.progress())
	case !v.Done:
		parts = append(parts, "… so far"+a.progress())
	case v.Open() && len(parts) == 0:
		parts = append(parts, t.unknown.Styled("? nothing found, and not everything was looked at"))
	case v.Open():
		parts = append(parts, t.unknown.Styled("? not everything was looked at"))
	case len(parts) == 0:
		parts = append(parts, t.good.Styled("✓ nothing found"))
	}
	return strings.Join(parts, "   ") + a.newsMark()
}

func (a *App) progress() string {
	if p := a.verdict.Progress; p.Of > 0 {
		return fmt.Sprintf(", %s of %s batches looked at", report.Count(p.Batches), report.Count(p.Of))
	}
	return ""
}

// footer is what the keys do here, or what has just happened; and on the right what the storage did.
func (a *App) footer(w int) string {
	right := a.traffic()
	if p, ok := a.top().screen.(placed); ok {
		if at := p.place(); at != "" {
			right = strings.TrimSpace(at + "   " + right)
		}
	}
	room := w - 1
	if right != "" {
		right = widget.Middle(right, max(w/2, 1))
		room -= widget.Width(right) + 3
	}
	if right != "" && a.notice != "" && widget.Width(safe(a.notice)) > room { // what has just happened matters more
		right, room = "", w-1
	}
	left := a.hints(room)
	if a.prompt.Typing {
		left = widget.Cut(a.promptLine(room), room)
	} else if a.notice != "" {
		left = a.theme.strong.Styled(widget.Cut(safe(a.notice), room))
	}
	if right == "" {
		return " " + left
	}
	return " " + widget.Fit(left, room) + "  " + a.theme.dim.Styled(right)
}

func (a *App) traffic() string {
	t := a.Traffic()
	var parts []string
	if words := a.followWords(); words != "" {
		parts = append(parts, words)
	}
	if t.Retry != "" {
		parts = append(parts, safe(t.Retry))
	}
	if a.busy() && t.Listed > 0 && a.w >= wide {
		parts = append(parts, report.Count(t.Listed)+" listed")
	}
	if t.Requests > 0 && a.w < wide {
		parts = append(parts, report.Count(t.Requests)+" req "+size(t.Bytes))
	} else if t.Requests > 0 {
		parts = append(parts, plural(t.Requests, "request")+"  "+size(t.Bytes))
	}
	if seconds := int64(a.Now().Sub(a.began) / time.Second); (a.opening || a.examining) && seconds > 0 {
		parts = append(parts, report.Count(seconds)+" s")
	}
	return strings.Join(parts, "   ")
}

// hints are as many keys as fit in w cells, those of the screen first; help is always one of them. While
// something is chosen or typed they are the keys of that.
func (a *App) hints(w int) string {
	if a.menu != nil {
		return a.fitting(a.menu.keys(), key.Help{Key: "esc", Desc: "leave"}, w)
	}
	if t, ok := a.top().screen.(typist); a.saving.open() || ok && t.typing() {
		return a.fitting([]key.Help{{Key: "enter", Desc: "done"}}, key.Help{Key: "esc", Desc: "drop it"}, w)
	}
	bindings := slices.DeleteFunc(slices.Clone(a.top().keys()), isMoving)
	if a.busy() {
		stop := keys.stop
		stop.SetHelp("ctrl+c", "stop")
		if w >= roomForStop {
			stop.SetHelp("ctrl+c", "keeps what has arrived")
		}
		bindings = append([]key.Binding{stop}, bindings...)
	}
	if a.Open != nil {
		bindings = append(bindings, hinted...)
	}
	var hints []key.Help
	for _, b := range bindings {
		if b.Help().Desc != a.top().title() {
			hints = append(hints, key.Help{Key: a.label(b), Desc: b.Help().Desc})
		}
	}
	return a.fitting(hints, key.Help{Key: a.label(keys.help), Desc: "help"}, w)
}

// fitting writes as many hints as fit in w cells, each key once, and after them the last one.
func (a *App) fitting(hints []key.Help, last key.Help, w int) string {
	var b strings.Builder
	used := widget.Width(last.Key) + 1 + widget.Width(last.Desc)
	var seen []string
	for _, h := range hints {
		n := widget.Width(h.Key) + 1 + widget.Width(h.Desc) + 2
		if used+n > w || slices.Contains(seen, h.Key) {
			continue
		}
		seen = append(seen, h.Key)
		used += n
		b.WriteString(a.theme.key.Styled(h.Key) + " " + h.Desc + "  ")
	}
	return b.String() + a.theme.key.Styled(last.Key) + " " + last.Desc
}

// hinted are the keys of screens that the footer names everywhere, the one of the first screen last.
var hinted = func() (all []key.Binding) {
	for _, c := range screenRows(specs) {
		if c.hint > 0 && c.title != first.title {
			all = append(all, c.key)
		}
	}
	return append(all, first.key)
}()
