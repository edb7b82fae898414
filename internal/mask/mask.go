package mask

import (
	"net/url"
	"regexp"
	"slices"
	"strings"
)

// hidden are what a person must not find in a log or on a screen that is shown around, each with what
// stands in its place. What comes before the secret is kept: it says what was hidden.
var hidden = []struct {
	find *regexp.Regexp
	with string
}{
	{regexp.MustCompile(`(\w[^\s"'?]*\?)[^\s"'?]*=[^\s"']*`), "${1}…"},                  // a query string: signatures and tokens
	{regexp.MustCompile(`(?i)(authorization:?\s*)(\w+ +)?[^\s,;"']+[^\n"']*`), "${1}…"}, // a header
	{regexp.MustCompile(`(?i)((?:secret|password|passwd|token|signature|credential|session)[a-z0-9_-]*"?\s*[=:]\s*"?)[^\s"'&,;]+`), "${1}…"},
	{key, "${1}…${2}"}, // an access key
}

// Text is a log line without what gives access: user and password of a URL, query strings (a presigned URL holds its
// signature there), values that are named secret, token, password or signature, and the middle of access keys.
func Text(text string) string {
	text = users(text)
	for _, h := range hidden {
		text = h.find.ReplaceAllString(text, h.with)
	}
	return text
}

// URLs is a message without what gives access in the URLs that it names, and without the middle of access keys. Other
// words are left: a message may speak of a token.
func URLs(text string) string {
	return key.ReplaceAllString(query.ReplaceAllString(users(text), "${1}…"), "${1}…${2}")
}

// Location is a location without what gives access. What is left of one in a bucket, or of a path, still leads
// there: their names may hold any character.
func Location(location string) string {
	if !scheme.MatchString(location) {
		return location
	}
	if begin, inside, ok := userIn(location); ok {
		location = begin + "…" + location[len(begin)+len(inside):]
	}
	if signed.MatchString(location) || web.MatchString(location) {
		at := strings.IndexByte(location, '?')
		if at >= 0 {
			location = location[:at+1] + "…"
		}
	}
	return location
}

// Signed reports whether a location holds what gives access to it: a user with a password, or a signed query.
func Signed(location string) bool {
	return scheme.MatchString(location) && Location(location) != location
}

var (
	scheme = regexp.MustCompile(`^[A-Za-z][\w+.-]*:/`)
	web    = regexp.MustCompile(`^(?i)https?:`)
	signed = regexp.MustCompile(`(?i)[?&](x-amz-[a-z0-9-]+|awsaccesskeyid|signature|sig|sv|se|sp|token|access_token|x-goog-[a-z0-9-]+)=`)
	query  = regexp.MustCompile(`(?i)([a-z][\w+.-]*:/[^\s"'?]*\?)[^\s"'?]*=[^\s"']*`)
	key    = regexp.MustCompile(`\b(AKIA|ASIA)[A-Z0-9]{8,}([A-Z0-9]{4})\b`)
	user   = regexp.MustCompile(`(?i)([a-z][\w+.-]*:)?//[^/?#@\s"']+@`)
	loose  = regexp.MustCompile(`(?i)([a-z][\w+.-]*:)?//[^/?#@:\s"']*:[^?#@\s"']*@`)
)

// users are the user and password of URLs. In a location of Azure a container stands there, without a password.
func users(text string) string {
	hide := func(found string) string {
		begin, inside, _ := strings.Cut(found, "//")
		if (strings.HasPrefix(strings.ToLower(begin), "abfs") || strings.HasPrefix(strings.ToLower(begin), "wasb")) && !strings.Contains(inside, ":") {
			return found
		}
		return begin + "//…@"
	}
	return loose.ReplaceAllStringFunc(user.ReplaceAllStringFunc(text, hide), func(found string) string {
		if begin, inside, _ := strings.Cut(found, "//"); port.MatchString(inside) {
			return begin + "//" + inside // "host:9000/a@b"
		}
		return hide(found)
	})
}

// port is the begin of an authority whose colon stands before a port.
var port = regexp.MustCompile(`^[^:]*:[0-9]+/`)

// SecretsIn are the values in a location or URL that give access, as they stand there and without their escapes: the
// password, and what a query holds. None where they are too short to be found again in a text.
func SecretsIn(location string) []string {
	if !scheme.MatchString(location) {
		return nil
	}
	var all []string
	add := func(value string) {
		for _, v := range []string{value, unescaped(value)} {
			if len(v) >= 4 && !slices.Contains(all, v) {
				all = append(all, v)
			}
		}
	}
	if _, inside, ok := userIn(location); ok {
		if _, password, ok := strings.Cut(inside, ":"); ok {
			add(password)
		} else {
			add(inside)
		}
	}
	asked := ""
	if web.MatchString(location) || signed.MatchString(location) {
		_, asked, _ = strings.Cut(location, "?")
	}
	for part := range strings.FieldsFuncSeq(asked, func(r rune) bool { return r == '&' || r == '?' || r == '#' }) {
		if name, value, ok := strings.Cut(part, "="); ok && (len(value) >= 8 || signed.MatchString("?"+name+"=")) {
			add(value)
		}
	}
	return all
}

func unescaped(value string) string {
	if plain, err := url.QueryUnescape(value); err == nil {
		return plain
	}
	return value
}

// userIn is the user and password of a location, and what stands before them: up to the first slash, or up to the last
// @ where a password holds a slash.
func userIn(location string) (begin, inside string, ok bool) {
	at := strings.Index(location, "//")
	if at < 0 {
		return "", "", false
	}
	begin, rest := location[:at+2], location[at+2:]
	rest, _, _ = strings.Cut(rest, "?")
	host, _, _ := strings.Cut(rest, "/")
	if !strings.Contains(host, "@") {
		if !strings.Contains(host, ":") || port.MatchString(rest) {
			return "", "", false
		}
		host = rest
	}
	end := strings.LastIndex(host, "@")
	if end < 0 || users(begin+host[:end+1]) == begin+host[:end+1] {
		return "", "", false
	}
	return begin, host[:end], true
}
