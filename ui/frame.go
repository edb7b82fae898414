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
	"tidemark/internal/phrase"
	"tidemark/ui/kit"
)

// bodyHeight is how many lines the frame leaves to a screen.
func (a *App) bodyHeight() int {
	if a.h >= kit.Roomy {
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
	v.WindowTitle = "tidemark " + phrase.Middle(kit.Safe(a.Location), 60)
	v.KeyboardEnhancements.ReportAlternateKeys = true
	return v
}

// frame draws all lines. A panic outside of the screen, which body catches, leaves a line that says so.
func (a *App) frame() (content string) {
	defer func() {
		if p := recover(); p != nil {
			lines := phrase.Wrap(kit.Safe(kit.BrokeDown(p).Error()), a.w)
			content = strings.Join(kit.Fill(lines, a.h), "\n")
		}
	}()
	if a.w <= 0 || a.h <= 0 {
		return "" // the terminal has not said its size yet
	}
	var lines []string
	if a.w < kit.LeastWidth || a.h < kit.LeastHeight {
		need := fmt.Sprintf("tidemark needs %d×%d, has %d×%d", kit.LeastWidth, kit.LeastHeight, a.w, a.h)
		lines = append(lines, " "+a.strip(a.w-1), " "+need)
	} else {
		body := a.body(a.w, a.bodyHeight())
		lines = append(lines, a.header(a.w), " "+a.Theme.Strong.Styled(joined(a.trailIn(a.crumbsRoom())))+a.AsOfMark(), " "+a.strip(a.w-1))
		rule := a.Theme.Dim.Styled(strings.Repeat("─", a.w))
		if a.h >= kit.Roomy {
			lines = append(lines, rule)
		}
		lines = append(lines, kit.Fill(body, a.bodyHeight())...)
		lines = append(lines, a.tourView(a.w)...)
		if a.h >= kit.Roomy {
			lines = append(lines, rule)
		}
		lines = append(lines, a.footer(a.w))
	}
	lines = kit.Fill(lines, a.h)
	for i, l := range lines {
		lines[i] = a.Theme.Plain(phrase.Cut(a.Theme.Plain(l), a.w))
	}
	return strings.Join(lines, "\n")
}

// crumbsRoom is how many cells there are for the crumbs.
func (a *App) crumbsRoom() int { return a.w - 1 - phrase.Width(a.AsOfMark()) }

// body draws the top screen. A panic there shows in its place, and the keys go on working.
func (a *App) body(w, h int) (lines []string) {
	defer func() {
		if p := recover(); p != nil {
			lines = append([]string{""}, phrase.Wrap(kit.Safe(kit.BrokeDown(p).Error()), w)...)
		}
	}()
	lines = a.top().View(w, h)
	switch {
	case a.menu != nil:
		lines = over(lines, a.menuView(w), h)
	case a.saving.IsOpen():
		lines = over(lines, append([]string{a.Theme.Dim.Styled(kit.Ruler(w))}, a.saving.View(&a.Theme, w)...), h)
	case a.prompt.Typing:
		lines = over(lines, a.offersView(w), h)
	}
	return lines
}

func (a *App) header(w int) string {
	query, version, how := "", "", ""
	if id := a.Verdict.QueryID; id != "" {
		query = "query " + kit.Safe(id[:min(len(id), 8)]) + "   "
	}
	if a.Verdict.Known && a.Verdict.Spark != (spark.Version{}) {
		version, how = "Spark "+a.Verdict.Spark.String(), " inferred   "
		if a.Examine.Spark != (spark.Version{}) {
			how = " as asked   "
		}
	}
	who := a.Identity(a.Location)
	if who != "" {
		who = "as " + kit.Safe(who) + "   "
	}
	// The location matters most: what else there is to say gives way until most of it fits.
	tail, room := "", 0
	for _, t := range []string{query + version + how + who, query + version + "   " + who, query + version + "   ", query, ""} {
		tail = strings.TrimLeft(t, " ") + "read-only"
		if room = w - len(" tidemark   ") - phrase.Width(tail) - 3; room >= min(phrase.Width(kit.Safe(a.Location)), w*2/5) {
			break
		}
	}
	return " " + a.Theme.Strong.Styled("tidemark") + "   " + phrase.Fit(phrase.Middle(kit.Safe(a.Location), room), room) + "  " + a.Theme.Dim.Styled(tail)
}

// strip is the verdict in one line, there on every screen.
func (a *App) strip(w int) string {
	t := &a.Theme
	switch {
	case a.Err != nil && a.Checkpoint == nil:
		return t.Bad.Styled("✗ cannot be opened") + ": " + kit.Safe(a.Err.Error())
	case a.Checkpoint == nil && a.Open == nil:
		if x := a.chooser(); x != nil {
			return x.Summary(w)
		}
		return ""
	case a.Checkpoint == nil:
		return "… opening " + phrase.Middle(kit.Safe(a.Location), max(w-10, 0))
	}
	counts := a.counts()
	switch {
	case a.Err != nil:
		counts = t.Bad.Styled("✗ could not be read again") + ", this is from before   " + counts
	case a.Opening:
		counts = "… reading again   " + counts
	}
	if !a.Verdict.Known {
		return counts
	}
	return counts + "   " + kit.RestartStrip(&a.Session)
}

// counts says how many findings there are, and whether all was looked at.
func (a *App) counts() string {
	t, v := &a.Theme, &a.Verdict
	var parts []string
	tally := v.Tally()
	for s := checks.Critical; s >= checks.Info; s-- {
		if tally[s] > 0 {
			symbol, style := t.Severity(s)
			parts = append(parts, style.Styled(fmt.Sprintf("%s %d %s", symbol, tally[s], s)))
		}
	}
	switch {
	case !v.Done && len(parts) == 0:
		parts = append(parts, "… nothing found so far"+a.progress())
	case !v.Done:
		parts = append(parts, "… so far"+a.progress())
	case v.Open() && len(parts) == 0:
		parts = append(parts, t.Unknown.Styled("? nothing found, and not everything was looked at"))
	case v.Open():
		parts = append(parts, t.Unknown.Styled("? not everything was looked at"))
	case len(parts) == 0:
		parts = append(parts, t.Good.Styled("✓ nothing found"))
	}
	return strings.Join(parts, "   ") + a.NewsMark()
}

func (a *App) progress() string {
	if p := a.Verdict.Progress; p.Of > 0 {
		return fmt.Sprintf(", %s of %s batches looked at", phrase.Count(p.Batches), phrase.Count(p.Of))
	}
	return ""
}

// footer is what the keys do here, or what has just happened; and on the right what the storage did.
func (a *App) footer(w int) string {
	right := a.traffic()
	if p, ok := a.top().Screen.(kit.Placed); ok {
		if at := p.Place(); at != "" {
			right = strings.TrimSpace(at + "   " + right)
		}
	}
	room := w - 1
	if right != "" {
		right = phrase.Middle(right, max(w/2, 1))
		room -= phrase.Width(right) + 3
	}
	if right != "" && a.notice != "" && phrase.Width(kit.Safe(a.notice)) > room { // what has just happened matters more
		right, room = "", w-1
	}
	left := a.hints(room)
	if a.prompt.Typing {
		left = phrase.Cut(a.promptLine(room), room)
	} else if a.notice != "" {
		left = a.Theme.Strong.Styled(phrase.Cut(kit.Safe(a.notice), room))
	}
	if right == "" {
		return " " + left
	}
	return " " + phrase.Fit(left, room) + "  " + a.Theme.Dim.Styled(right)
}

func (a *App) traffic() string {
	t := a.Traffic()
	var parts []string
	if words := a.followWords(); words != "" {
		parts = append(parts, words)
	}
	if t.Retry != "" {
		parts = append(parts, kit.Safe(t.Retry))
	}
	if a.busy() && t.Listed > 0 && a.w >= kit.WideFrom {
		parts = append(parts, phrase.Count(t.Listed)+" listed")
	}
	if t.Requests > 0 && a.w < kit.WideFrom {
		parts = append(parts, phrase.Count(t.Requests)+" req "+phrase.Bytes(t.Bytes))
	} else if t.Requests > 0 {
		parts = append(parts, phrase.Units(t.Requests, "requests")+"  "+phrase.Bytes(t.Bytes))
	}
	if seconds := int64(a.Now().Sub(a.began) / time.Second); (a.Opening || a.Examining) && seconds > 0 {
		parts = append(parts, phrase.Count(seconds)+" s")
	}
	return strings.Join(parts, "   ")
}

// hints are as many keys as fit in w cells, those of the screen first; help is always one of them. While
// something is chosen or typed they are the keys of that.
func (a *App) hints(w int) string {
	if a.menu != nil {
		return a.fitting(a.menu.keys(), key.Help{Key: "esc", Desc: "leave"}, w)
	}
	if t, ok := a.top().Screen.(kit.Typist); a.saving.IsOpen() || ok && t.Typing() {
		return a.fitting([]key.Help{{Key: "enter", Desc: "done"}}, key.Help{Key: "esc", Desc: "drop it"}, w)
	}
	bindings := slices.DeleteFunc(slices.Clone(a.top().Keys()), kit.IsMoving)
	if a.busy() {
		stop := kit.Keys.Stop
		stop.SetHelp("ctrl+c", "stop")
		if w >= kit.RoomForStop {
			stop.SetHelp("ctrl+c", "keeps what has arrived")
		}
		bindings = append([]key.Binding{stop}, bindings...)
	}
	if a.Open != nil {
		bindings = append(bindings, hinted...)
	}
	var hints []key.Help
	for _, b := range bindings {
		if b.Help().Desc != a.top().Title() {
			hints = append(hints, key.Help{Key: a.Label(b), Desc: b.Help().Desc})
		}
	}
	return a.fitting(hints, key.Help{Key: a.Label(kit.Keys.Help), Desc: "help"}, w)
}

// fitting writes as many hints as fit in w cells, each key once, and after them the last one.
func (a *App) fitting(hints []key.Help, last key.Help, w int) string {
	var b strings.Builder
	used := phrase.Width(last.Key) + 1 + phrase.Width(last.Desc)
	var seen []string
	for _, h := range hints {
		n := phrase.Width(h.Key) + 1 + phrase.Width(h.Desc) + 2
		if used+n > w || slices.Contains(seen, h.Key) {
			continue
		}
		seen = append(seen, h.Key)
		used += n
		b.WriteString(a.Theme.Accent.Styled(h.Key) + " " + h.Desc + "  ")
	}
	return b.String() + a.Theme.Accent.Styled(last.Key) + " " + last.Desc
}

// hinted are the keys of screens that the footer names everywhere, the one of the first screen last.
var hinted = func() (all []key.Binding) {
	for _, c := range kit.ScreenRows(specs) {
		if c.Hint > 0 && c.Title != first.Title {
			all = append(all, c.Key)
		}
	}
	return append(all, first.Key)
}()
