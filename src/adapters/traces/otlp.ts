/** Exports spans to an OpenTelemetry collector by OTLP over HTTP (JSON). Spans that cannot be delivered are dropped; no request waits for the export. */
import { setTimeout as sleep } from 'node:timers/promises';
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http';
import { resourceFromAttributes } from '@opentelemetry/resources';
import { BatchSpanProcessor, type SpanExporter } from '@opentelemetry/sdk-trace';
import { packageVersion } from '../../lib/package-info.ts';
import type { SpanCollector } from '../../lib/tracing.ts';
import { toReadableSpan } from './readable-span.ts';

interface OtlpOptions {
  /** URL of the collector, without `/v1/traces`. */
  endpoint: string;
  headers: Readonly<Record<string, string>>;
  serviceName: string;
  ratio: number;
  onError(error: unknown): void;
}

export interface OtlpTraces extends SpanCollector {
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

export function createOtlpTraces({ serviceName, ratio, onError, ...address }: OtlpOptions): OtlpTraces {
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
