/**
 * Tracing with the concepts of OpenTelemetry: spans with parents, passed to a collector. Without a collector there is no overhead.
 */
import { AsyncLocalStorage } from 'node:async_hooks';
import { randomBytes } from 'node:crypto';

export type SpanKind = 'internal' | 'server' | 'client' | 'consumer';
type SpanAttributes = Record<string, string | number>;

export interface Span {
  readonly traceId: string;
  readonly id: string;
  readonly parentId: string | undefined;
  readonly kind: SpanKind;
  name: string;
  readonly attributes: SpanAttributes;
  /** Milliseconds since the Unix epoch, with fractions. */
  readonly startedAt: number;
  endedAt: number;
  /** Error code or error name, if the work failed. */
  error: string | undefined;
}

/** Current span within its trace. An unsampled trace is propagated, but not collected. */
interface SpanContext {
  readonly traceId: string;
  readonly spanId: string;
  readonly sampled: boolean;
}

export interface SpanCollector {
  collect(span: Span): void;
  /** Sampling ratio of new traces, from 0 to 1. */
  readonly ratio: number;
}

let collector: SpanCollector | undefined;
const currentSpan = new AsyncLocalStorage<SpanContext>();

/** Sets the collector of the whole process; undefined disables tracing. */
export function setSpanCollector(target: SpanCollector | undefined): void {
  collector = target;
}

const newId = (bytes: number) => randomBytes(bytes).toString('hex');
const clock = () => performance.timeOrigin + performance.now();

/** Runs `work` in a span of its own. `work` may change the name and attributes of the span. */
export function withSpan<T>(
  name: string,
  kind: SpanKind,
  attributes: SpanAttributes,
  work: (span: Span | undefined) => T,
): T {
  return collector === undefined ? work(undefined) : inSpan(collector, name, kind, attributes, work);
}

function inSpan<T>(
  target: SpanCollector,
  name: string,
  kind: SpanKind,
  attributes: SpanAttributes,
  work: (span: Span | undefined) => T,
): T {
  const parent = currentSpan.getStore();
  const traceId = parent?.traceId ?? newId(16);
  const sampled = parent?.sampled ?? Math.random() < target.ratio;
  if (!sampled)
    return parent
      ? work(undefined)
      : currentSpan.run({ traceId, spanId: newId(8), sampled }, work, undefined);
  const span: Span = {
    traceId,
    id: newId(8),
    parentId: parent?.spanId,
    kind,
    name,
    attributes,
    startedAt: clock(),
    endedAt: 0,
    error: undefined,
  };
  const end = (error?: unknown) => {
    span.endedAt = clock();
    if (error !== undefined) span.error = errorKind(error);
    target.collect(span);
  };
  try {
    const result = currentSpan.run({ traceId, spanId: span.id, sampled }, work, span);
    if (result instanceof Promise) result.then(() => end(), end);
    else end();
    return result;
  } catch (error) {
    end(error);
    throw error;
  }
}

/** Code or class name of an error. Not its message, which may contain input of the client. */
function errorKind(error: unknown): string {
  const { code, name } = error as { code?: unknown; name?: unknown };
  return typeof code === 'string' ? code : typeof name === 'string' ? name : 'Error';
}

const traceparentPattern = /^00-(?!0{32})([\da-f]{32})-(?!0{16})([\da-f]{16})-([\da-f]{2})$/;

/** Continues the trace of a client's `traceparent` header, if it is present and well-formed. */
export function continueTrace<T>(traceparent: string | undefined, work: () => T): T {
  if (collector === undefined || traceparent === undefined) return work();
  const [, traceId, spanId, flags = ''] = traceparentPattern.exec(traceparent) ?? [];
  if (traceId === undefined || spanId === undefined) return work();
  const sampled = (Number.parseInt(flags, 16) & 1) === 1;
  return currentSpan.run({ traceId, spanId, sampled }, work);
}

/** Headers that propagate this trace to other services. */
export function buildTraceHeaders(): { traceparent?: string } {
  const span = currentSpan.getStore();
  return span ? { traceparent: `00-${span.traceId}-${span.spanId}-${span.sampled ? '01' : '00'}` } : {};
}

/** Fields that link a log line to its trace. */
export function buildTraceLogFields(): { trace_id?: string; span_id?: string } {
  const span = currentSpan.getStore();
  return span ? { trace_id: span.traceId, span_id: span.spanId } : {};
}
