package checks

// Refused reports whether the next start, or the first batch after it, is predicted to fail. Who gives a health, a
// color or an exit status asks this too: a refusal need not have a finding of its own.
func (v *Verdict) Refused() bool { return v.Known && v.Restart.Outcome == Refuses }

// Found reports whether there is something that counts from this severity on: a refusal, whatever its findings, or a
// finding. A finding that says only that something could not be looked at does not count.
func (v *Verdict) Found(from Severity) bool {
	for i := range v.Findings {
		if f := &v.Findings[i]; f.Severity >= from && !f.Unseen {
			return true
		}
	}
	return v.Refused()
}

// Incomplete reports whether something was to be read and was not: a file that a restart needs, or the rest of a run that
// ended early. A run that goes on has not looked at everything.
func (v *Verdict) Incomplete() bool {
	return !v.Complete || v.Known && v.Restart.Outcome == Unknown && !v.NoCheckpoint()
}

// Health is how bad it is for the query that is restarted: the worst severity that was found, and High at least for a
// refusal. ok is false where nothing was found.
func (v *Verdict) Health() (worst Severity, ok bool) {
	worst, ok = v.Worst()
	if v.Refused() {
		return max(worst, High), true
	}
	return worst, ok
}
