package kit

// StatePanel is a panel with the state versions around the one that a row of batches writes; nil where there is no state.
func (g *BatchLoader) StatePanel(BatchRow) *Panel { return nil }
