package ui

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"charm.land/bubbles/v2/key"
	tea "charm.land/bubbletea/v2"

	"tidemark/checkpoint/spark"
	"tidemark/internal/phrase"
	"tidemark/ui/kit"
	"tidemark/ui/kit/widget"
)

// bodyHeight is how many lines the frame leaves to a screen: those above it and the footer are not the screen's.
func (a *App) bodyHeight() int { return max(a.h-1-a.bodyTop()-a.tourHeight(), 0) }

// bodyTop is the first line of the frame that is a screen's: below the header, the tabs and the banner.
func (a *App) bodyTop() int { return a.bannerTop() + 1 }

// bannerTop is the line of the banner. There are no tabs while a checkpoint is chosen.
func (a *App) bannerTop() int {
	if a.choosing() {
		return 1
	}
	return 2
}

// choosing reports whether no checkpoint is open, and one is to be chosen.
func (a *App) choosing() bool { return a.Checkpoint == nil && a.Open == nil && a.chooser() != nil }

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
		return strings.Join(a.small(), "\n")
	}
	lines = append(lines, a.header(a.w))
	if !a.choosing() {
		tabs, _ := a.tabsLine(a.w, 1)
		lines = append(lines, tabs)
	}
	lines = append(lines, a.banner(a.w))
	lines = append(lines, kit.Fill(a.body(a.w, a.bodyHeight()), a.bodyHeight())...)
	lines = append(lines, a.tourView(a.w)...)
	footer, _ := a.footer(a.w, a.h-1)
	lines = append(lines, footer)
	for i, l := range lines {
		lines[i] = a.Theme.Line(l, a.w)
	}
	return a.floated(strings.Join(kit.Fill(lines, a.h), "\n"))
}

// small is what is shown on a terminal that is too small for a screen: the banner, why, how much room is needed, and the key
// that leaves.
func (a *App) small() []string {
	d := a.Decision()
	sign := phrase.Verdicts.Of(string(d.State))
	lines := []string{a.Theme.Banner(sign.Role).Styled(phrase.Fit(" "+sign.Head(), a.w)), " " + d.Does,
		fmt.Sprintf(" needs %d×%d, has %d×%d", kit.LeastWidth, kit.LeastHeight, a.w, a.h),
		" " + a.WithKeys("%s quit", kit.Keys.QuitAll)}
	for i, l := range lines {
		lines[i] = a.Theme.Line(l, a.w)
	}
	return kit.Fill(lines, a.h)
}

// body draws the top screen. A panic there shows in its place, and the keys go on working.
func (a *App) body(w, h int) (lines []string) {
	defer func() {
		if p := recover(); p != nil {
			lines = append([]string{""}, phrase.Wrap(kit.Safe(kit.BrokeDown(p).Error()), w)...)
		}
	}()
	return a.top().View(w, h)
}

// header is the name of the program, where it looks, and the query with its release.
func (a *App) header(w int) string {
	parts := []string{"read-only"}
	if a.Verdict.Known && a.Verdict.Spark != (spark.Version{}) && a.Checkpoint != nil && a.Checkpoint.IsCheckpoint() {
		parts = append(parts, "Spark "+a.Verdict.Spark.String())
	}
	if who := a.Identity(a.Location); who != "" && (w >= kit.Wide || !a.Verdict.Known) {
		parts = append(parts, "identity "+kit.Safe(who))
	}
	if id := a.Verdict.QueryID; id != "" && w >= kit.TwoColumns {
		parts = append(parts, "query "+kit.Safe(id[:min(len(id), 8)]))
	}
	slices.Reverse(parts)
	location := kit.Safe(a.Location)
	room := 0
	tail := ""
	for ; ; parts = parts[1:] { // the location matters most: what else there is to say gives way until most of it fits
		tail = strings.Join(parts, " · ") + a.AsOfMark()
		room = w - len(" tidemark  ") - phrase.Width(tail) - 3
		if len(parts) == 1 || room >= min(phrase.Width(location), w*2/5) {
			break
		}
	}
	return " " + a.Theme.Accent.Styled("tidemark") + "  " + phrase.Fit(phrase.Middle(location, room), room) + "  " + a.Theme.Dim.Styled(tail)
}

