/** Records requests of businesses in memory and writes them every second. Requests never wait for it; a killed process loses up to a second. */
import { authenticateOrAnonymous } from '../../auth/viewer-and-authentication.ts';
import type { Services } from '../../context.ts';
import { isId } from '../../lib/ids.ts';
import { isPlainObject } from '../../lib/json/plain-objects.ts';
import { toIpNetwork } from '../../lib/net/ip-addresses.ts';
import { now } from '../../lib/time.ts';
import type {
  LoggedHttpRequest,
  LoggedRequestFacts,
  LoggedResult,
  LoggedUser,
  ObservedCall,
  RequestLogRecorder,
} from '../../ports/request-log.ts';
import { buildLogEntry, type FinishedRequest, parseJsonOrUndefined } from './build-entry.ts';
import {
  defaultRequestLogRates,
  LogEntryQueue,
  type LogQueueLimits,
  RequestLogRateLimits,
  type RequestLogRates,
} from './entry-queue-and-rates.ts';
import { loadBodyRecordingBusinesses } from './request-log-settings.ts';
import { writeLoggedRequests } from './write-logged-requests.ts';
import { writeSkippedCounts } from './write-skipped-counts.ts';

export type RequestRecorderServices = Pick<Services, 'db' | 'log' | 'tokens' | 'revocations'>;

interface RequestRecorderOptions {
  queue?: LogQueueLimits;
  shares?: RequestLogRates;
}

const writeEveryMs = 1000;
/** The list of businesses that record bodies is read at most this often. */
const settingsEveryMs = 5000;
/** A batch that fails this often is dropped: a row of it may be the cause. */
const maxAttempts = 3;
const maxBusinessesPerRequest = 3;
const maxBodyBytes = 64 * 1024;

export function createRequestRecorder(
  services: RequestRecorderServices,
  options: RequestRecorderOptions = {},
): RequestLogRecorder {
  const { db, log } = services;
  const queue = new LogEntryQueue(options.queue);
  const shares = new RequestLogRateLimits(options.shares ?? defaultRequestLogRates);
  let recordsBodies: ReadonlySet<string> = new Set();
  let settingsReadAt = Number.NEGATIVE_INFINITY;
  let pending: { rows: string[]; attempts: number } | undefined;
  let identifying: Promise<void>[] = [];
  let writing: Promise<void> = Promise.resolve();
  let timer: NodeJS.Timeout | undefined;

  function recordCall(
    call: LoggedCall,
    businessId: string,
    user: LoggedUser | undefined,
    early?: { operation: FinishedRequest['operation'] },
  ): void {
    // An id in a path may be any text, and one that PostgreSQL cannot store would fail the statement of all businesses.
    if (!isId(businessId)) return;
    const { facts, code } = call;
    const share = {
      businessId,
      caller: user && !user.isGuest ? (user.keyId ?? user.userId) : toIpNetwork(facts.address),
      isIdentified: user?.isGuest === false,
      isError: code !== undefined,
    };
    if (!shares.take(share, performance.now())) {
      queue.skip(businessId);
      return;
    }
    queue.add(
      buildLogEntry(
        {
          request: call.request,
          facts,
          user,
          operation: early ? early.operation : facts.observed.operation,
          result: call.result,
          code,
          ms: call.ms,
          body: recordsBodies.has(businessId) ? readBody(call.request) : undefined,
        },
        businessId,
      ),
    );
  }

  /** An error from before the operation started: the caller is authenticated and the business found afterwards, in the background. */
  function recordEarlyError(call: LoggedCall): void {
    const { facts, request } = call;
    const network = toIpNetwork(facts.address);
    if (!shares.takeOfCaller(network, true, performance.now())) return;
    const body = facts.protocol === 'graphql' ? readBody(request) : undefined;
    const businessId = body === undefined ? businessInPath.exec(request.path)?.[1] : businessInBody(body);
    const hasCredentials = facts.authorization !== undefined || facts.apiKey !== undefined;
    if (businessId === undefined && !hasCredentials) return;
    const identified = (async () => {
      const viewer = hasCredentials ? await authenticateOrAnonymous(services, facts) : undefined;
      const [onlyBusiness, ...others] =
        businessId !== undefined || !viewer?.user ? [] : (await viewer.permissionsByBusiness()).keys();
      const id = businessId ?? (others.length === 0 ? onlyBusiness : undefined);
      if (id !== undefined)
        recordCall(call, id.toLowerCase(), viewer?.user, { operation: operationIn(body) });
    })().catch((error: unknown) => log.debug({ err: error }, 'caller of a failed request not identified'));
    identifying.push(identified);
  }

  async function writeBatch(): Promise<void> {
    await Promise.all(identifying.splice(0));
    const { rows, skipped } = queue.drain();
    if (rows.length > 0 || pending) {
      const batch = { rows: [...(pending?.rows ?? []), ...rows], attempts: (pending?.attempts ?? 0) + 1 };
      pending = batch.attempts < maxAttempts ? batch : undefined;
      await writeLoggedRequests(db, batch.rows);
      pending = undefined;
    }
    if (skipped.size > 0) await writeSkippedCounts(db, skipped, now());
  }

  async function readSettings(): Promise<void> {
    if (performance.now() - settingsReadAt < settingsEveryMs) return;
    settingsReadAt = performance.now();
    recordsBodies = await loadBodyRecordingBusinesses(db, now());
  }

  const write = (step: () => Promise<void>) => {
    writing = writing
      .then(step)
      .catch((error: unknown) => log.warn({ err: error }, 'request log not written, will be retried'));
    return writing;
  };
  const flush = () => write(writeBatch);

  return {
    record(request, facts, result, ms) {
      try {
        if (facts.protocol === 'other') return;
        const { observed } = facts;
        const code = errorCodeOf(observed, result, facts.protocol);
        const call = { request, facts, result, ms, code };
        if (observed.operation === undefined) {
          if (code !== undefined) recordEarlyError(call);
          return;
        }
        if (code === undefined && isReadOfLog(result)) return;
        for (const businessId of businessIdsOf(observed)) recordCall(call, businessId, observed.user);
      } catch (error) {
        log.warn({ err: error }, 'request not recorded');
      }
    },
    async flush() {
      settingsReadAt = Number.NEGATIVE_INFINITY;
      await write(readSettings);
      await flush();
    },
    start() {
      timer ??= setInterval(() => void flush().then(() => write(readSettings)), writeEveryMs).unref();
    },
    async stop() {
      clearInterval(timer);
      timer = undefined;
      await flush();
      identifying = [];
    },
  };
}

