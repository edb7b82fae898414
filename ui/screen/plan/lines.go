package plan

func (p *model) Command() string { return "plan" }

// Within names the plan below the tab of the differences.
func (p *model) Within() string { return "plan" }
