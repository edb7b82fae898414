package ui

import (
	"errors"
	"fmt"
	"io/fs"
	"strconv"
	"strings"

	"charm.land/bubbles/v2/key"
	tea "charm.land/bubbletea/v2"

	"tidemark/checkpoint/decode"
	"tidemark/internal/phrase"
)

// The line after ":": a batch by its number, a file or a place in one as findings and the footer write it,
// or one of the commands. The palette and the help screen are drawn from the same list.
//
//	:120   :batch 120   :offsets/120:3@69   :state 0/3 /missing   :key {"shop_id": 7}

// command is one thing that a line can ask for.
type command struct {
	name string
	args string // what may stand after it: "N", "[OPERATOR] KEY"; "" for nothing
	need bool   // without something after it there is nothing to do
	does string
	key  key.Binding // the key that does the same; its zero value for none
	do   func(a *App, w *words) (tea.Cmd, error)
	// words are what may stand after the name: after the words before it, beginning with text; nil for nothing.
	words func(s *session, before []string, text string) []candidate
}

// commands are all there are, in the order in which help has them.
func commands() []command {
	return []command{
		{name: "overview", args: "[N]", does: "what a restart does, or how it stood at batch N", words: batchWords, key: keys.overview, do: goTo("overview")},
		{name: "batches", args: "[N]", does: "all batches, at one of them", key: keys.batches, do: goTo("batches"), words: batchWords},
		{name: "batch", args: "N", need: true, does: "one batch", do: (*App).commandBatch, words: batchWords},
		{name: "compare", args: "N M", need: true, does: "what two batches differ in", do: (*App).commandCompare, words: compareWords},
		{name: "findings", args: "[sort ORDER]", does: "all that was found", key: keys.findings, do: goTo("findings"), words: sortWords(sortNames(len(orders), findingOrder), noWords)},
		{name: "finding", args: "CODE [N]", need: true, does: "the first finding of a code, or the Nth", do: (*App).commandFinding, words: sortWords(sortNames(len(orders), findingOrder), findingWords)},
		{name: "state", args: "[OPERATOR[/PARTITION]] [batch N] [sort ORDER]", does: "the state stores, at one of them", key: keys.state, do: goTo("state"), words: sortWords(sortNames(len(stateOrders), stateOrder), storeWords)},
		{name: "rows", args: "OPERATOR[/PARTITION] [batch N] [since N] [key KEY]", need: true, does: "the rows of a state store, as a batch left them", do: (*App).commandRows, words: rowsWords},
		{name: "key", args: "[OPERATOR] KEY", need: true, does: "the rows of a key, in the operator whose key it fits", do: (*App).commandKey, words: storeWords},
		{name: "drift", args: "[FIELD]", does: "what the query declares now beside what is recorded", key: keys.drift, do: goTo("drift"), words: driftWords},
		{name: "sources", args: "[SOURCE [PART]] [batch N] [sort ORDER]", does: "the sources over time, at one of them", key: keys.sources, do: goTo("sources"), words: sortWords(sortNames(len(sourceOrders), sourceOrder), noWords)},
		{name: "replay", args: "[SOURCE PART]", does: "what the next start reads, and what of it is still there", key: keys.replay, do: goTo("replay")},
		{name: "output", args: "[N]", does: "what the query wrote, batch by batch", key: keys.output, do: goTo("output"), words: batchWords},
		{name: "plan", does: "the way to a new checkpoint", do: (*App).commandPlan},
		{name: "tree", args: "[PATH]", does: "the files, at one of them", key: keys.tree, do: goTo("tree"), words: fileWords},
		{name: "file", args: "PLACE", need: true, does: "a file decoded, at a place such as offsets/120:3@69", do: openFile(decoded), words: fileWords},
		{name: "text", args: "PLACE", need: true, does: "a file as text", do: openFile(asText), words: fileWords},
		{name: "bytes", args: "PLACE", need: true, does: "a file byte by byte", do: openFile(asBytes), words: fileWords},
		{name: "question", args: "1, 2 or 3", need: true, does: "why one of the three questions has its answer", key: keys.question, do: (*App).commandQuestion, words: questionWords},
		{name: "explain", does: "paste an error of Spark, and see what the checkpoint shows there", do: (*App).commandExplain},
		{name: "mark", does: "keep this view as a bookmark", key: keys.bookmark, do: func(a *App, _ *words) (tea.Cmd, error) { return a.bookmark(), nil }},
		{name: "bookmarks", does: "the views that were marked", key: keys.bookmarks, do: func(a *App, _ *words) (tea.Cmd, error) { return a.openBookmarks(), nil }},
		{name: "open", args: "LOCATION", need: true, does: "another checkpoint, or a folder that holds some", do: (*App).commandOpen},
		{name: "start", does: "choose another checkpoint", do: (*App).commandStart},
		{name: "help", does: "the keys of this screen", key: keys.help, do: (*App).commandHelp},
		{name: "quit", does: "leave", do: func(*App, *words) (tea.Cmd, error) { return tea.Quit, nil }},
	}
}

