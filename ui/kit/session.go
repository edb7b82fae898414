package kit

import (
	"bytes"
	"cmp"
	"context"
	"fmt"
	"path"
	"slices"
	"strings"
	"time"

	"charm.land/bubbles/v2/key"

	"tidemark/checkpoint"
	"tidemark/checkpoint/source"
	"tidemark/checkpoint/statestore"
	"tidemark/internal/availability"
	"tidemark/internal/checks"
	"tidemark/internal/phrase"
	"tidemark/internal/report"
)

// The overview as of another batch: what that batch read and left, and nothing about a restart, of which the
// strip above tells as of now.

// Step is the batch that has a file after another one (by is 1) or before it (-1), over what is missing.
func (s *Session) Step(id, by int64) (to int64, ok bool) {
	if s.Checkpoint == nil {
		return id, false
	}
	to, ok = id, false
	for _, files := range [][]checkpoint.LogFile{s.Checkpoint.Offsets.Files, s.Checkpoint.Commits.Files} {
		i, found := slices.BinarySearchFunc(files, id, func(f checkpoint.LogFile, id int64) int { return cmp.Compare(f.ID, id) })
		for ; by > 0 && found && i < len(files) && files[i].ID == id; i++ { // "08" beside "8"
		}
		if by < 0 {
			i--
		}
		if i >= 0 && i < len(files) && (!ok || by > 0 && files[i].ID < to || by < 0 && files[i].ID > to) {
			to, ok = files[i].ID, true
		}
	}
	return to, ok
}

// Scrub moves the moment that is looked at to the batch after from (by is 1) or before it (-1), and after the newest
// one to now; false where there is none to go to.
func (s *Session) Scrub(from, by int64) bool {
	to, ok := s.Step(from, by)
	switch {
	case ok:
		s.AsOf = to
	case by > 0:
		s.AsOf = -1
	default:
		return false
	}
	return true
}

// AsOfMark is in the header where another batch is shown than the newest.
func (s *Session) AsOfMark() string {
	if s.AsOf < 0 {
		return ""
	}
	return s.Theme.Warn.Styled(fmt.Sprintf(" · as of batch %d", s.AsOf))
}

// BatchPath is the file that shows a batch.
func (s *Session) BatchPath(id int64) []Copyable {
	name := fmt.Sprintf("offsets/%d", id)
	if s.Checkpoint.Offsets.Find(id) == nil {
		name = fmt.Sprintf("commits/%d", id)
	}
	return OneLine("p", "path", s.PathOf(name))
}

// ---- what screens copy

// PathOf is where something lies: the location, and its name within it.
func (s *Session) PathOf(name string) string {
	if name == "" || name == "." {
		return s.Location
	}
	if i := strings.Index(s.Location, "://"); i >= 0 {
		return strings.TrimRight(s.Location, "/") + "/" + name
	}
	return path.Join(s.Location, name)
}

// Starts are the start positions after a batch, as tidemark offsets prints them; -1 is the last committed one.
func (s *Session) Starts(batch int64) []Copyable {
	if s.Checkpoint == nil || batch < 0 && s.Checkpoint.Commits.Last() < 0 || batch >= 0 && s.Checkpoint.Offsets.Find(batch) == nil {
		return nil
	}
	if batch < 0 {
		batch = s.Checkpoint.Commits.Last()
	}
	cp, begins, asked := s.Checkpoint, s.Verdict.Starts(), s.Verdict.Kept != nil
	return []Copyable{{Key: "s", Label: "start positions", Detail: fmt.Sprintf("the source option of a new query that continues after batch %d", batch),
		Text: func(ctx context.Context) (string, []string, error) {
			p, err := cp.PositionsAt(ctx, batch, false)
			if err != nil {
				return "", nil, err
			}
			var b bytes.Buffer
			var notes []string // the first is told beside the copy: what is skipped, before what else there is to know
			_, err = report.StartingOffsets(&b, p, func(i int, o source.Offset) (availability.StartPosition, bool, error) {
				begin, ok := begins.At(i, o)
				if asked {
					notes = append(notes, begin.Notices()...)
				}
				return begin, ok, nil
			})
			return b.String(), append(notes, p.Notes...), err
		}}}
}

