package report

import (
	"io"

	"tidemark/internal/trace"
)

type explainJSON struct {
	Schema    string         `json:"schema"`
	Location  string         `json:"location"`
	Query     explainQuery   `json:"query"`
	Condition *conditionJSON `json:"condition"` // null where the error is not known
	Error     errorJSON      `json:"error"`
	Batch     int64          `json:"batch"`
	Files     []fileJSON     `json:"files"`
	Stores    []storeJSON    `json:"stores"`
	Tasks     []taskJSON     `json:"tasks"`
	Parts     []partJSON     `json:"parts"`
	Places    []lookedJSON   `json:"places"`
	Agreement string         `json:"agreement"`
	Because   string         `json:"because"`
	Findings  []finding      `json:"findings"`
	NextStep  string         `json:"next_step"`
	Avoid     string         `json:"avoid"`
	Complete  bool           `json:"complete"` // all that the trace is about was read
}

type explainQuery struct {
	Trace      string `json:"trace"`
	Run        string `json:"run"`
	Checkpoint string `json:"checkpoint"`
	Other      bool   `json:"other"` // the trace is of another query
}

type conditionJSON struct {
	About  string `json:"about"`
	Means  string `json:"means"`
	Checks string `json:"checks"`
	Proves string `json:"proves"`
	// Name is Spark's own name of the condition that was recognized, and Releases those from 3.4 to 4.3 that have
	// it: "4.1-4.3"; "" for a message without a name. Compares is what of the checkpoint is held against the message,
	// and Decides is what else decides it; either may be "".
	Name     string `json:"name"`
	Releases string `json:"releases"`
	Compares string `json:"compares"`
	Decides  string `json:"decides"`
}

type errorJSON struct {
	Name     string      `json:"name"` // Spark's condition
	SQLState string      `json:"sqlstate"`
	Chain    []causeJSON `json:"chain"` // outermost first
}

type causeJSON struct {
	Class   string `json:"class"`
	Message string `json:"message"`
}

type fileJSON struct {
	Name   string `json:"name"`
	Prefix string `json:"prefix"`
}

type storeJSON struct {
	Operator  int    `json:"operator"`
	Partition int    `json:"partition"`
	Name      string `json:"name"`
	Version   int64  `json:"version"`
}

type taskJSON struct {
	Task    string `json:"task"`
	Stage   string `json:"stage"`
	Attempt string `json:"attempt"`
}

type partJSON struct {
	Part string `json:"part"`
	From int64  `json:"from"`
	To   int64  `json:"to"`
}

type lookedJSON struct {
	Name   string `json:"name"`
	State  string `json:"state"`
	Size   int64  `json:"size"`
	Whole  bool   `json:"whole"`
	Flawed bool   `json:"flawed"`
	Says   string `json:"says"`
}

// ExplanationJSON writes an explanation for a program: tidemark/explain/1. Numbers that the trace does not name
// are -1.
func ExplanationJSON(w io.Writer, e *trace.Explanation) error {
	out := explainJSON{
		Schema: "tidemark/explain/1", Location: e.Location,
		Query: explainQuery{e.Query, e.Run, e.Ours, e.Foreign},
		Error: errorJSON{Name: e.Name, SQLState: e.SQLState}, Batch: e.Batch,
		Files: []fileJSON{}, Stores: []storeJSON{}, Tasks: []taskJSON{}, Parts: []partJSON{}, Places: []lookedJSON{}, Findings: []finding{},
		Agreement: string(e.Agreement), Because: e.Because, NextStep: e.Next, Avoid: e.Avoid, Complete: !e.Unread && !e.SoFar,
	}
	if t := e.Topic(); t != nil {
		c := e.Condition
		out.Condition = &conditionJSON{t.About, c.Says, t.Checks, t.Proves, c.Name, c.Releases, c.Compares, c.Decides}
	}
	for _, c := range e.Chain {
		out.Error.Chain = append(out.Error.Chain, causeJSON{c.Class, c.Message})
	}
	for _, f := range e.Files {
		out.Files = append(out.Files, fileJSON(f))
	}
	for _, s := range e.Stores {
		out.Stores = append(out.Stores, storeJSON(s))
	}
	for _, t := range e.Tasks {
		out.Tasks = append(out.Tasks, taskJSON(t))
	}
	for _, x := range e.Parts {
		out.Parts = append(out.Parts, partJSON{x.Name(), x.From, x.To})
	}
	for i := range e.Places {
		x := &e.Places[i]
		out.Places = append(out.Places, lookedJSON{x.Name, string(x.State), x.Size, x.Whole, x.Flawed, x.Says})
	}
	for i := range e.Findings {
		out.Findings = append(out.Findings, newFinding(&e.Findings[i]))
	}
	return WriteJSON(w, out, "  ")
}
