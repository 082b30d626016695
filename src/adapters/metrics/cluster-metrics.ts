/** Metrics of all workers, aggregated by the primary process: counters and histograms are added up. */
import { AggregatorRegistry, type Registry } from 'prom-client';

/** Runs in the primary. */
export function createClusterMetricsSource(): { contentType: string; text(): Promise<string> } {
  const registry = new AggregatorRegistry();
  return { contentType: registry.contentType, text: () => registry.clusterMetrics() };
}

/** Runs in a worker: the primary reads this registry. */
export function shareMetricsWithPrimary(registry: Registry): void {
  AggregatorRegistry.setRegistries(registry);
  // The constructor registers the listener for requests of the primary.
  new AggregatorRegistry();
}
