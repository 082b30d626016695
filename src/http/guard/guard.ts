/** Load protection in one place, before anything of a request is parsed: whether it may begin, when, and who pays for it. */
import { uploadsPath as bulkPath } from '../../domains/bulk/links.ts';
import { uploadsPath } from '../../domains/media/model.ts';
import type { HttpRequest } from '../../message.ts';
import type { Budgets } from '../../ports/budgets.ts';
import type { Metrics } from '../../ports/metrics.ts';
import { isPreflight } from '../cors.ts';
import type { Answer, Call } from '../place.ts';
import { createCharges } from './charge.ts';
import type { Gate, Rank } from './gate.ts';

type Work = (request: HttpRequest, call: Call) => Promise<Answer>;

export type Guard = (request: HttpRequest, call: Call, work: Work) => Promise<Answer>;

export interface GuardOptions {
  /** Undefined: nothing is counted. */
  budgets: Budgets | undefined;
  gate: Gate;
  /** Whether the body of a GraphQL request is a sign-in of at most so many bytes. */
  graphqlSignIn: { maxBytes: number; is(body: Buffer): boolean };
  metrics: Pick<Metrics, 'refused'>;
}

/** The most that any place reads at once. */
const maxBytes = 1024 * 1024;

/** Whoever watches over the process must hear from it at any time. */
const isExempt = (request: HttpRequest) =>
  request.path.startsWith('/health/') || request.path === '/metrics' || isPreflight(request);

const signIns = new Set(['/v1/users/login', '/v1/users/refresh', '/v1/users/refresh-access-token']);

/** They may take long to come, and have places of their own (media/upload.ts). */
const isUpload = ({ method, path }: HttpRequest) =>
  method === 'POST' && (path.startsWith(uploadsPath) || path.startsWith(bulkPath));

const hasBody = ({ method }: HttpRequest) => method === 'POST' || method === 'PUT';

export function createGuard({ budgets, gate, graphqlSignIn, metrics }: GuardOptions): Guard {
  const openCharge = budgets && createCharges(budgets, () => metrics.refused('budget'));

  function countRefusal(error: unknown): never {
    metrics.refused('overload');
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
  function rankOf({ method, path, header }: HttpRequest, body?: Buffer): Rank {
    if (signIns.has(path)) return 'early';
    if (path !== '/graphql' || method !== 'POST') return 'usual';
    const isSignIn = body
      ? graphqlSignIn.is(body)
      : Number(header('content-length')) <= graphqlSignIn.maxBytes;
    return isSignIn ? 'early' : 'usual';
  }

  async function inTurn(request: HttpRequest, call: Call, work: Work): Promise<Answer> {
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

  async function paid(request: HttpRequest, call: Call, work: Work): Promise<Answer> {
    if (!gate.isFree()) refuseTooMuch(() => gate.expectRoom(rankOf(request)));
    if (!openCharge) return inTurn(request, call, work);
    const charge = openCharge(call.facts);
    if (request.path === '/graphql') call.facts.spent.pay = (cost) => charge.pay(cost);
    async function createContext(gone?: AbortSignal) {
      const ctx = await call.createContext(gone);
      charge.belongsTo(ctx.viewer);
      return ctx;
    }
    try {
      return await inTurn(request, { facts: call.facts, createContext }, work);
    } finally {
      charge.tell();
    }
  }

  return (request, call, work) => (isExempt(request) ? work(request, call) : paid(request, call, work));
}
