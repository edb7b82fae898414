package logs

import (
	"fmt"
	"strings"

	"tidemark/checkpoint"
	"tidemark/checkpoint/decode"
	"tidemark/internal/checks"
)

var AccessDenied = &checks.Check{
	Code:     "access-denied",
	Severity: checks.High,
	Question: checks.Intact,
	Damage:   checks.NoDamage,
	Unseen:   true,
	Title:    "part of the checkpoint could not be read: access denied",
	Meaning: `The account tidemark runs with lacks a right. Files it could not read are not judged, so they may be damaged.
The role of the query may still have the right.`,
	NextStep: `Ask for the named right, read-only, or run tidemark with the role of the job.`,
	Avoid:    `Do not take the other answers as complete: some files were not read.`,
	Unread: func(p *checks.Pass, all []checkpoint.Unread) {
		s3 := strings.HasPrefix(strings.ToLower(p.Location), "s3")
		for _, g := range unreadGroups(all, "denied") {
			need := "the right to read files in this folder"
			switch {
			case g.list && s3:
				need = "s3:ListBucket on the bucket, for this prefix"
			case g.list:
				need = "the right to list this folder"
			case s3:
				need = "s3:GetObject on the objects, and kms:Decrypt if they are encrypted; without s3:ListBucket, S3 also denies access to missing objects"
			}
			p.Reportf(-1, decode.Where{File: g.first.Name}, "%s; missing: %s", g, need)
		}
	},
}

var LoginRefused = &checks.Check{
	Code:     "login-refused",
	Severity: checks.High,
	Question: checks.Intact,
	Damage:   checks.NoDamage,
	Unseen:   true,
	Title:    "the storage did not accept the credentials",
	Meaning: `The token may be expired, the key unknown, or the clock wrong. The login failed; no right is known to be
missing. Files that could not be read are not judged, so they may be damaged.`,
	NextStep: `Sign in again or choose another profile, then run tidemark again.`,
	Avoid: `Do not ask for more rights: the login failed, and no right is known to be missing. Do not take the other
answers as complete.`,
	Unread: func(p *checks.Pass, all []checkpoint.Unread) {
		for _, g := range unreadGroups(all, "not logged in") {
			p.Reportf(-1, decode.Where{File: g.first.Name}, "%s", g)
		}
	},
}

var ArchivedObject = &checks.Check{
	Code:     "archived-object",
	Severity: checks.High,
	Question: checks.Intact,
	Damage:   checks.NoDamage,
	Title:    "a file is archived and cannot be read until it is restored",
	Meaning: `The object is in an archive storage class, so neither Spark nor tidemark can read it. A lifecycle rule on the
bucket likely moved it. A restart that needs it will fail.`,
	NextStep: `Stop the lifecycle rule for this prefix, restore the object, and wait until it is readable before you restart.`,
	Avoid:    `Do not delete the object because it cannot be read: its content still exists.`,
	Unread: func(p *checks.Pass, all []checkpoint.Unread) {
		for _, g := range unreadGroups(all, "archived") {
			p.Reportf(-1, decode.Where{File: g.first.Name}, "%s", g)
		}
	},
}

// unreadGroup is what could not be fetched for one reason in one part of the checkpoint.
type unreadGroup struct {
	area  string // "offsets", "state"
	list  bool
	count int
	first checkpoint.Unread
}

func (g unreadGroup) String() string {
	text := fmt.Sprintf("%s could not be read", g.first.Name)
	if g.list {
		text = fmt.Sprintf("%s could not be listed", g.first.Name)
	}
	if g.count > 1 {
		text += fmt.Sprintf(" (and %d more in %s)", g.count-1, g.area)
	}
	if reason := g.first.Reason(); len(reason) <= 300 {
		text += ": " + reason
	} else {
		text += ": " + reason[:300] + "…"
	}
	return text
}

// unreadGroups are the parts with something that could not be fetched for this reason, as they come.
func unreadGroups(all []checkpoint.Unread, why string) []unreadGroup {
	var groups []unreadGroup
next:
	for _, u := range all {
		if u.Why() != why {
			continue
		}
		area, _, _ := strings.Cut(u.Name, "/")
		for i := range groups {
			if g := &groups[i]; g.area == area && g.list == u.List {
				g.count++
				continue next
			}
		}
		groups = append(groups, unreadGroup{area, u.List, 1, u})
	}
	return groups
}
