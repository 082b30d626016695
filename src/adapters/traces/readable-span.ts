/** Converts spans of lib/tracing.ts to the ReadableSpan of the OpenTelemetry SDK. */
import { type HrTime, SpanKind, SpanStatusCode, TraceFlags } from '@opentelemetry/api';
import type { ReadableSpan } from '@opentelemetry/sdk-trace';
import type { Span } from '../../lib/tracing.ts';

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
export function toReadableSpan(
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