// errNotYet is that a line asks for what is still being read.
var errNotYet = errors.New("that is still being read")

// command does what a line asks for, or says in the footer why not. What is still being read is waited for.
func (a *App) command(line string) tea.Cmd {
	return a.obey(line, func(a *App) (tea.Cmd, error) { return a.perform(line, parseWords(line)) })
}

// visit opens a view by its line: the one on the stack that it already is, else a new one.
func (a *App) visit(line string) tea.Cmd {
	return a.obey(line, func(a *App) (tea.Cmd, error) {
		for i := len(a.stack) - 1; i >= 0; i-- {
			if commandOf(a.stack[i].screen) == line {
				return a.popTo(i), nil
			}
		}
		w := parseWords(line)
		w.anew = true
		return a.perform(line, w)
	})
}

func (a *App) obey(line string, do func(a *App) (tea.Cmd, error)) tea.Cmd {
	if a.waiting != nil {
		a.waiting, a.notice = nil, ""
	}
	cmd, err := do(a)
	switch {
	case errors.Is(err, errNotYet):
		a.waiting = func() tea.Cmd { return a.obey(line, do) }
		a.notice = fmt.Sprintf("… %s as soon as it is known · any key stays here", line)
	case err != nil:
		a.notice = err.Error()
	}
	return cmd
}

// perform does what a line asks for, once; errNotYet where it cannot be told yet what comes of it.
func (a *App) perform(line string, w *words) (tea.Cmd, error) {
	if w.empty() {
		return nil, nil
	}
	c, at, err := readLine(w)
	switch {
	case err != nil:
		return nil, err
	case c == nil && at.File == "":
		return a.sift(w.filter), nil
	case c != nil && (c.name == "quit" || c.name == "help" || c.name == "start" || c.name == "open"):
		return c.do(a, w)
	case a.cp == nil && a.Open == nil:
		return nil, errors.New("no checkpoint is open")
	case a.cp == nil && a.opening:
		return nil, errNotYet
	case a.cp == nil:
		return nil, errors.New("the checkpoint could not be opened")
	case c == nil:
		if !strings.Contains(at.File, "/") && a.cp.Root.Find(at.File) == nil {
			return nil, notKnown(line)
		}
		if len(w.list) > 0 {
			return nil, fmt.Errorf("%q is one word too many; a name with blanks stands in quotes", w.peek())
		}
		return a.pushSifted(newBytes(&a.session, at, -1), w), nil
	}
	return c.do(a, w)
}

// readLine is the command that a line begins with, or else the place in a file that it is; neither where
// it is only a filter. The first word is taken off.
func readLine(w *words) (*command, decode.Where, error) {
	if len(w.list) == 0 {
		return nil, decode.Where{}, nil
	}
	first := w.next()
	if _, err := strconv.ParseInt(first, 10, 64); err == nil {
		w.list = append([]word{{text: first}}, w.list...)
		first = "batch"
	}
	if first == "q" { // who comes from vi types it without thinking
		first = "quit"
	}
	if first == "open" && w.filter != "" { // a path begins with a slash too
		w.list, w.filter = append(w.list, word{text: "/" + w.filter}), ""
	}
	for _, c := range commands() {
		switch {
		case c.name != first:
		case c.need && len(w.list) == 0:
			return nil, decode.Where{}, fmt.Errorf("%s: what is asked for is missing: %s %s", c.name, c.name, c.args)
		case c.args == "" && len(w.list) > 0:
			return nil, decode.Where{}, fmt.Errorf("%s: %q is one word too many", c.name, w.peek())
		default:
			return &c, decode.Where{}, nil
		}
	}
	if at := parsePlace(first); fs.ValidPath(at.File) && first != "." {
		return nil, at, nil
	}
	return nil, decode.Where{}, notKnown(first)
}

