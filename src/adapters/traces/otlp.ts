/** Spans to an OpenTelemetry collector: OTLP over HTTP, in its JSON form. What cannot be delivered is dropped, never waited for. */
import { setTimeout as sleep } from 'node:timers/promises';
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http';
import { resourceFromAttributes } from '@opentelemetry/resources';
import { BatchSpanProcessor, type SpanExporter } from '@opentelemetry/sdk-trace';
import { packageVersion } from '../../lib/package-info.ts';
import type { SpanCollector } from '../../lib/tracing.ts';
import { toReadableSpan } from './readable-span.ts';

export interface OtlpOptions {
  /** The address of the collector, without `/v1/traces`. */
  endpoint: string;
  headers: Readonly<Record<string, string>>;
  serviceName: string;
  ratio: number;
  onError(error: unknown): void;
}

export interface OtlpTraces extends SpanCollector {
  /** Sends what is left, and gives up on a collector that does not take it. */
  close(): Promise<void>;
}

const gatherMs = 1_000;
/** What waits for a collector that does not answer. */
const mostWaiting = 8_192;
/** With all tries. */
const timeoutMs = 5_000;
/** The process that ends has little time left. */
const closeMs = 3_000;

type Address = Pick<OtlpOptions, 'endpoint' | 'headers'>;

const exporterTo = ({ endpoint, headers }: Address) =>
  new OTLPTraceExporter({
    url: `${endpoint.replace(/\/+$/, '')}/v1/traces`,
    headers: { ...headers },
    timeoutMillis: timeoutMs,
  });

/** Sends no spans, and throws unless the collector takes them. */
export const checkCollector = (address: Address): Promise<void> =>
  new Promise((resolve, reject) => {
    exporterTo(address).export([], ({ error }) => {
      // What it says of an answer is no more than its reason phrase.
      const { code } = { ...error } as { code?: unknown };
      if (typeof code === 'number') reject(new Error(`The collector of traces answered ${code}.`));
      else if (error) reject(error);
      else resolve();
    });
  });

export function createOtlpTraces({ serviceName, ratio, onError, ...address }: OtlpOptions): OtlpTraces {
  const exporter = exporterTo(address);
  const processor = new BatchSpanProcessor({
    exporter: telling(exporter, onError),
    scheduledDelayMillis: gatherMs,
    maxQueueSize: mostWaiting,
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
      // What is on its way already is not among what is flushed.
      const sent = processor.forceFlush().then(
        () => exporter.forceFlush(),
        // Told already.
        () => {},
      );
      const late = sleep(closeMs, 'late' as const, { ref: false });
      if ((await Promise.race([sent, late])) === 'late')
        onError(new Error('The collector of traces took too long at the end.'));
    },
  };
}

/** The processor tells nobody what it could not send. */
const telling = (exporter: SpanExporter, onError: (error: unknown) => void): SpanExporter => ({
  export: (spans, done) =>
    exporter.export(spans, (result) => {
      if (result.error) onError(result.error);
      done(result);
    }),
  shutdown: () => exporter.shutdown(),
});
