package output

// eventHubs is the Event Hubs sink.
var eventHubs = &Kind{
	Name:       "event-hubs",
	Aliases:    []string{"eventhubs"},
	Recordless: true,
	repeated:   "the Event Hubs sink writes at least once and records no batch",
	settle:     "Read the end of the hub and compare with what the plan of the batch reads.",
}
