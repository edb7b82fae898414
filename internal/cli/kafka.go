package cli

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"tidemark/internal/availability"
	"tidemark/internal/kafka"
	"tidemark/storage"
)

// addKafka prepares to ask the cluster of --kafka and --kafka-config; nothing is asked yet. What cannot be used of
// either is a wrong command line.
func (a *app) addKafka(ctx context.Context) error {
	if a.flags.kafka == "" && a.flags.kafkaConfig == "" {
		return nil
	}
	cluster, err := a.clusterOf(ctx, a.flags.kafka)
	if err != nil {
		return err
	}
	if unused := cluster.Ignored(); len(unused) > 0 {
		a.note("--kafka-config: ignored: %s", strings.Join(unused, ", "))
	}
	a.probers = append(availability.Chain{cluster}, a.probers...) // the cluster itself knows better than a file
	return nil
}

// clusterOf prepares to ask the cluster with these brokers, separated by commas, and the properties of --kafka-config.
func (a *app) clusterOf(ctx context.Context, brokers string) (*kafka.Cluster, error) {
	o := kafka.Options{Profile: a.flags.profile, Read: readSmall, Getenv: a.Getenv, Now: a.Now, Count: a.meter.Add, May: a.mayAsk}
	if brokers != "" {
		o.Brokers = strings.Split(brokers, ",")
	}
	flag := "--kafka"
	if name := a.flags.kafkaConfig; name != "" {
		flag = "--kafka-config"
		data, err := a.smallFile(ctx, flag, name, kafka.SizeLimit+1)
		if err != nil {
			return nil, err
		}
		if o.Client, err = kafka.ParseProperties(name, data); err != nil {
			return nil, usageError("%s: %v", flag, err)
		}
	}
	cluster, err := kafka.New(o)
	if _, ok := errors.AsType[*kafka.PropertyError](err); err != nil && !ok {
		flag = "--kafka"
	}
	if err != nil {
		return nil, usageError("%s: %v", flag, err)
	}
	return cluster, nil
}

// mayAsk returns the error of --max-requests, for requests that go to no store.
func (a *app) mayAsk() error {
	if limit := a.flags.maxRequests; limit > 0 && a.meter.Spent() >= limit {
		return fmt.Errorf("%w: %d", storage.ErrBudget, limit)
	}
	return nil
}
