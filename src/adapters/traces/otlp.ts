/** Spans to an OpenTelemetry collector: OTLP over HTTP, in its JSON form. What cannot be delivered is dropped, never waited for. */
import { packageVersion } from '../../lib/package-version.ts';
import type { Attributes, Collector, Span, SpanKind } from '../../lib/trace.ts';

export interface OtlpOptions {
  /** The address of the collector, without `/v1/traces`. */
  endpoint: string;
  headers: Readonly<Record<string, string>>;
  serviceName: string;
  ratio: number;
  onError(error: unknown): void;
}

export interface OtlpTraces extends Collector {
  /** Sends what is left. */
  close(): Promise<void>;
}

const gatherMs = 1_000;
const batchSize = 512;
/** What waits for a collector that does not answer. */
const mostWaiting = 8_192;
const timeoutMs = 5_000;

type Address = Pick<OtlpOptions, 'endpoint' | 'headers' | 'serviceName'>;

/** Throws unless the collector takes them; with none, it says whether it would. */
export async function deliver(
  { endpoint, headers, serviceName }: Address,
  spans: readonly Span[],
): Promise<void> {
  const response = await fetch(`${endpoint.replace(/\/+$/, '')}/v1/traces`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify(exportOf(spans, serviceName)),
    signal: AbortSignal.timeout(timeoutMs),
  });
  await response.body?.cancel();
  if (!response.ok) throw new Error(`The collector of traces answered ${response.status}.`);
}

export function createOtlpTraces({ ratio, onError, ...address }: OtlpOptions): OtlpTraces {
  const waiting: Span[] = [];
  let timer: NodeJS.Timeout | undefined;
  let sending: Promise<void> = Promise.resolve();

  const send = (spans: readonly Span[]) => deliver(address, spans).catch(onError);

  /** One batch after the other, until nothing waits. */
  function flush(): Promise<void> {
    clearTimeout(timer);
    timer = undefined;
    sending = sending.then(async () => {
      while (waiting.length > 0) await send(waiting.splice(0, batchSize));
    });
    return sending;
  }

  return {
    ratio,
    collect(span) {
      if (waiting.length >= mostWaiting) return;
      waiting.push(span);
      timer ??= setTimeout(() => void flush(), gatherMs).unref();
    },
    close: flush,
  };
}

const kinds: Readonly<Record<SpanKind, number>> = { internal: 1, server: 2, client: 3, consumer: 5 };
const failed = 2;

const attributesOf = (attributes: Attributes) =>
  Object.entries(attributes).map(([key, value]) => ({
    key,
    value: typeof value === 'number' ? { intValue: String(Math.round(value)) } : { stringValue: value },
  }));

/** As text: numbers of JavaScript do not hold so many digits. */
const nanoseconds = (ms: number) => `${BigInt(Math.round(ms * 1000)) * 1000n}`;

const exportOf = (spans: readonly Span[], serviceName: string) => ({
  resourceSpans: [
    {
      resource: {
        attributes: attributesOf({
          'service.name': serviceName,
          'service.version': packageVersion,
          'process.pid': process.pid,
        }),
      },
      scopeSpans: [{ scope: { name: 'duet', version: packageVersion }, spans: spans.map(spanOf) }],
    },
  ],
});

const spanOf = ({ traceId, id, parentId, name, kind, startedAt, endedAt, attributes, error }: Span) => ({
  traceId,
  spanId: id,
  ...(parentId === undefined ? {} : { parentSpanId: parentId }),
  name,
  kind: kinds[kind],
  startTimeUnixNano: nanoseconds(startedAt),
  endTimeUnixNano: nanoseconds(endedAt),
  attributes: attributesOf(error === undefined ? attributes : { ...attributes, 'error.type': error }),
  status: error === undefined ? {} : { code: failed },
});