// banner is the decision: across the whole line on the overview, else as a badge with the reason behind it. It is on every
// screen, keeps its words, and does not change because of a cursor.
func (a *App) banner(w int) string {
	t := &a.Theme
	if a.choosing() {
		sign, words := a.chooser().Banner()
		return t.Banner(sign.Role).Styled(" "+t.Signs(sign.Head())+" ") + "  " + t.Signs(words)
	}
	d := a.Decision()
	sign := phrase.Verdicts.Of(string(d.State))
	head := t.Signs(sign.Head())
	news := a.news()
	if a.top().Title() == first.Title && a.AsOf < 0 {
		left, right := " "+t.Strong.Styled(head)+"   "+t.Signs(d.Does), t.Signs(d.Aside+news)
		if w < kit.TwoColumns {
			right = news
		}
		if room := w - phrase.Width(left) - 2; phrase.Width(right) > room {
			right = ""
		}
		return t.Banner(sign.Role).Under(phrase.Fit(left, w-1-phrase.Width(right))+right+lastBlank(t), widget.Style{})
	}
	line := t.Banner(sign.Role).Under(" "+t.Strong.Styled(head)+" ", widget.Style{}) + " " + d.Does
	if d.Because != "" {
		line += t.Dim.Styled(" · " + d.Because)
	}
	return phrase.Fit(line, w-1-phrase.Width(news)) + t.Strong.Styled(news)
}

// lastBlank is the last cell of the banner: a blank that is drawn, where the renderer would clear the rest of the line, which some
// terminals do without the color of the ground.
func lastBlank(t *kit.Theme) string {
	if t.Ascii {
		return " "
	}
	return "\u00a0"
}

// news is what was read again, and what the last look changed.
func (a *App) news() string {
	switch {
	case a.Err != nil && a.Checkpoint != nil:
		return "  ✗ could not be read again; older data shown"
	case a.Opening && a.Checkpoint != nil:
		return "  … reading again"
	}
	return a.NewsMark()
}

// footer is what the keys do here, or what has just happened; and on the right what the storage does while something is read.
func (a *App) footer(w, y int) (string, []piece) {
	right := a.traffic()
	room := w - 1
	if right != "" {
		right = phrase.Middle(right, max(w/2, 1))
		room -= phrase.Width(right) + 3
	}
	notice := kit.Safe(a.notice)
	if right != "" && notice != "" && phrase.Width(notice) > room { // what has just happened matters more
		right, room = "", w-1
	}
	left, pieces := a.hints(room, y)
	if notice != "" {
		left, pieces = a.Theme.Strong.Styled(phrase.Cut(notice, room)), nil
	}
	if right == "" {
		return " " + left, pieces
	}
	return " " + phrase.Fit(left, room) + "  " + a.Theme.Dim.Styled(right), pieces
}

// traffic is what the storage does: while something is read, and while a query is followed.
func (a *App) traffic() string {
	t := a.Traffic()
	var parts []string
	if words := a.followWords(); words != "" {
		parts = append(parts, words)
	}
	if t.Retry != "" {
		parts = append(parts, kit.Safe(t.Retry))
	}
	if !a.busy() {
		return strings.Join(parts, "   ")
	}
	if t.Requests > 0 {
		parts = append(parts, phrase.Units(t.Requests, "requests")+"  "+phrase.Bytes(t.Bytes))
	}
	if seconds := int64(a.Now().Sub(a.began) / time.Second); (a.Opening || a.Examining) && seconds > 0 {
		parts = append(parts, phrase.Count(seconds)+" s")
	}
	return strings.Join(parts, "   ")
}

