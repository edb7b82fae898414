package mask

import (
	"slices"
	"testing"
)

func TestText(t *testing.T) {
	for text, want := range map[string]string{
		"s3://bucket/cp/offsets/120": "s3://bucket/cp/offsets/120",
		"https://u:p@host/x":         "https://…@host/x",
		"GET https://b.s3.amazonaws.com/k?X-Amz-Credential=AKIAIOSFODNN7EXAMPLE%2F2026&X-Amz-Signature=00ff 403": "GET https://b.s3.amazonaws.com/k?… 403",
		"Authorization: AWS4-HMAC-SHA256 Credential=AKIA/2026, Signature=00ff":                                   "Authorization: …",
		"aws_secret_access_key = wJalrXUtnFEMI/K7MDENG":                                                          "aws_secret_access_key = …",
		`"sessionToken":"IQoJb3JpZ2luX2VjE"`:                                                                     `"sessionToken":"…"`,
		"the key AKIAIOSFODNN7EXAMPLE is not known":                                                              "the key AKIA…MPLE is not known",
		"did you mean --region?":                                                                                 "did you mean --region?",
	} {
		if got := Text(text); got != want {
			t.Errorf("%q: %q, want %q", text, got, want)
		}
	}
}

func TestLocation(t *testing.T) {
	for location, want := range map[string]string{
		"s3://b/a?x=1//u@v/cp": "s3://b/a?x=1//u@v/cp", "s3://key:secret@b/cp": "s3://…@b/cp", "https://u:p@h/x?sig=abc": "https://…@h/x?…", "/mnt/a//b@c": "/mnt/a//b@c",
		"abfss://c@a.dfs.core.windows.net/cp?sv=2024&sig=abc": "abfss://c@a.dfs.core.windows.net/cp?…", "wasbs://c:secret@a/cp": "wasbs://…@a/cp",
		"s3://b/k?X-Amz-Signature=00ff": "s3://b/k?…", "http://u:p/w@h:9000/x": "http://…@h:9000/x", "http://h:9000/a@b": "http://h:9000/a@b",
	} {
		if got := Location(location); got != want {
			t.Errorf("%q: %q, want %q", location, got, want)
		}
	}
}

// TestURLs: a message keeps its words.
func TestURLs(t *testing.T) {
	for text, want := range map[string]string{
		`unexpected token: "}"`: `unexpected token: "}"`, "did you mean x? y=1": "did you mean x? y=1",
		`"https://u:p@h/x?sig=abc": no store is known`: `"https://…@h/x?…": no store is known`,
		"GET http://h/k?X-Amz-Signature=1 failed":      "GET http://h/k?… failed",
	} {
		if got := URLs(text); got != want {
			t.Errorf("%q: %q, want %q", text, got, want)
		}
	}
}

func TestSecretsIn(t *testing.T) {
	for location, want := range map[string][]string{
		"https://u:hunter2@h/x": {"hunter2"}, "https://h/x?sv=2024&sig=ab%2Bcd": {"2024", "ab%2Bcd", "ab+cd"}, "s3://b/a?x=1//u@v/cp": nil, "/mnt/u:hunter2@h": nil,
		"abfss://c@a/cp": nil, "http://u:hun/ter2@h": {"hun/ter2"}, "localhost:9092": nil,
	} {
		if got := SecretsIn(location); !slices.Equal(got, want) {
			t.Errorf("%q: %q, want %q", location, got, want)
		}
	}
}