// BatchJSON is a batch as tidemark batches --json prints it.
func (s *Session) BatchJSON(id int64) []Copyable {
	cp, out := s.Checkpoint, s.Verdict.Sink
	return []Copyable{{Key: "j", Label: "JSON", Detail: fmt.Sprintf("batch %d", id), Text: func(ctx context.Context) (string, []string, error) {
		var near [3]*checkpoint.Batch
		for i, n := range []int64{id - 1, id, id + 1} {
			if cp.Offsets.Find(n) == nil && cp.Commits.Find(n) == nil {
				continue
			}
			b, err := cp.Batch(ctx, n)
			if err != nil {
				return "", nil, err
			}
			near[i] = b
		}
		if near[1] == nil {
			return "", nil, fmt.Errorf("batch %d has no file", id)
		}
		var b bytes.Buffer
		files, err := checkpoint.NewSourceLogs(cp, report.FilesShown, false).Of(ctx, near[0], near[1])
		if err != nil {
			return "", nil, err
		}
		err = report.BatchJSON(&b, near[0], near[1], near[2], files, out)
		return b.String(), nil, err
	}}}
}

// CopyOf is a verdict as it is now: the one of the session grows meanwhile.
func CopyOf(v *checks.Verdict) *checks.Verdict {
	now := *v
	now.Findings, now.Drift, now.NotRun = slices.Clone(v.Findings), slices.Clone(v.Drift), slices.Clone(v.NotRun)
	return &now
}

// FindingKey says which finding one is from round to round: its words may count further.
type FindingKey struct {
	code, file string
	batch      int64
}

func KeyOfFinding(f *checks.Finding) FindingKey {
	return FindingKey{f.Code, f.Where.File, f.Batch}
}

// AskedAgo says how old an answer of the sources or the output is; "" where no look is younger.
func (s *Session) AskedAgo(asked time.Time) string {
	if !s.LastLook.After(asked) {
		return ""
	}
	return "   asked " + s.Clock.Age(asked.UnixMilli())
}

// NewsMark says behind the counts what the last round changed; "" for nothing.
func (s *Session) NewsMark() string {
	text := ""
	if n := len(s.Fresh); n > 0 {
		text += fmt.Sprintf("   + %s new", phrase.Count(int64(n)))
	}
	if n := len(s.Gone); n > 0 {
		text += fmt.Sprintf("   - %s gone", phrase.Count(int64(n)))
	}
	return s.Theme.Strong.Styled(text)
}

// News is "new" before the words on a finding that the last round brought.
func (s *Session) News(f *checks.Finding) string {
	if s.Fresh[KeyOfFinding(f)] {
		return "new: "
	}
	return ""
}

// Label is how the keys of a binding are shown.
func (s *Session) Label(b key.Binding) string {
	if s.Keymap != nil {
		if l, ok := s.Keymap.labels[MarkOf(b)]; ok {
			return l
		}
	}
	return b.Help().Key
}

// WithKeys is a sentence with a key of each binding in place of its %s, the first where there are several.
func (s *Session) WithKeys(sentence string, bindings ...key.Binding) string {
	names := make([]any, len(bindings))
	for i, b := range bindings {
		names[i] = s.FirstKey(b)
	}
	return fmt.Sprintf(sentence, names...)
}

// FirstKey is one key of a binding, for a sentence.
func (s *Session) FirstKey(b key.Binding) string {
	first, _, _ := strings.Cut(s.Label(b), " ")
	return first
}

// QuestionKey is the key for question i, from 0.
func (s *Session) QuestionKey(i int) string { return strings.Fields(s.Label(Keys.Question))[i] }