// hintLimit is how many keys the footer has at most.
const hintLimit = 6

// hints are the keys that do something now, in w cells: no more than six, those that open and move in time first, help last.
// While something is chosen or typed they are the keys of that.
func (a *App) hints(w, y int) (string, []piece) {
	help := hint{a.Label(kit.Keys.Help), "help", kit.PressOf(kit.Keys.Help)}
	if a.menu != nil {
		return a.laid(append(a.menu.keys(), hint{"esc", "close", nil}), w, y)
	}
	if t, ok := a.top().Screen.(kit.Typist); a.saving.IsOpen() || a.asking.IsOpen() || a.prompt.Typing || ok && t.Typing() {
		return a.laid([]hint{{"enter", "done", nil}, {"esc", "cancel", nil}}, w, y)
	}
	var all []hint
	add := func(key, does string, press kit.Input) {
		if !slices.ContainsFunc(all, func(h hint) bool { return h.key == key }) {
			all = append(all, hint{key, does, press})
		}
	}
	if a.busy() {
		add("ctrl+c", "stop", kit.PressOf(kit.Keys.Stop))
	}
	keys := a.top().Keys()
	has := func(b key.Binding) bool {
		return slices.ContainsFunc(keys, func(k key.Binding) bool { return kit.MarkOf(k) == kit.MarkOf(b) })
	}
	for _, b := range keys {
		switch mark := kit.MarkOf(b); {
		case kit.IsMoving(b) || !b.Enabled() || slices.Contains(lateHints, mark):
		case mark == kit.MarkOf(kit.Keys.Older) || mark == kit.MarkOf(kit.Keys.Newer):
			add(a.Label(kit.Keys.Older)+" "+a.Label(kit.Keys.Newer), "batch", nil)
		default:
			add(a.Label(b), b.Help().Desc, kit.PressOf(b))
		}
	}
	late := func(b key.Binding, does string) {
		if len(all) < hintLimit-1 {
			add(a.Label(b), does, kit.PressOf(b))
		}
	}
	all = all[:min(len(all), hintLimit-2)]
	if has(kit.Keys.Find) {
		late(kit.Keys.Find, "filter")
	}
	if a.Open != nil {
		late(kit.Keys.Command, "go to")
	}
	if has(kit.Keys.Pane) {
		late(kit.Keys.Pane, "panel")
	}
	return a.laid(append(all, help), w, y)
}

// lateHints are the keys that the footer names where there is room behind those of the screen.
var lateHints = []string{kit.MarkOf(kit.Keys.Find), kit.MarkOf(kit.Keys.Pane)}

// hint is a key, what it does, and the press that a click stands for.
type hint struct {
	key, does string
	press     kit.Input
}

// laid writes hints in w cells, the last one always, and says where each is.
func (a *App) laid(hints []hint, w, y int) (string, []piece) {
	gap := "   "
	if w < kit.TwoColumns-10 {
		gap = "  "
	}
	size := func(h hint) int { return phrase.Width(a.Theme.Signs(h.key)) + 1 + phrase.Width(h.does) }
	last := hints[len(hints)-1]
	used := size(last)
	var b strings.Builder
	var pieces []piece
	x := 1
	for i, h := range hints {
		if i < len(hints)-1 {
			if used+size(h)+len(gap) > w {
				continue
			}
			used += size(h) + len(gap)
		}
		if b.Len() > 0 {
			b.WriteString(gap)
			x += len(gap)
		}
		text := a.Theme.Accent.Styled(a.Theme.Signs(h.key)) + " " + h.does
		p := piece{x: x, y: y, text: text}
		if h.press != nil {
			p.do = func() tea.Cmd { return a.press(h.press) }
		}
		pieces = append(pieces, p)
		b.WriteString(text)
		x += size(h)
	}
	return b.String(), pieces
}
