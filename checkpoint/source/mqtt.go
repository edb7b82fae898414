package source

// MQTT is the source of Apache Bahir for MQTT, and its like for Akka. A line is the number of the last
// message that was read:
//
//	311
//
// Messages are kept in a local store of the driver. The project is retired.
//
// Written by MQTTStreamSource, AkkaStreamSource (LongOffset).
var MQTT = &Kind{Name: "mqtt", Aliases: []string{"akka"}, Unit: "records", Claims: bareInteger, Parts: bareParts, Inclusive: true}