// Everywhere are the keys that the app answers to on every screen.
func (s *Session) Everywhere() (all []key.Binding) {
	for _, c := range ScreenRows(s.Specs) {
		all = append(all, c.Key)
	}
	return append(all, Keys.Worst, Keys.Question, Keys.Command, Keys.Palette, Keys.Backward, Keys.Forward, Keys.Bookmark, Keys.Bookmarks,
		Keys.Copy, Keys.Export, Keys.Clock, Keys.Mouse, Keys.Reread, Keys.Follow, Keys.Stop, Keys.Redraw, Keys.Suspend, Keys.Help,
		Keys.Quit, Keys.QuitAll, Keys.Back)
}

func (s *Session) Planned(id int64) bool {
	return s.Checkpoint != nil && s.Checkpoint.Offsets.Find(id) != nil
}

func (s *Session) Committed(id int64) bool {
	return s.Checkpoint != nil && s.Checkpoint.Commits.Find(id) != nil
}

// Decision is what to do about a restart, also before there is a verdict.
func (s *Session) Decision() checks.Decision {
	switch {
	case s.Err != nil && s.Checkpoint == nil:
		return checks.Decision{State: checks.NoVerdict, Does: "the checkpoint could not be read", Because: Safe(s.Err.Error())}
	case s.Checkpoint == nil:
		return checks.Decision{State: checks.StillReading, Does: "the checkpoint is being opened"}
	case !s.Verdict.Known && !s.Verdict.Done:
		return checks.Decision{State: checks.StillReading, Does: "the newest files are being read"}
	}
	d := s.Verdict.Decision()
	d.Does, d.Because, d.Aside = Prose(d.Does), Prose(d.Because), Prose(d.Aside)
	return d
}

// notThere is why something that an examination tells is not known.
func (s *Session) notThere(what string) error {
	if s.Opening || s.Examining {
		return ErrNotYet
	}
	return fmt.Errorf("reading ended before %s was read; %s reads again", what, s.FirstKey(Keys.Reread))
}

// WantBatch returns an error where a line asks for a batch that has no file. A screen may ask for it all the same.
func (s *Session) WantBatch(w *Words, id int64) error {
	if _, ok := w.With.(Shown); ok {
		return nil
	}
	return s.HasBatch(id)
}

// HasBatch returns an error where there is no file of a batch.
func (s *Session) HasBatch(id int64) error {
	if s.Checkpoint.Offsets.Find(id) == nil && s.Checkpoint.Commits.Find(id) == nil {
		return fmt.Errorf("batch %d has no file in offsets/ or commits/", id)
	}
	return nil
}

// OperatorOf is an operator of the checkpoint, or nil.
func (s *Session) OperatorOf(id int) *statestore.Operator {
	for i := range s.Verdict.Operators {
		if op := &s.Verdict.Operators[i]; op.ID == id {
			return op
		}
	}
	return nil
}

// FindStore is the store that a line means, with its name, and its newest version with a file; 0 for none. Of an
// operator it is that of any of its stores.
func (s *Session) FindStore(k StoreKey) (StoreKey, int64, error) {
	op := s.OperatorOf(k.Operator)
	if op == nil {
		return k, 0, fmt.Errorf("state has no operator %d", k.Operator)
	}
	if k.Partition < 0 {
		k.Name = ""
	}
	newest := map[StoreKey]int64{}
	for i := range op.Partitions {
		part := &op.Partitions[i]
		if len(part.Stores) == 0 && part.Err != nil {
			newest[StoreKey{op.ID, part.ID, ""}] = 0
		}
		for j := range part.Stores {
			at := StoreKey{op.ID, part.ID, part.Stores[j].Name}
			newest[at] = max(newest[at], newestOf(&part.Stores[j]))
		}
	}
	for i := range s.Verdict.Loads {
		if l := &s.Verdict.Loads[i]; l.Store == nil && l.Operator == k.Operator {
			at := StoreKey{l.Operator, l.Partition, l.Name}
			newest[at] = max(newest[at], 0)
		}
	}
	if k.Partition < 0 {
		all := int64(0)
		for _, n := range newest {
			all = max(all, n)
		}
		return k, all, nil
	}
	var fit []StoreKey
	for at := range newest {
		if k.Names(at) {
			fit = append(fit, at)
		}
	}
	if len(fit) == 0 {
		return k, 0, fmt.Errorf("state has no store %s", k)
	}
	at := slices.MinFunc(fit, StoreKey.Compare)
	return at, newest[at], nil
}