func notKnown(line string) error {
	word, _, _ := strings.Cut(line, " ")
	var names []string
	for _, c := range commands() {
		names = append(names, c.name)
	}
	if near := phrase.Nearest(word, names); near != "" {
		return fmt.Errorf("%q is neither a command nor a file; did you mean %q?", word, near)
	}
	return fmt.Errorf("%q is neither a command, the number of a batch, nor a file · tab after : shows what there is", word)
}

// CheckView says what is wrong with the line of a view, as far as that shows without a checkpoint.
func CheckView(line string) error {
	w := parseWords(line)
	c, at, err := readLine(w)
	switch {
	case err != nil:
		return err
	case c == nil && at.File == "":
		return errors.New("no view is named")
	case c == nil && !strings.Contains(at.File, "/") && at.File != "metadata":
		return fmt.Errorf("%w (for a file of that name: file %s)", notKnown(line), at.File)
	case c == nil:
		return nil
	}
	switch c.name {
	case "overview", "batch", "batches", "compare":
		if len(w.list) > 0 {
			_, err = batchNumber(w.next())
		}
	case "state", "rows":
		if len(w.list) > 0 && w.peek() != "sort" && w.peek() != "batch" {
			_, err = parseStore(w.next())
		}
	case "question":
		_, err = questionNumber(w.next())
	case "file", "text", "bytes":
		_, err = validPlace(w.next())
	}
	return err
}

// ---- the commands

// goTo goes to a screen by its title, and hands it the rest of the line.
func goTo(title string) func(*App, *words) (tea.Cmd, error) {
	return func(a *App, w *words) (tea.Cmd, error) {
		if title == "state" && a.state == nil && !w.empty() {
			return nil, a.notThere("state")
		}
		return a.set(title, w)
	}
}

// notThere is why something that an examination tells is not known.
func (a *App) notThere(what string) error {
	if a.opening || a.examining {
		return errNotYet
	}
	return fmt.Errorf("the reading ended before %s was known; %s reads again", what, a.firstKey(keys.reread))
}

// set goes to a screen and hands it the rest of the line. Where it does not take it, nothing has happened.
func (a *App) set(title string, w *words) (tea.Cmd, error) {
	var cmd, more tea.Cmd
	var err error
	depth := len(a.stack)
	if title == "state" || title == "sources" {
		switch at, err := takeMoment(w); {
		case err != nil:
			return nil, err
		case at >= 0 && a.cp.Offsets.Find(at) == nil && a.cp.Commits.Find(at) == nil:
			return nil, noBatch(at)
		case at >= 0 || w.anew:
			a.asOf = at
		}
	} else if w.anew {
		a.asOf = -1
	}
	if w.anew {
		cmd = a.push(screens[title](&a.session))
	} else {
		cmd = a.jump(title)
	}
	if s, ok := a.top().screen.(settable); ok && len(w.list) > 0 {
		more, err = s.set(w)
	}
	if err == nil && len(w.list) > 0 {
		err = fmt.Errorf("%s: %q is not understood there", title, w.peek())
	}
	if err != nil && len(a.stack) > depth {
		a.pop()
		return nil, err
	}
	return tea.Batch(cmd, more, a.sift(w.filter)), err
}

