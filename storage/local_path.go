package storage

import (
	"path"
	"path/filepath"
)

// LocalPath returns where the root of s is on this machine: an absolute path without symbolic links, the same however
// the location was spelled. It is "" where that is no folder of this machine: a bucket, an archive, what the program
// itself holds.
func LocalPath(s Store) string {
	switch s := s.(type) {
	case *sub:
		if around := LocalPath(s.Store); around != "" {
			return resolved(path.Join(around, s.dir))
		}
	case *cache:
		return LocalPath(s.inner())
	case *store:
		if b, ok := unmetered(s.backend).(*local); ok {
			return b.place
		}
	}
	return ""
}

// unmetered returns the backend below what counts and limits its requests.
func unmetered(b backend) backend {
	switch b := b.(type) {
	case *metered:
		return unmetered(b.backend)
	case *budget:
		return unmetered(b.backend)
	}
	return b
}

// resolved returns a path from the root on, through all symbolic links; one that cannot be followed is only made absolute.
func resolved(place string) string {
	full, err := filepath.Abs(place)
	if err != nil {
		return ""
	}
	if real, err := filepath.EvalSymlinks(full); err == nil {
		return real
	}
	return full
}
