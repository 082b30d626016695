/**
 * Traces in the words of OpenTelemetry: spans that know their parent, given to whoever collects them. While nobody does, work
 * is run as if this file did not exist.
 */
import { AsyncLocalStorage } from 'node:async_hooks';
import { randomBytes } from 'node:crypto';

export type SpanKind = 'internal' | 'server' | 'client' | 'consumer';
export type SpanAttributes = Record<string, string | number>;

export interface Span {
  readonly traceId: string;
  readonly id: string;
  readonly parentId: string | undefined;
  readonly kind: SpanKind;
  name: string;
  readonly attributes: SpanAttributes;
  /** In milliseconds since 1970, with fractions. */
  readonly startedAt: number;
  endedAt: number;
  /** What kind of failure it ended with. */
  error: string | undefined;
}

/** Where in which trace we are. What is not sampled is passed on, and told nobody. */
interface Position {
  readonly traceId: string;
  readonly spanId: string;
  readonly sampled: boolean;
}

export interface SpanCollector {
  collect(span: Span): void;
  /** The part of new traces that is collected, from 0 to 1. */
  readonly ratio: number;
}

let collector: SpanCollector | undefined;
const positions = new AsyncLocalStorage<Position>();

/** For the whole process, as there is one place that its spans go to; undefined ends it. */
export function setSpanCollector(to: SpanCollector | undefined): void {
  collector = to;
}

const newId = (bytes: number) => randomBytes(bytes).toString('hex');
const clock = () => performance.timeOrigin + performance.now();

/** Runs `work` in a span of its own. It may name the span better once it knows more. */
export function withSpan<T>(
  name: string,
  kind: SpanKind,
  attributes: SpanAttributes,
  work: (span: Span | undefined) => T,
): T {
  return collector === undefined ? work(undefined) : inSpan(collector, name, kind, attributes, work);
}

function inSpan<T>(
  to: SpanCollector,
  name: string,
  kind: SpanKind,
  attributes: SpanAttributes,
  work: (span: Span | undefined) => T,
): T {
  const parent = positions.getStore();
  const traceId = parent?.traceId ?? newId(16);
  const sampled = parent?.sampled ?? Math.random() < to.ratio;
  if (!sampled)
    return parent ? work(undefined) : positions.run({ traceId, spanId: newId(8), sampled }, work, undefined);
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
    if (error !== undefined) span.error = kindOf(error);
    to.collect(span);
  };
  try {
    const result = positions.run({ traceId, spanId: span.id, sampled }, work, span);
    if (result instanceof Promise) result.then(() => end(), end);
    else end();
    return result;
  } catch (error) {
    end(error);
    throw error;
  }
}

/** Messages may repeat what somebody sent; codes do not. */
function kindOf(error: unknown): string {
  const { code, name } = error as { code?: unknown; name?: unknown };
  return typeof code === 'string' ? code : typeof name === 'string' ? name : 'Error';
}

const wellFormed = /^00-(?!0{32})([\da-f]{32})-(?!0{16})([\da-f]{16})-([\da-f]{2})$/;

/** Goes on with the trace that a caller began, if they named one. */
export function continueTrace<T>(traceparent: string | undefined, work: () => T): T {
  if (collector === undefined || traceparent === undefined) return work();
  const [, traceId, spanId, flags = ''] = wellFormed.exec(traceparent) ?? [];
  if (traceId === undefined || spanId === undefined) return work();
  const sampled = (Number.parseInt(flags, 16) & 1) === 1;
  return positions.run({ traceId, spanId, sampled }, work);
}

/** The headers that let others go on with this trace. */
export function traceHeaders(): { traceparent?: string } {
  const at = positions.getStore();
  return at ? { traceparent: `00-${at.traceId}-${at.spanId}-${at.sampled ? '01' : '00'}` } : {};
}

/** What a log line says about the trace it was written in. */
export function traceLogFields(): { trace_id?: string; span_id?: string } {
  const at = positions.getStore();
  return at ? { trace_id: at.traceId, span_id: at.spanId } : {};
}
