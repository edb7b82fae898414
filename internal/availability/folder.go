package availability

import (
	"context"
	"fmt"
	"net/url"
	"path"
	"slices"
	"strings"
	"time"

	"tidemark/checkpoint/log"
	"tidemark/internal/phrase"
	"tidemark/internal/tablelog"
)

// A file source names the files of a batch in its own log, with the time at which each was last modified, and no size.
// A batch that runs again reads the same files. The option cleanSource deletes or moves files of committed batches
// only, so those of a batch that is not committed should all be there.

const (
	folderFiles = 500    // files of the batch that are looked for
	folderNames = 20_000 // names of one listing that are gone through
	folderOne   = 50     // files that are looked for one by one, where a listing had too many names
	// timesDiffer is how much later a file may have been modified than is recorded without a change: stores keep
	// whole seconds.
	timesDiffer = 2 * time.Second
)

// askFolder looks for the files of the batch that runs again.
func askFolder(ctx context.Context, f tablelog.Files, r *SourceProgress, s *Source) error {
	switch {
	case !r.Again:
		s.Seen = true
		s.Facts = append(s.Facts, "the next batch is not planned yet: its files are not known before it lists the folder")
		return nil
	case r.Files == nil:
		s.Unseen = append(s.Unseen, "not checked: the files of the re-run batch are not recorded")
		return nil
	}
	l := &folderLook{ctx: ctx, files: f, r: r, s: s, folders: map[string][]wanted{}}
	for e, err := range r.Files(ctx) {
		if err != nil {
			s.Unseen = append(s.Unseen, err.Error())
			continue
		}
		l.take(e)
	}
	for _, dir := range sorted(l.folders) {
		if err := l.look(dir, l.folders[dir]); err != nil {
			return err
		}
	}
	l.tell()
	return nil
}

// wanted is a file that the batch reads.
type wanted struct {
	log.SourceEntry
	base string // its name in its folder
	same bool   // the folder is the one that the log names, and no copy of it
}

type folderLook struct {
	ctx   context.Context
	files tablelog.Files
	r     *SourceProgress
	s     *Source

	folders                        map[string][]wanted
	named, left, there, moved, one int
	outside                        []string
}

// take sorts a file in by its folder.
func (l *folderLook) take(e log.SourceEntry) {
	name, same, ok := l.below(e.Path)
	switch l.named++; {
	case !ok:
		l.outside = append(l.outside, e.Path)
	case l.named > folderFiles:
		l.left++
	default:
		dir, base := path.Split(name)
		dir = path.Clean("./" + dir)
		l.folders[dir] = append(l.folders[dir], wanted{e, base, same})
	}
}

// look looks for the files of one folder, in one listing that begins before the first of them.
func (l *folderLook) look(dir string, all []wanted) error {
	slices.SortFunc(all, func(a, b wanted) int { return strings.Compare(a.base, b.base) })
	found := map[string]tablelog.File{}
	for _, w := range all {
		found[w.base] = tablelog.File{}
	}
	open, n, whole := len(found), 0, true
	for e, err := range l.files.List(l.ctx, dir, justBefore(all[0].base)) {
		if err != nil {
			return err
		}
		if was, ok := found[e.Name]; ok && was.Name == "" && !e.Dir {
			found[e.Name] = e
			open--
		}
		if n++; open == 0 || n == folderNames {
			whole = open == 0
			break
		}
	}
	for _, w := range all {
		f := found[w.base]
		if f.Name == "" && !whole {
			if l.one++; l.one > folderOne {
				l.left++
				continue
			}
			is, err := there(l.ctx, l.files, path.Join(dir, w.base))
			if err != nil {
				return err
			}
			if is {
				f.Name = w.base
			}
		}
		l.hold(dir, w, f)
	}
	return nil
}

// hold holds a file against what the log says of it. Where the location is another one than was read, as with a copy,
// the times of its files say nothing, and a file that is not there proves nothing.
func (l *folderLook) hold(dir string, w wanted, f tablelog.File) {
	switch {
	case f.Name == "" && !w.same:
		l.outside = append(l.outside, w.Path)
		return
	case f.Name == "":
		l.lacks(dir, w, false, fmt.Sprintf("%s names it", w.Where))
		return
	}
	l.there++
	switch {
	case !w.same:
		l.moved++
	case w.Timestamp > 0 && f.Modified > w.Timestamp+timesDiffer.Milliseconds():
		l.lacks(dir, w, true, fmt.Sprintf("modified at %s, and recorded as of %s", utc(f.Modified), utc(w.Timestamp)))
	}
}

func (l *folderLook) lacks(dir string, w wanted, changed bool, why string) {
	l.s.Missing = append(l.s.Missing, MissingItem{Of: "file", What: path.Join(dir, w.base), Changed: changed, Why: why, Batch: l.r.Batch})
}

// below returns the name of a file in the folder. same is true where the folder is the one that the log names; else it is
// taken for a copy of it, and the name is what follows the folder's own name in the path.
func (l *folderLook) below(recorded string) (name string, same, ok bool) {
	if name, ok := within(l.files.String(), recorded); ok {
		return name, true, true
	}
	plain, err := url.PathUnescape(recorded)
	if err != nil {
		plain = recorded
	}
	base := "/" + path.Base(strings.TrimSuffix(bare(l.files.String()), "/")) + "/"
	if i := strings.LastIndex(plain, base); i >= 0 && len(base) > 2 {
		return plain[i+len(base):], false, true
	}
	return "", false, false
}

// tell is what came of it.
func (l *folderLook) tell() {
	if len(l.outside) > 0 {
		l.s.Unseen = append(l.s.Unseen, fmt.Sprintf("%d of %s of the batch are not in %s, which differs from the folder in the log: %s", len(l.outside), files(l.named), l.files.String(), phrase.List(l.outside, 4)))
	}
	if l.moved > 0 {
		l.s.Unseen = append(l.s.Unseen, fmt.Sprintf("%s differs from the folder in the log, so tidemark cannot check for changed files", l.files.String()))
	}
	if l.left > 0 {
		l.s.Unseen = append(l.s.Unseen, fmt.Sprintf("%d more files of the batch were not checked", l.left))
	}
	if l.there > 0 {
		l.s.Facts = append(l.s.Facts, fmt.Sprintf("%d of %s of the batch exist; sizes are not recorded", l.there, files(l.named)))
	}
	l.s.Seen = len(l.s.Unseen) == 0
}

func files(n int) string {
	if n == 1 {
		return "1 file"
	}
	return fmt.Sprintf("%d files", n)
}

// justBefore returns a name that comes before this one, and after most others that do.
func justBefore(name string) string {
	n := len(name) - 1
	if n < 0 || name[n] <= ' ' || name[n] > '~' {
		return ""
	}
	return name[:n] + string(name[n]-1)
}
