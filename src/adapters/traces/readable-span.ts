/** Our spans in the form that the SDK of OpenTelemetry sends. */
import { type HrTime, SpanKind, SpanStatusCode, TraceFlags } from '@opentelemetry/api';
import type { ReadableSpan } from '@opentelemetry/sdk-trace';
import type { Span } from '../../lib/tracing.ts';

const kinds = {
  internal: SpanKind.INTERNAL,
  server: SpanKind.SERVER,
  client: SpanKind.CLIENT,
  consumer: SpanKind.CONSUMER,
} as const satisfies Record<Span['kind'], SpanKind>;

/** Microseconds are what our clock knows, and what numbers of JavaScript hold. */
const hrTime = (ms: number): HrTime => {
  const microseconds = Math.round(ms * 1_000);
  return [Math.floor(microseconds / 1_000_000), (microseconds % 1_000_000) * 1_000];
};

const sampled = TraceFlags.SAMPLED;

/** `source` says which process it is from. What nobody samples is never a span here. */
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
