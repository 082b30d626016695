/** Load protection in one place, before anything of a request is parsed: whether it may begin, when, and who pays for it. */
import { bulkUploadsPath as bulkPath } from '../../domains/bulk/files/signed-links.ts';
import { mediaUploadsPath } from '../../domains/media/model.ts';
import type { HttpRequest } from '../../http-message.ts';
import type { Metrics } from '../../ports/metrics.ts';
import type { RequestBudgets } from '../../ports/request-budgets.ts';
import { isCorsPreflight } from '../cors.ts';
import type { HttpCall, HttpRouteResult } from '../http-route.ts';
import { createBudgetCharges } from './budget-charge.ts';
import type { ConcurrencyGate, RequestPriority } from './concurrency-gate.ts';

type Work = (request: HttpRequest, call: HttpCall) => Promise<HttpRouteResult>;

export type RequestGuard = (request: HttpRequest, call: HttpCall, work: Work) => Promise<HttpRouteResult>;

export interface RequestGuardOptions {
  /** Undefined: nothing is counted. */
  budgets: RequestBudgets | undefined;
  gate: ConcurrencyGate;
  /** Whether the body of a GraphQL request is a sign-in of at most so many bytes. */
  graphqlSignIn: { maxBytes: number; is(body: Buffer): boolean };
  metrics: Pick<Metrics, 'requestRejected'>;
}

/** The most that any place reads at once. */
const maxBytes = 1024 * 1024;

/** Whoever watches over the process must hear from it at any time. */
const isExempt = (request: HttpRequest) =>
  request.path.startsWith('/health/') || request.path === '/metrics' || isCorsPreflight(request);

const signIns = new Set(['/v1/users/login', '/v1/users/refresh', '/v1/users/refresh-access-token']);

/** They may take long to come, and have places of their own (media/upload.ts). */
const isUpload = ({ method, path }: HttpRequest) =>
  method === 'POST' && (path.startsWith(mediaUploadsPath) || path.startsWith(bulkPath));

const hasBody = ({ method }: HttpRequest) => method === 'POST' || method === 'PUT';

export function createRequestGuard({
  budgets,
  gate,
  graphqlSignIn,
  metrics,
}: RequestGuardOptions): RequestGuard {
  const openCharge = budgets && createBudgetCharges(budgets, () => metrics.requestRejected('budget'));

  function countRefusal(error: unknown): never {
    metrics.requestRejected('overload');
    throw error;
  }

  function refuseTooMuch<T>(check: () => T): T {
    try {
      return check();
    } catch (error) {
      return countRefusal(error);
    }
  }

  /** Before its body is there, a short GraphQL request may be a sign-in. */
  function rankOf({ method, path, header }: HttpRequest, body?: Buffer): RequestPriority {
    if (signIns.has(path)) return 'early';
    if (path !== '/graphql' || method !== 'POST') return 'usual';
    const isSignIn = body
      ? graphqlSignIn.is(body)
      : Number(header('content-length')) <= graphqlSignIn.maxBytes;
    return isSignIn ? 'early' : 'usual';
  }

  async function inTurn(request: HttpRequest, call: HttpCall, work: Work): Promise<HttpRouteResult> {
    if (isUpload(request)) return work(request, call);
    // Whoever sends slowly takes nobody's place meanwhile.
    const body = hasBody(request) ? await request.body(maxBytes) : undefined;
    const turn = refuseTooMuch(() => gate.enter(gate.isFree() ? 'usual' : rankOf(request, body)));
    if (turn) await turn.catch(countRefusal);
    const began = performance.now();
    try {
      return await work(request, call);
    } finally {
      gate.leave(performance.now() - began);
    }
  }

  async function paid(request: HttpRequest, call: HttpCall, work: Work): Promise<HttpRouteResult> {
    if (!gate.isFree()) refuseTooMuch(() => gate.assertCapacity(rankOf(request)));
    if (!openCharge) return inTurn(request, call, work);
    const charge = openCharge(call.facts);
    if (request.path === '/graphql') call.facts.operationCost.pay = (cost) => charge.setCost(cost);
    async function createContext(gone?: AbortSignal) {
      const ctx = await call.createContext(gone);
      charge.assignPayer(ctx.viewer);
      return ctx;
    }
    try {
      return await inTurn(request, { facts: call.facts, createContext }, work);
    } finally {
      charge.writeHeaders();
    }
  }

  return (request, call, work) => (isExempt(request) ? work(request, call) : paid(request, call, work));
}
