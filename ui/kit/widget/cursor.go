package widget

import "slices"

// Cursor is a place in a list of any length and the window around it.
type Cursor struct {
	At     int // the selected row
	Top    int // the first row in the window
	Height int // rows in the window
}

// Move goes by rows (negative: up) in a list of n.
func (c *Cursor) Move(by, n int) { c.Go(c.At+by, n) }

// Go selects row at of n, or the nearest there is, and moves the window as little as it must.
func (c *Cursor) Go(at, n int) {
	c.At = max(min(at, n-1), 0)
	h := max(c.Height, 1)
	c.Top = max(min(c.Top, c.At, n-h), c.At-h+1, 0)
}

// Window is the part of a list of n that h rows show.
func (c *Cursor) Window(n, h int) (from, to int) {
	from = max(min(c.Top, n-h), 0)
	if c.At >= from+h {
		from = c.At - h + 1
	}
	return from, min(from+max(h, 0), n)
}

// Order is which rows of a list are shown, and in what sequence. Its zero value shows all as they are.
type Order struct {
	rows []int32 // nil: all
	on   bool
}

// All shows every row as it comes.
func (o *Order) All() { *o = Order{} }

// Set shows the rows of n that keep wants (nil: all), in the order of compare (nil: as they come).
func (o *Order) Set(n int, keep func(i int) bool, compare func(a, b int) int) {
	rows := o.rows[:0]
	for i := range n {
		if keep == nil || keep(i) {
			rows = append(rows, int32(i))
		}
	}
	if compare != nil {
		slices.SortStableFunc(rows, func(a, b int32) int { return compare(int(a), int(b)) })
	}
	o.rows, o.on = rows, true
}

// Reverse turns the sequence of n rows round.
func (o *Order) Reverse(n int) {
	if !o.on {
		o.Set(n, nil, nil)
	}
	slices.Reverse(o.rows)
}

// Add shows one more row, where only some are shown: it comes last.
func (o *Order) Add(i int) {
	if o.on {
		o.rows = append(o.rows, int32(i))
	}
}

// Len is how many of n rows are shown.
func (o *Order) Len(n int) int {
	if o.on {
		return len(o.rows)
	}
	return n
}

// Row is which row of the list stands at place i.
func (o *Order) Row(i int) int {
	if o.on {
		return int(o.rows[i])
	}
	return i
}
