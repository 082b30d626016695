/** Exports spans to an OpenTelemetry collector by OTLP over HTTP (JSON). Spans that cannot be delivered are dropped; no request waits for the export. */
import { setTimeout as sleep } from 'node:timers/promises';
import { type HrTime, SpanKind, SpanStatusCode, TraceFlags } from '@opentelemetry/api';
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http';
import { resourceFromAttributes } from '@opentelemetry/resources';
import { BatchSpanProcessor, type ReadableSpan, type SpanExporter } from '@opentelemetry/sdk-trace';
import { packageVersion } from '../../lib/package-info.ts';
import type { Span, SpanCollector } from '../../lib/tracing.ts';

/** Converts spans of lib/tracing.ts to the ReadableSpan of the OpenTelemetry SDK. */
const kinds = {
  internal: SpanKind.INTERNAL,
  server: SpanKind.SERVER,
  client: SpanKind.CLIENT,
  consumer: SpanKind.CONSUMER,
} as const satisfies Record<Span['kind'], SpanKind>;

/** Microsecond precision: the resolution of the clock, and safe in a JavaScript number. */
const hrTime = (ms: number): HrTime => {
  const microseconds = Math.round(ms * 1_000);
  return [Math.floor(microseconds / 1_000_000), (microseconds % 1_000_000) * 1_000];
};

const sampled = TraceFlags.SAMPLED;

/** `source` identifies the process. Only sampled spans get here. */
function toReadableSpan(
  { traceId, id, parentId, name, kind, startedAt, endedAt, attributes, error }: Span,
  source: Pick<ReadableSpan, 'resource' | 'instrumentationScope'>,
): ReadableSpan {
  const context = { traceId, spanId: id, traceFlags: sampled };
  return {
    ...source,
    name,
    kind: kinds[kind],
    spanContext: () => context,
    ...(parentId !== undefined && {
      parentSpanContext: {
        traceId,
        spanId: parentId,
        traceFlags: sampled,
        isRemote: kind === 'server' || kind === 'consumer',
      },
    }),
    startTime: hrTime(startedAt),
    endTime: hrTime(endedAt),
    duration: hrTime(endedAt - startedAt),
    ended: true,
    status: { code: error === undefined ? SpanStatusCode.UNSET : SpanStatusCode.ERROR },
    attributes: error === undefined ? attributes : { ...attributes, 'error.type': error },
    links: [],
    events: [],
    droppedAttributesCount: 0,
    droppedEventsCount: 0,
    droppedLinksCount: 0,
  };
}

interface OtlpOptions {
  /** URL of the collector, without `/v1/traces`. */
  endpoint: string;
  headers: Readonly<Record<string, string>>;
  serviceName: string;
  ratio: number;
  onError(error: unknown): void;
}

export interface OtlpExporter extends SpanCollector {
  /** Exports the remaining spans, with a time limit of three seconds. */
  close(): Promise<void>;
}

const batchDelayMs = 1_000;
/** Maximum number of queued spans; more are dropped while the collector does not respond. */
const maxQueuedSpans = 8_192;
/** Timeout of an export including its retries. */
const timeoutMs = 5_000;
/** Time limit of the last export, because the process must exit within ten seconds. */
const closeTimeoutMs = 3_000;

type Address = Pick<OtlpOptions, 'endpoint' | 'headers'>;

const createExporter = ({ endpoint, headers }: Address) =>
  new OTLPTraceExporter({
    url: `${endpoint.replace(/\/+$/, '')}/v1/traces`,
    headers: { ...headers },
    timeoutMillis: timeoutMs,
  });

/** Sends an empty export, and throws unless the collector accepts it. */
export const assertTraceCollectorAccepts = (address: Address): Promise<void> =>
  new Promise((resolve, reject) => {
    createExporter(address).export([], ({ error }) => {
      // The exporter's message is only the reason phrase; the status code is more useful.
      const { code } = { ...error } as { code?: unknown };
      if (typeof code === 'number') reject(new Error(`The trace collector responded with ${code}.`));
      else if (error) reject(error);
      else resolve();
    });
  });

export function createOtlpExporter({ serviceName, ratio, onError, ...address }: OtlpOptions): OtlpExporter {
  const exporter = createExporter(address);
  const processor = new BatchSpanProcessor({
    exporter: reportingErrors(exporter, onError),
    scheduledDelayMillis: batchDelayMs,
    maxQueueSize: maxQueuedSpans,
    exportTimeoutMillis: timeoutMs * 2,
  });
  const resource = resourceFromAttributes({
    'service.name': serviceName,
    'service.version': packageVersion,
    'process.pid': process.pid,
  });
  const source = { resource, instrumentationScope: { name: 'duet', version: packageVersion } };

  return {
    ratio,
    collect: (span) => processor.onEnd(toReadableSpan(span, source)),
    async close() {
      // The processor's flush does not wait for exports in progress; the exporter's flush does.
      const flushed = processor.forceFlush().then(
        () => exporter.forceFlush(),
        // The error was passed to onError already.
        () => {},
      );
      const timeout = sleep(closeTimeoutMs, 'late' as const, { ref: false });
      if ((await Promise.race([flushed, timeout])) === 'late')
        onError(new Error('The trace collector did not accept the last spans in time.'));
    },
  };
}

/** Reports export errors, which the span processor would swallow. */
const reportingErrors = (exporter: SpanExporter, onError: (error: unknown) => void): SpanExporter => ({
  export: (spans, done) =>
    exporter.export(spans, (result) => {
      if (result.error) onError(result.error);
      done(result);
    }),
  shutdown: () => exporter.shutdown(),
});
