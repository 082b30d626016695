/** Request rates and latencies of REST and GraphQL over the last five minutes, and totals per operation, from this process's own counters. */
import type { RequestTotals } from '../../ports/metrics.ts';

export const chartedProtocols = ['graphql', 'rest'] as const;

interface RequestRatePoint {
  perSecond: number;
  /** 95th percentile of the latency; 0 without requests. */
  p95Ms: number;
  failed: number;
}

export type RequestRatesByProtocol = Readonly<Record<(typeof chartedProtocols)[number], RequestRatePoint[]>>;

export interface OperationStats {
  protocol: string;
  operation: string;
  count: number;
  failed: number;
  meanMs: number;
  p95Ms: number;
}

export interface RequestRateSampler {
  /** Oldest first, one point per `requestRateIntervalSeconds`. */
  series(): RequestRatesByProtocol;
  stop(): void;
}

export const requestRateIntervalSeconds = 5;
const maxPoints = 60;

export function createRequestRateSampler(totals: () => Promise<RequestTotals[]>): RequestRateSampler {
  let before: RequestTotals[] | undefined;
  const points: Record<(typeof chartedProtocols)[number], RequestRatePoint[]> = { graphql: [], rest: [] };
  async function sample(): Promise<void> {
    const after = await totals();
    for (const protocol of chartedProtocols) {
      if (before)
        points[protocol].push(
          requestRatePointBetween(ofProtocol(before, protocol), ofProtocol(after, protocol)),
        );
      if (points[protocol].length > maxPoints) points[protocol].shift();
    }
    before = after;
  }
  void sample();
  const timer = setInterval(() => void sample(), requestRateIntervalSeconds * 1000).unref();
  return { series: () => points, stop: () => clearInterval(timer) };
}

const ofProtocol = (totals: readonly RequestTotals[], protocol: string) =>
  totals.filter((series) => series.protocol === protocol);

/** Pure. */
export function requestRatePointBetween(
  before: readonly RequestTotals[],
  after: readonly RequestTotals[],
): RequestRatePoint {
  const [a, b] = [sumOf(before), sumOf(after)];
  const within = b.within.map(([le, count], index): [number, number] => [
    le,
    count - (a.within[index]?.[1] ?? 0),
  ]);
  const count = b.count - a.count;
  return {
    perSecond: count / requestRateIntervalSeconds,
    p95Ms: computeHistogramQuantile(within, count, 0.95) * 1000,
    failed: b.failed - a.failed,
  };
}

/** Totals per operation, most requests first. */
export function summarizeOperationRequests(totals: readonly RequestTotals[]): OperationStats[] {
  const groups = new Map<string, RequestTotals[]>();
  for (const series of totals) {
    const key = `${series.protocol}\0${series.operation}`;
    groups.set(key, [...(groups.get(key) ?? []), series]);
  }
  return [...groups.values()]
    .map((group) => {
      const { count, failed, seconds, within } = sumOf(group);
      const [{ protocol, operation } = { protocol: '', operation: '' }] = group;
      return {
        protocol,
        operation,
        count,
        failed,
        meanMs: count === 0 ? 0 : (seconds / count) * 1000,
        p95Ms: computeHistogramQuantile(within, count, 0.95) * 1000,
      };
    })
    .sort((a, b) => b.count - a.count);
}

function sumOf(totals: readonly RequestTotals[]) {
  const within = new Map<number, number>();
  let [count, failed, seconds] = [0, 0, 0];
  for (const series of totals) {
    count += series.count;
    seconds += series.seconds;
    if (series.outcome !== 'ok') failed += series.count;
    for (const [le, value] of series.within) within.set(le, (within.get(le) ?? 0) + value);
  }
  return { count, failed, seconds, within: [...within].sort(([a], [b]) => a - b) };
}

/** Upper bound of the histogram bucket that contains the quantile, without interpolation. Pure. */
export function computeHistogramQuantile(
  within: readonly (readonly [number, number])[],
  count: number,
  share: number,
): number {
  if (count === 0) return 0;
  const bucket = within.find(([, cumulative]) => cumulative >= count * share);
  return bucket?.[0] ?? within.at(-1)?.[0] ?? 0;
}