/** The parts of `FinishedRequest` that are known when the response is ready. */
interface LoggedCall extends Pick<FinishedRequest, 'code' | 'ms'> {
  request: LoggedHttpRequest;
  facts: LoggedRequestFacts;
  result: LoggedResult;
}

/** Undefined for a success. Errors of GraphQL have status 200 unless the client accepts the newer media type. */
function errorCodeOf({ code }: ObservedCall, { response, code: resultCode }: LoggedResult, protocol: string) {
  const reportedCode = resultCode ?? code;
  if (reportedCode !== undefined) return reportedCode;
  if (response.status >= 400) return `HTTP_${response.status}`;
  const isErrorBody =
    protocol === 'graphql' && typeof response.body === 'string' && response.body.startsWith('{"errors":');
  return isErrorBody ? 'BAD_REQUEST' : undefined;
}

/**
 * The workbench reads the log every few seconds: these requests would fill it. Recognised by their route, which needs the permission to
 * read the log; a caller must not be able to hide any other request.
 */
const isReadOfLog = ({ route = '' }: LoggedResult) => readsOfLog.test(route);
const readsOfLog =
  /^GET \/v1\/businesses\/:businessId\/(?:requests|request-errors|request-clients|request-log-settings)$/;

const businessInPath = /^\/v1\/businesses\/([0-9a-f-]{36})(?:\/|$)/i;

/** PERF: most operations have a variable `businessId`; the others are searched for arguments. */
function businessIdsOf({ operation, variables }: ObservedCall): readonly string[] {
  const id = variables?.businessId;
  if (typeof id === 'string') return isId(id) ? [id.toLowerCase()] : [];
  const ids = [...(operation?.businessIds(variables ?? {}) ?? [])];
  return ids
    .filter((value): value is string => typeof value === 'string' && isId(value))
    .slice(0, maxBusinessesPerRequest)
    .map((value) => value.toLowerCase());
}

const operationStart = /^\s*(query|mutation|subscription)\s+(\w{1,100})/;

/** Operation of a document that could not be prepared. */
function operationIn(body: unknown): FinishedRequest['operation'] {
  const { query, operationName } = isPlainObject(body) ? body : {};
  const text = typeof query === 'string' ? query : '';
  const [, start, name = ''] = operationStart.exec(text) ?? [];
  // Anything that may be a mutation counts as one: the workbench asks before it sends a write again.
  const kind = start === 'query' && !/\bmutation\b/.test(text) ? 'query' : (start ?? 'mutation');
  return { kind, name: typeof operationName === 'string' ? operationName : name };
}

function businessInBody(body: unknown): string | undefined {
  const { variables } = isPlainObject(body) ? body : {};
  const { businessId, input } = isPlainObject(variables) ? variables : {};
  const id = businessId ?? (isPlainObject(input) ? input.businessId : undefined);
  return typeof id === 'string' && isId(id) ? id : undefined;
}

/** The body as JSON, if it was received and is short. */
function readBody(request: LoggedHttpRequest): unknown {
  if (!request.header('content-type')?.includes('json')) return undefined;
  const body = request.receivedBody();
  return body === undefined || body.length > maxBodyBytes ? undefined : parseJsonOrUndefined(body.toString());
}
