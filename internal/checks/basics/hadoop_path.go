package basics

import (
	"net/url"
	"path"
	"strings"
)

// hadoopPath is a path as Hadoop names it.
type hadoopPath struct{ Scheme, host, Path string }

// ParseLocation reads a location as a person or a program writes it: "s3a://lake/in", "/data/in".
func ParseLocation(text string) hadoopPath {
	p := hadoopPath{Path: text}
	if scheme, rest, ok := strings.Cut(text, ":"); ok && scheme != "" && !strings.Contains(scheme, "/") {
		p.Scheme, p.Path = strings.ToLower(scheme), rest
		if after, ok := strings.CutPrefix(rest, "//"); ok {
			host, rest, _ := strings.Cut(after, "/")
			p.host, p.Path = host, "/"+rest
		}
	}
	switch p.Scheme {
	case "s3a", "s3n":
		p.Scheme = "s3" // one store by three names
	case "abfs":
		p.Scheme = "abfss"
	}
	p.Path = path.Clean("/" + p.Path)
	return p
}

// ParsePath reads a path as a file source's log has it: URI-encoded.
func ParsePath(text string) hadoopPath {
	if plain, err := url.PathUnescape(text); err == nil {
		text = plain
	}
	return ParseLocation(text)
}

func (p hadoopPath) Glob() bool { return strings.ContainsAny(p.Path, "*?[{") }

// Containment is how a file lies to a folder.
type Containment byte

const (
	Inside        Containment = iota
	OtherButAlike             // in another folder whose name begins as that of the folder does: "in2" for "in"
	ElsewhereAltogether
)

// Within says how the file lies to a folder, or to a pattern of folders. What one of the two does not say
// (a scheme, a host) is taken to be the same.
func (p hadoopPath) Within(folder hadoopPath) Containment {
	if p.Scheme != "" && folder.Scheme != "" && p.Scheme != folder.Scheme || p.host != "" && folder.host != "" && p.host != folder.host {
		return ElsewhereAltogether
	}
	if folder.Glob() {
		for dir := p.Path; ; dir = path.Dir(dir) {
			if ok, err := path.Match(folder.Path, dir); ok || err != nil || strings.Contains(folder.Path, "{") {
				return Inside // or a pattern that is not understood here
			}
			if dir == "/" || dir == "." {
				return ElsewhereAltogether
			}
		}
	}
	switch {
	case p.Path == folder.Path || folder.Path == "/" || strings.HasPrefix(p.Path, folder.Path+"/"):
		return Inside
	case strings.HasPrefix(p.Path, folder.Path):
		return OtherButAlike
	}
	return ElsewhereAltogether
}
