/**
 * Dated versions of the REST API. The header `X-Duet-Version: 2026-11-01` pins a client to the version of that date; the default is the newest.
 * Each change converts between two adjacent versions: requests of older clients are upgraded, their responses downgraded.
 */
import { AppError } from '../errors.ts';
import type { HttpRequest, HttpResponse } from '../http-message.ts';

type Json = Readonly<Record<string, unknown>>;

/** The parts of a request that versions convert. */
export interface VersionedRequest {
  readonly query: string;
  readonly body: Json;
}

/** `route` is method and path, such as `GET /v1/businesses/:businessId/products`. */
export interface ApiVersionChange {
  /** Date of the newer version. */
  readonly date: string;
  /** Converts a request of the older version. */
  upgradeRequest?(request: VersionedRequest, route: string): VersionedRequest;
  /** Converts a response body to the older version. */
  downgradeResponse?(body: Json, route: string): Json;
  /** Converts an error body to the older version. */
  downgradeError?(body: Json): Json;
}

/** In ascending order of dates. */
const versionChanges: readonly ApiVersionChange[] = [
  // Error bodies contain `requestId`.
  { date: '2026-11-15', downgradeError: ({ requestId: _new, ...body }) => body },
];

const firstDate = '2026-11-01';

/** All versions that a client may pin, the newest last. */
export const apiVersions: readonly string[] = [firstDate, ...versionChanges.map(({ date }) => date)];

/** Converts between the pinned version of a client and the newest version. */
export interface ApiVersionAdapter {
  upgradeRequest(request: VersionedRequest, route: string): VersionedRequest;
  /** Undefined: responses are the same as in the newest version. */
  downgradeResponse: ((body: Json, route: string) => Json) | undefined;
  downgradeError(response: HttpResponse): HttpResponse;
}

const newestVersion: ApiVersionAdapter = {
  upgradeRequest: (request) => request,
  downgradeResponse: undefined,
  downgradeError: (response) => response,
};

export function createApiVersionAdapterLookup(
  first = firstDate,
  changes: readonly ApiVersionChange[] = versionChanges,
) {
  const versions = [first, ...changes.map(({ date }) => date)];
  const adapters = new Map(
    versions.map((version) => [version, createAdapter(changes.filter(({ date }) => date > version))]),
  );
  return (request: HttpRequest): ApiVersionAdapter => {
    const pinned = request.header('x-duet-version');
    if (pinned === undefined) return newestVersion;
    const adapter = adapters.get(pinned);
    if (!adapter) throw unknownVersionError(versions);
    return adapter;
  };
}

/** `laterChanges` are the changes after the pinned version. */
const createAdapter = (laterChanges: readonly ApiVersionChange[]): ApiVersionAdapter =>
  laterChanges.length === 0
    ? newestVersion
    : {
        upgradeRequest: (request, route) =>
          laterChanges.reduce((older, change) => change.upgradeRequest?.(older, route) ?? older, request),
        downgradeResponse: laterChanges.some(({ downgradeResponse }) => downgradeResponse)
          ? (body, route) =>
              laterChanges.reduceRight(
                (newer, change) => change.downgradeResponse?.(newer, route) ?? newer,
                body,
              )
          : undefined,
        downgradeError(response) {
          if (typeof response.body !== 'string') return response;
          const body = laterChanges.reduceRight<Json>(
            (newer, change) => change.downgradeError?.(newer) ?? newer,
            JSON.parse(response.body) as Json,
          );
          return { ...response, body: JSON.stringify(body) };
        },
      };

function unknownVersionError(versions: readonly string[]): AppError {
  const message = `Must be one of ${versions.join(', ')}.`;
  return new AppError('BAD_REQUEST', `There is no such API version. ${message}`, {
    details: [{ field: 'X-Duet-Version', error: 'INVALID_VALUE', message }],
  });
}