// BatchOfRows is the batch whose rows of a store are shown: the one that is looked at, else the one that a restart
// loads, else the one that wrote the newest version.
func (s *Session) BatchOfRows(k StoreKey, newest int64) int64 {
	version := newest
	for _, l := range s.Verdict.Loads {
		if l.Operator == k.Operator && (k.Partition < 0 || l.Partition == k.Partition && l.Name == k.Name) {
			version = l.Version
			break
		}
	}
	if s.AsOf >= 0 {
		version = s.AsOf + 1
	}
	return max(version, 1) - 1
}

// Session is what all screens look at: the checkpoint and the verdict on it, as far as they are known.
// Only the app changes it, but for asOf, which belongs to who presses the key.
type Session struct {
	Options
	Theme  Theme
	Clock  phrase.Clock
	Keymap *keymap

	Checkpoint *checkpoint.Checkpoint // nil until it is open
	Verdict    checks.Verdict         // grows while examining
	StateWords []string               // the operators, a line each
	StateSizes map[int64]int64        // bytes of the state files of a version, where there are some
	AsOf       int64                  // the batch that was gone to with ← and →; -1 for now
	Fresh      map[FindingKey]bool    // findings that the last round of a following brought
	Gone       []checks.Finding       // and those that it did not find any more
	Answered   time.Time              // when the examination began that asked sources and output
	LastLook   time.Time              // when the last round of a following began; zero where there was none since
	AsIs       bool                   // it is shown as it is, even where it is no checkpoint
	Top        func() Screen          // the screen that is shown; the one that opens another is still it while that is made
	Specs      []Spec                 // what can be opened or done
	Opening    bool
	Examining  bool
	Err        error // why it could not be opened
}

// NewSession is a session before anything is open.
func NewSession(o Options, specs []Spec) Session {
	if o.Now == nil {
		o.Now = time.Now
	}
	if o.Identity == nil {
		o.Identity = func(string) string { return "" }
	}
	if o.Traffic == nil {
		o.Traffic = func() Traffic { return Traffic{} }
	}
	s := Session{Options: o, Theme: newTheme(o), Clock: phrase.Clock{Now: o.Now, Local: o.Local}, Keymap: newKeymap(o.Keys, specs),
		Specs: specs, AsOf: -1}
	labels := Session{Keymap: s.Keymap}
	s.Theme.keyOf = labels.FirstKey
	return s
}

// What a screen may be beside.
type (
	// Within is a screen below a tab that names its place there in a word: "2999".
	Within interface{ Within() string }
	// Asker is a screen that may ask for a line: it floats over the screen.
	Asker interface{ Asked() *Ask }
	// Typist is a screen that may want every key as text.
	Typist interface{ Typing() bool }
	// Placed is a screen with a place to show in the footer: "offsets/120:3@69".
	Placed interface{ Place() string }
	// Loader is a screen that may be reading.
	Loader interface{ Loading() bool }
)

// Action is what a screen asks of the app: to open a line, to go back, or nil.
type Action any

type (
	Back struct{}
	// Reload ends what the screen reads and begins anew.
	Reload struct{}
	// OpenChoice opens a place, asIs even where it is a folder with checkpoints below it and none itself.
	OpenChoice struct {
		Choice Choice
		AsIs   bool
	}
	// ClosePlace closes what is open: a place is to be chosen again, below a location or at the start.
	ClosePlace struct{ Location string }
	// Note says something in the footer.
	Note struct{ Text string }
)

// Scope is the life of one screen's reading.
type Scope struct {
	ID   ScreenID
	Life context.Context // ends when the screen is left
	Ctx  context.Context // ends with life, and when the user stops the reading
}

// Moment is the batch that is looked at, as a line has it; "" for now.
func (s *Session) Moment() string {
	if s.AsOf < 0 {
		return ""
	}
	return fmt.Sprintf("batch %d", s.AsOf)
}
