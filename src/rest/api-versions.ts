/**
 * Dated versions of the REST API. The header `X-Duet-Version: 2026-11-01` pins a client to the version of that date. The default is the
 * newest version that is not opt-in.
 * Each change converts between two adjacent versions: requests of older clients are upgraded, their responses downgraded.
 */
import { AppError, type ErrorDetail } from '../errors.ts';
import type { HttpRequest } from '../http-message.ts';

type Json = Readonly<Record<string, unknown>>;

/** The parts of a request that versions convert. */
interface VersionedRequest {
  readonly query: string;
  readonly body: Json;
}

/** `route` is method and path, such as `GET /v1/businesses/:businessId/products`. */
export interface ApiVersionChange {
  /** Date of the newer version. */
  readonly date: string;
  /** Only clients that send the header get this version: it rejects requests that older versions accept. */
  readonly isOptIn?: true;
  /**
   * From this version on, unknown fields of a body, unknown query parameters and a `limit` above the maximum are errors, and creates
   * return 201 with `Location`.
   * Older versions ignore, clamp and return 200.
   */
  readonly isStrict?: true;
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
  {
    date: '2026-11-18',
    isOptIn: true,
    isStrict: true,
    // Errors are listed once, in `details`.
    downgradeError: ({ requestId, ...body }) => ({
      ...body,
      validationErrors: (body.details as readonly ErrorDetail[]).map(({ field, error }) => ({
        field,
        error,
      })),
      requestId,
    }),
  },
];

const firstDate = '2026-11-01';

/** All versions that a client may pin, the newest last. */
export const apiVersions: readonly string[] = [firstDate, ...versionChanges.map(({ date }) => date)];

const defaultVersionOf = (first: string, changes: readonly ApiVersionChange[]) =>
  changes.findLast(({ isOptIn }) => !isOptIn)?.date ?? first;

/** Version of requests without the header. */
export const defaultApiVersion = defaultVersionOf(firstDate, versionChanges);

/** Converts between the pinned version of a client and the newest version. */
export interface ApiVersionAdapter {
  upgradeRequest(request: VersionedRequest, route: string): VersionedRequest;
  /** Undefined: responses are the same as in the newest version. */
  downgradeResponse: ((body: Json, route: string) => Json) | undefined;
  downgradeError(body: Json): Json;
  /** See `ApiVersionChange.isStrict`. */
  isStrict: boolean;
}

const newestVersion: ApiVersionAdapter = {
  upgradeRequest: (request) => request,
  downgradeResponse: undefined,
  downgradeError: (body) => body,
  isStrict: true,
};

type RequestHeaders = Pick<HttpRequest, 'header'>;

/** Adapters by version. */
interface ApiVersionAdapters {
  /** Throws BAD_REQUEST if there is no such version. */
  of(request: RequestHeaders): ApiVersionAdapter;
  /** Like `of`, but the default version if there is no such version or no request. */
  orDefault(request?: RequestHeaders): ApiVersionAdapter;
}

export function createApiVersionAdapters(
  first = firstDate,
  changes: readonly ApiVersionChange[] = versionChanges,
): ApiVersionAdapters {
  const versions = [first, ...changes.map(({ date }) => date)];
  const adapters = new Map(
    versions.map((version) => [version, createAdapter(changes.filter(({ date }) => date > version))]),
  );
  const defaultAdapter = adapters.get(defaultVersionOf(first, changes)) ?? newestVersion;
  const find = (request: RequestHeaders | undefined) => {
    const pinned = request?.header('x-duet-version');
    return pinned === undefined ? defaultAdapter : adapters.get(pinned);
  };
  return {
    of(request) {
      const adapter = find(request);
      if (!adapter) throw unknownVersionError(versions);
      return adapter;
    },
    orDefault: (request) => find(request) ?? defaultAdapter,
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
        downgradeError: (body) =>
          laterChanges.reduceRight((newer, change) => change.downgradeError?.(newer) ?? newer, body),
        isStrict: !laterChanges.some(({ isStrict }) => isStrict),
      };

function unknownVersionError(versions: readonly string[]): AppError {
  const message = `Must be one of ${versions.join(', ')}.`;
  return new AppError('BAD_REQUEST', `There is no such API version. ${message}`, {
    details: [{ field: 'X-Duet-Version', error: 'INVALID_VALUE', message }],
  });
}
