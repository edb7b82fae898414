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
	Title:    "a part of the checkpoint may not be looked at",
	Meaning: `The account that this was run with lacks a right. What it could not see is not judged, so nothing here says that it is
healthy. This says nothing about the job's own role: the query may well have the right.`,
	NextStep: `Ask for the right that is named, for reading only, or run this with the role of the job.`,
	Avoid:    `Do not take the rest of this report for the whole.`,
	Unread: func(p *checks.Pass, all []checkpoint.Unread) {
		s3 := strings.HasPrefix(strings.ToLower(p.Location), "s3")
		for _, g := range unreadGroups(all, "denied") {
			need := "the right to read files there"
			switch {
			case g.list && s3:
				need = "s3:ListBucket on the bucket, for this prefix"
			case g.list:
				need = "the right to list this folder"
			case s3:
				need = "s3:GetObject on the objects, and kms:Decrypt where they are encrypted; without s3:ListBucket a missing object is reported as denied too"
			}
			p.Reportf(-1, decode.Where{File: g.first.Name}, "%s; what is missing is %s", g, need)
		}
	},
}

var LoginRefused = &checks.Check{
	Code:     "login-refused",
	Severity: checks.High,
	Question: checks.Intact,
	Damage:   checks.NoDamage,
	Unseen:   true,
	Title:    "the store does not accept the credentials",
	Meaning: `A token that has expired, a key that is not known there, a wrong clock: the store does not know who asks. This is about the
login of this run, and about no right. What could not be seen is not judged, so nothing here says that it is healthy.`,
	NextStep: `Sign in again, or choose another profile, and run this once more.`,
	Avoid:    `Do not ask for more rights: none is known to be missing. Do not take the rest of this report for the whole.`,
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
	Title:    "a file is archived and cannot be read before it is restored",
	Meaning: `The object lies in a storage class that nobody can read from at once, Spark neither. A rule on the bucket moved it
there. A start that needs it fails.`,
	NextStep: `Stop the rule for this prefix, ask the storage to restore the object, and wait until it is readable before a restart.`,
	Avoid:    `Do not delete the object because it cannot be read: its content is whole.`,
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
		text += fmt.Sprintf(", nor %d more in %s", g.count-1, g.area)
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
