/** Load protection before a request is parsed: request budgets, concurrency limit and rejection under overload. */
import type { RequestInProgress } from '../../context.ts';
import { bulkUploadsPathPrefix } from '../../domains/bulk/files/signed-links.ts';
import { mediaUploadsPathPrefix } from '../../domains/media/model.ts';
import { AppError } from '../../errors.ts';
import { acceptsBody, type HttpRequest } from '../../http-message.ts';
import type { Metrics } from '../../ports/metrics.ts';
import type { RequestBudgets } from '../../ports/request-budgets.ts';
import { isCorsPreflight } from '../finish-response.ts';
import type { HttpRouteResult } from '../http-route-types.ts';
import { createBodyReader } from './arriving-bodies.ts';
import { createBudgetChargeStarter } from './budget-charge.ts';
import type { ConcurrencyGate, RequestPriority } from './concurrency-gate.ts';
import { createFairRequestStart } from './fair-request-start.ts';

type Work = (request: HttpRequest, call: RequestInProgress) => Promise<HttpRouteResult>;

export type RunGuardedRequest = (
  request: HttpRequest,
  call: RequestInProgress,
  work: Work,
) => Promise<HttpRouteResult>;

interface RequestGuardOptions {
  /** Undefined: requests are not charged. */
  budgets: RequestBudgets | undefined;
  /** Budgets that all guests of one network may spend together. */
  guestNetworkBudgets: number;
  gate: ConcurrencyGate;
  /** Recognises a GraphQL sign-in by its body, which has at most `maxBytes` bytes. */
  graphqlSignIn: { maxBytes: number; is(body: Buffer): boolean };
  metrics: Pick<Metrics, 'requestRejected'> | undefined;
}

/** Largest body that a route reads into memory. */
const maxBytes = 1024 * 1024;

/** Health checks, metrics and CORS preflights are served even under overload. */
export const isExemptFromLimits = (request: HttpRequest) =>
  request.path.startsWith('/health/') || request.path === '/metrics' || isCorsPreflight(request);

const signIns = new Set(['/v1/users/login', '/v1/users/refresh', '/v1/users/refresh-access-token']);

/** Uploads may take long to arrive, so they do not occupy a slot of the gate; files/multipart-upload.ts limits their number. */
const isUpload = ({ method, path }: HttpRequest) =>
  method === 'POST' && (path.startsWith(mediaUploadsPathPrefix) || path.startsWith(bulkUploadsPathPrefix));

const hasBody = ({ method }: HttpRequest) => acceptsBody(method);

/** Calls `onExecuted` when the request is executed, which may be after its result is returned. */
async function runUntilExecuted(
  run: () => Promise<HttpRouteResult>,
  onExecuted: () => void,
): Promise<HttpRouteResult> {
  let executed: Promise<void> | undefined;
  try {
    const result = await run();
    executed = result.executed;
    return result;
  } finally {
    if (executed) void executed.then(onExecuted);
    else onExecuted();
  }
}

export function createRequestGuard({
  budgets,
  guestNetworkBudgets,
  gate,
  graphqlSignIn,
  metrics,
}: RequestGuardOptions): RunGuardedRequest {
  const onRejected = () => metrics?.requestRejected('budget');
  const openCharge = budgets && createBudgetChargeStarter({ budgets, guestNetworkBudgets, onRejected });
  const turns = createFairRequestStart();
  const readBodyOfPayer = createBodyReader(maxBytes);

  function countRejection(error: unknown): never {
    metrics?.requestRejected('overload');
    throw error;
  }

  function countUnavailable(error: unknown): never {
    if (error instanceof AppError && error.code === 'UNAVAILABLE') metrics?.requestRejected('overload');
    throw error;
  }

  function countOverload<T>(check: () => T): T {
    try {
      return check();
    } catch (error) {
      return countRejection(error);
    }
  }

  /** Before the body has arrived, any GraphQL request that is short enough counts as a sign-in. */
  function priorityOf({ method, path, header }: HttpRequest, body?: Buffer): RequestPriority {
    if (signIns.has(path)) return 'early';
    if (path !== '/graphql' || method !== 'POST') return 'usual';
    const isSignIn = body
      ? graphqlSignIn.is(body)
      : Number(header('content-length')) <= graphqlSignIn.maxBytes;
    return isSignIn ? 'early' : 'usual';
  }

  async function runQueued(
    request: HttpRequest,
    call: RequestInProgress,
    work: Work,
    { payerGroup }: { payerGroup?: string } = {},
  ): Promise<HttpRouteResult> {
    if (isUpload(request)) return work(request, call);
    // The body is read before a slot is taken, so that slow clients do not occupy one.
    const readBody = async () =>
      payerGroup === undefined ? request.body(maxBytes) : readBodyOfPayer(request, payerGroup);
    const body = hasBody(request) ? await readBody().catch(countUnavailable) : undefined;
    const queued = countOverload(() =>
      gate.enter(gate.isFree() ? 'usual' : priorityOf(request, body), payerGroup),
    );
    if (queued) await queued.catch(countRejection);
    const startedAt = performance.now();
    return runUntilExecuted(
      async () => {
        const turn = payerGroup === undefined ? undefined : turns.enter(payerGroup);
        if (turn) await turn;
        return work(request, call);
      },
      () => {
        if (payerGroup !== undefined) turns.leave(payerGroup);
        gate.leave(performance.now() - startedAt, payerGroup);
      },
    );
  }

  async function runCharged(
    request: HttpRequest,
    call: RequestInProgress,
    work: Work,
  ): Promise<HttpRouteResult> {
    const assertCapacity = (payerGroup?: string) => {
      if (!gate.isFree()) countOverload(() => gate.assertCapacity(priorityOf(request), payerGroup));
    };
    if (!openCharge) {
      assertCapacity();
      return runQueued(request, call, work);
    }
    const charge = openCharge(call.facts);
    try {
      assertCapacity(charge.payerGroup);
    } catch (error) {
      charge.refund();
      throw error;
    }
    if (call.facts.protocol === 'graphql') {
      call.facts.operationCost.onChange = (total) => charge.setCost(total);
      call.facts.operationCost.chargeEvent = () => charge.chargeEvent();
    }
    async function createContext(abortSignal?: AbortSignal) {
      const ctx = await call.createContext(abortSignal);
      charge.assignPayer(ctx.viewer);
      return ctx;
    }
    try {
      return await runUntilExecuted(
        () => runQueued(request, { facts: call.facts, createContext }, work, charge),
        () => charge.chargeMeasuredTime(),
      );
    } finally {
      charge.writeHeaders();
    }
  }

  return (request, call, work) =>
    isExemptFromLimits(request) ? work(request, call) : runCharged(request, call, work);
}
