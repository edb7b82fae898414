package report

import (
	"bytes"
	"encoding/json"
	"strings"
	"testing"

	"tidemark/internal/checks"
)

// twoWays is a verdict of damaged state: a snapshot can be set aside at no cost, and batch 9 can be gone back to.
func twoWays() *checks.Verdict {
	return &checks.Verdict{Known: true, Done: true, Complete: true, Restart: checks.Restart{Outcome: checks.Refuses, Batch: 12, StateVersion: -1},
		Recover: checks.Recoveries{
			Ways: []checks.Recovery{
				{Way: checks.SetAside, To: -1, Does: "Set aside state/0/0/12.zip: version 12 is rebuilt from 6.zip.", Files: []string{"state/0/0/12.zip"}, First: -1, Last: -1,
					Restart: checks.Restart{Outcome: checks.Next, Batch: 12, StateVersion: 12}},
				{Way: checks.RollBack, To: 9, Does: "Roll back to batch 9.", Files: []string{"commits/10", "commits/11", "offsets/11"}, More: 2, First: 10, Last: 11, Twice: []int64{10, 11},
					Restart: checks.Restart{Outcome: checks.Rerun, Batch: 10, StateVersion: 10}, Needs: []string{"The sink accepts batch 10\x1b[31m twice."}},
			},
			Not: []checks.NoRecovery{{Way: checks.NewCheckpoint, Because: "no batch is committed"}},
		}}
}

func TestWaysText(t *testing.T) {
	t.Parallel()
	var b bytes.Buffer
	if err := Text(&b, twoWays(), Options{}); err != nil {
		t.Fatal(err)
	}
	text := strings.Join(strings.Fields(b.String()), " ")
	at := 0
	for _, want := range []string{
		"Ways to recover, cheapest first First stop every run of the query and copy the whole checkpoint.",
		"1 Set aside state/0/0/12.zip: version 12 is rebuilt from 6.zip. No cost: no row is read again, written twice or lost.",
		"2 Roll back to batch 9. It reads again what batches 10 to 11 read and gives the sink batches 10 to 11 a second time.",
		"new checkpoint: not possible. No batch is committed.",
	} {
		i := strings.Index(text[at:], want)
		if i < 0 {
			t.Errorf("no %q, or not in its place:\n%s", want, b.String())
			continue
		}
		at += i
	}
	if strings.Contains(text, "\x1b[31m") {
		t.Error("what a checkpoint says reached the terminal as it is")
	}
}

func TestWaysJSON(t *testing.T) {
	t.Parallel()
	var b bytes.Buffer
	if err := JSON(&b, twoWays(), Options{}); err != nil {
		t.Fatal(err)
	}
	var got struct {
		Restart struct {
			Rollback struct {
				Batch       int64
				MoveAside   []string `json:"move_aside"`
				SinkGivenTo int64    `json:"sink_given_to"`
			}
		}
		Recover []struct {
			Way        string
			Files      []string
			MoreFiles  int    `json:"more_files"`
			ToBatch    *int64 `json:"to_batch"`
			Restart    struct{ Outcome string }
			ReadsAgain struct {
				FirstBatch int64 `json:"first_batch"`
			} `json:"reads_again"`
			WritesTwice []int64 `json:"writes_twice"`
			Lost        *struct{ State bool }
			Needs       []string
		}
		NoRecover []struct{ Way, Because string } `json:"no_recover"`
	}
	if err := json.Unmarshal(b.Bytes(), &got); err != nil {
		t.Fatal(err)
	}
	if len(got.Recover) != 2 || len(got.NoRecover) != 1 || got.NoRecover[0].Way != "new-checkpoint" {
		t.Fatalf("%+v", got)
	}
	first, second := got.Recover[0], got.Recover[1]
	if first.Way != "set-aside" || first.Files[0] != "state/0/0/12.zip" || first.Restart.Outcome != "next" || first.ReadsAgain.FirstBatch != -1 || first.WritesTwice == nil || first.Lost == nil || first.ToBatch != nil {
		t.Errorf("first: %+v", first)
	}
	if second.Way != "roll-back" || second.MoreFiles != 2 || *second.ToBatch != 9 || second.ReadsAgain.FirstBatch != 10 || len(second.WritesTwice) != 2 {
		t.Errorf("second: %+v", second)
	}
	if r := got.Restart.Rollback; r.Batch != 9 || r.SinkGivenTo != 11 || len(r.MoveAside) != 2 || r.MoveAside[0] != "commits/10" {
		t.Errorf("restart.rollback: %+v", r)
	}
	b.Reset()
	if err := JSON(&b, &checks.Verdict{Known: true, Done: true}, Options{}); err != nil || strings.Contains(b.String(), `"recover"`) || strings.Contains(b.String(), `"no_recover"`) {
		t.Errorf("where nothing is wrong there is nothing to recover: %v\n%s", err, b.String())
	}
}
