package output

// eventHubs is the Event Hubs sink.
var eventHubs = &Kind{
	Name:       "event-hubs",
	Aliases:    []string{"eventhubs"},
	Recordless: true,
	repeated:   "the Event Hubs sink is at-least-once and records no batch",
	settle:     "Read the end of the hub and compare it with the input of the batch.",
}
