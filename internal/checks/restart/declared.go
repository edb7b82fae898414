package restart

import "tidemark/internal/checks"

// declared is the step of a start at which what the query declares stops it.
func declared(at checks.Stage) func(*Judge) (checks.Restart, bool) {
	return func(s *Judge) (checks.Restart, bool) {
		for i := range s.Compared.Drift {
			if d := &s.Compared.Drift[i]; d.Stage == at && d.Effect == checks.RefusesDrift {
				out, _ := refuses(s.FirstBatch(), d.Error, "%s", d.Text())
				out.Sound = true
				return out, true
			}
		}
		return goOn()
	}
}
