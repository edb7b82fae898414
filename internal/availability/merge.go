package availability

import (
	"maps"
	"slices"
)

// inOrder returns sources ascending by index.
func inOrder(known map[int]*Source) []Source {
	var all []Source
	for _, index := range slices.Sorted(maps.Keys(known)) {
		all = append(all, *known[index])
	}
	return all
}

// merge takes from another what this one does not know.
func (s *Source) merge(o *Source) {
	if s.Err != nil && o.Err == nil { // the other is all that is known
		first := *s
		*s = *o
		s.Unseen = append(slices.Clip(first.Unseen), append(s.Unseen, first.Err.Error())...)
		return
	}
	s.From += ", " + o.From
	s.mergeGone(o.Gone)
	if len(s.Parts) == 0 && !s.Whole {
		s.Parts, s.Whole = o.Parts, o.Whole
	}
	if s.TableID == "" {
		s.TableID = o.TableID
	}
	if s.Snapshots == nil {
		s.Snapshots, s.Aside, s.Moments = o.Snapshots, o.Aside, o.Moments
	}
	if s.Created == nil {
		s.Created = o.Created
	}
	if s.Kind == "" {
		s.Kind = o.Kind
	}
	if s.At.Line == 0 {
		s.At = o.At
	}
	s.Missing = append(slices.Clip(s.Missing), o.Missing...)
	s.Doubts = append(slices.Clip(s.Doubts), o.Doubts...)
	s.Stops = append(slices.Clip(s.Stops), o.Stops...)
	s.Facts = append(slices.Clip(s.Facts), o.Facts...)
	s.Unseen = append(slices.Clip(s.Unseen), o.Unseen...)
}

// mergeGone takes what another says does not exist, but for what this one knows better: where it tells of all there is, or has
// positions of it.
func (s *Source) mergeGone(names []string) {
	if s.Whole {
		return
	}
	told := map[string]bool{} // parts, and topics of parts
	for _, name := range s.Gone {
		told[name] = true
	}
	for i := range s.Parts {
		if part := &s.Parts[i]; part.Earliest != nil || part.Latest != nil {
			topic, _ := CutPart(part.Name)
			told[part.Name], told[topic] = true, true
		}
	}
	s.Gone = slices.Clip(s.Gone)
	for _, name := range names {
		if !told[name] {
			s.Gone = append(s.Gone, name)
		}
	}
	slices.Sort(s.Gone)
}
