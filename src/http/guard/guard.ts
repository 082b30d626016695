/** Load protection in one place, before anything of a request is parsed: whether it may begin, when, and who pays for it. */
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
  metrics: Pick<Metrics, 'refused'>;
}

/** The most that any place reads. */
const maxBytes = 1024 * 1024;

/** Whoever watches over the process must hear from it at any time. */
const isExempt = (request: HttpRequest) =>
  request.path.startsWith('/health/') || request.path === '/metrics' || isPreflight(request);

const signIns = new Set(['/v1/users/login', '/v1/users/refresh', '/v1/users/refresh-access-token']);
const rankOf = ({ path }: HttpRequest): Rank => (signIns.has(path) ? 'early' : 'usual');

const hasBody = ({ method }: HttpRequest) => method === 'POST' || method === 'PUT';

export function createGuard({ budgets, gate, metrics }: GuardOptions): Guard {
  const openCharge = budgets && createCharges(budgets, () => metrics.refused('budget'));

  function refuseTooMuch<T>(check: () => T): T {
    try {
      return check();
    } catch (error) {
      metrics.refused('overload');
      throw error;
    }
  }

  async function inTurn(request: HttpRequest, call: Call, work: Work): Promise<Answer> {
    // Whoever sends slowly takes nobody's place meanwhile.
    if (hasBody(request)) await request.body(maxBytes);
    const turn = refuseTooMuch(() => gate.enter(rankOf(request)));
    if (turn) await turn;
    try {
      return await work(request, call);
    } finally {
      gate.leave();
    }
  }

  async function paid(request: HttpRequest, call: Call, work: Work): Promise<Answer> {
    refuseTooMuch(() => gate.expectRoom(rankOf(request)));
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
