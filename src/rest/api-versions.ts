/**
 * Dated versions of the REST wire. `X-Duet-Version: 2026-11-01` pins a caller to the wire of that day; without it, it gets the newest.
 * A change is a step between neighbouring dates: what an older client sends is brought up, what it is answered is taken down.
 */
import { AppError } from '../errors.ts';
import type { HttpRequest, HttpResponse } from '../http-message.ts';

type Json = Readonly<Record<string, unknown>>;

/** What a caller sent beside its path. */
export interface VersionedRequest {
  readonly query: string;
  readonly body: Json;
}

/** `row` is the method and the path of the table, such as `GET /v1/businesses/:businessId/products`. */
export interface ApiVersionChange {
  /** The first day of the newer wire. */
  readonly date: string;
  /** A request as clients before that day make it, as they make it since. */
  upgradeRequest?(sent: VersionedRequest, row: string): VersionedRequest;
  /** An answer as it is since that day, as it was before. */
  downgradeResponse?(body: Json, row: string): Json;
  /** The same for a failure. */
  downgradeError?(body: Json): Json;
}

/** In order of their dates. */
const steps: readonly ApiVersionChange[] = [
  // Errors say their request.
  { date: '2026-11-15', downgradeError: ({ requestId: _new, ...body }) => body },
];

const firstDate = '2026-11-01';

/** Every date that a caller may pin, the newest last. */
export const apiVersions: readonly string[] = [firstDate, ...steps.map(({ date }) => date)];

/** What lies between the wire of a caller and the newest one. */
export interface VersionAdapter {
  upgradeRequest(sent: VersionedRequest, row: string): VersionedRequest;
  /** Undefined: answers are what they are today. */
  downgradeResponse: ((body: Json, row: string) => Json) | undefined;
  downgradeError(response: HttpResponse): HttpResponse;
}

const none: VersionAdapter = {
  upgradeRequest: (sent) => sent,
  downgradeResponse: undefined,
  downgradeError: (response) => response,
};

export function createVersionAdapters(first = firstDate, changes: readonly ApiVersionChange[] = steps) {
  const known = [first, ...changes.map(({ date }) => date)];
  const distances = new Map(
    known.map((date) => [date, distanceOf(changes.filter((step) => step.date > date))]),
  );
  return (request: HttpRequest): VersionAdapter => {
    const pinned = request.header('x-duet-version');
    if (pinned === undefined) return none;
    const distance = distances.get(pinned);
    if (!distance) throw unknownVersion(known);
    return distance;
  };
}

const distanceOf = (missed: readonly ApiVersionChange[]): VersionAdapter =>
  missed.length === 0
    ? none
    : {
        upgradeRequest: (sent, row) =>
          missed.reduce((older, { upgradeRequest: up }) => up?.(older, row) ?? older, sent),
        downgradeResponse: missed.some(({ downgradeResponse: down }) => down)
          ? (body, row) =>
              missed.reduceRight((newer, { downgradeResponse: down }) => down?.(newer, row) ?? newer, body)
          : undefined,
        downgradeError(response) {
          if (typeof response.body !== 'string') return response;
          const body = missed.reduceRight<Json>(
            (shown, { downgradeError: failureDown }) => failureDown?.(shown) ?? shown,
            JSON.parse(response.body) as Json,
          );
          return { ...response, body: JSON.stringify(body) };
        },
      };

function unknownVersion(known: readonly string[]): AppError {
  const message = `Must be one of ${known.join(', ')}.`;
  return new AppError('BAD_REQUEST', `There is no such version of the wire. ${message}`, {
    details: [{ field: 'X-Duet-Version', error: 'INVALID_VALUE', message }],
  });
}