// sift sets the filter of the screen that is shown, where one is given.
func (a *App) sift(filter string) tea.Cmd {
	s, ok := a.top().screen.(sifter)
	switch {
	case filter == "":
		return nil
	case !ok:
		a.notice = fmt.Sprintf("%s has no filter", a.top().title())
		return nil
	}
	s.sift(filter)
	return a.tell(a.top(), tea.WindowSizeMsg{Width: a.w, Height: a.h}) // other rows are in sight, and may have to be read
}

func (a *App) pushSifted(s screen, w *words) tea.Cmd {
	return tea.Batch(a.push(s), a.sift(w.filter))
}

func (a *App) commandBatch(w *words) (tea.Cmd, error) {
	id, err := batchNumber(w.next())
	switch {
	case err != nil:
		return nil, err
	case len(w.list) > 0:
		return nil, fmt.Errorf("batch: %q is one word too many", w.peek())
	case a.cp.Offsets.Find(id) == nil && a.cp.Commits.Find(id) == nil:
		return nil, noBatch(id)
	}
	return a.push(newBatch(&a.session, id)), nil
}

// commandCompare compares two batches.
func (a *App) commandCompare(w *words) (tea.Cmd, error) {
	first, err := batchNumber(w.next())
	if err != nil {
		return nil, err
	}
	second, err := batchNumber(w.next())
	if err != nil {
		return nil, err
	}
	for _, id := range []int64{first, second} {
		if a.cp.Offsets.Find(id) == nil && a.cp.Commits.Find(id) == nil {
			return nil, noBatch(id)
		}
	}
	return a.pushSifted(newCompare(&a.session, first, second), w), nil
}

func noBatch(id int64) error {
	return fmt.Errorf("there is no file of batch %d, neither in offsets nor in commits", id)
}

func (a *App) commandFinding(w *words) (tea.Cmd, error) { return a.set("findings", w) }

func (a *App) commandRows(w *words) (tea.Cmd, error) {
	if a.state == nil {
		return nil, a.notThere("state")
	}
	want, latest, err := takeRows(&a.session, w)
	if err != nil {
		return nil, err
	}
	return a.pushSifted(newRowsOf(&a.session, want, latest), w), nil
}

func (a *App) commandPlan(w *words) (tea.Cmd, error) {
	return a.pushSifted(newPlan(&a.session), w), nil
}

func (a *App) commandExplain(*words) (tea.Cmd, error) { return a.push(newExplaining(&a.session)), nil }

func (a *App) commandHelp(w *words) (tea.Cmd, error) {
	if _, open := a.top().screen.(*help); open {
		return nil, nil
	}
	return a.pushSifted(newHelp(&a.session, a.top().screen), w), nil
}

func (a *App) commandStart(*words) (tea.Cmd, error) {
	if a.stack[0].title() != "start" {
		return nil, errors.New("there is no start screen: a location was given on the command line")
	}
	return a.popTo(0), nil
}

func questionNumber(text string) (int, error) {
	n, err := strconv.Atoi(text)
	if err != nil || n < 1 || n > len(questionNames) {
		return 0, fmt.Errorf("%q is no question: there are 1 to %d", text, len(questionNames))
	}
	return n, nil
}

func (a *App) commandQuestion(w *words) (tea.Cmd, error) {
	n, err := questionNumber(w.next())
	if err != nil {
		return nil, err
	}
	return tea.Batch(a.openQuestion(n-1), a.sift(w.filter)), nil
}

// validPlace reads a place in a file within the checkpoint.
func validPlace(text string) (decode.Where, error) {
	at := parsePlace(text)
	if !fs.ValidPath(at.File) || at.File == "." {
		return at, fmt.Errorf("%q is no file within the checkpoint", at.File)
	}
	return at, nil
}

// openFile opens a place in a file, shown in one of the ways.
func openFile(mode int) func(*App, *words) (tea.Cmd, error) {
	return func(a *App, w *words) (tea.Cmd, error) {
		at, err := validPlace(w.next())
		if err == nil && len(w.list) > 0 {
			err = fmt.Errorf("%q is one word too many; a name with blanks stands in quotes", w.peek())
		}
		if err != nil {
			return nil, err
		}
		b := newBytes(&a.session, at, -1)
		b.mode, b.fixed = mode, true
		return a.pushSifted(b, w), nil
	}
}
