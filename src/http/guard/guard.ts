/** Load protection in one place, before anything of a request is read: whether it may begin, and who pays for it. */
import type { HttpRequest } from '../../message.ts';
import type { Budgets } from '../../ports/budgets.ts';
import type { Metrics } from '../../ports/metrics.ts';
import { isPreflight } from '../cors.ts';
import type { Answer, Call } from '../place.ts';
import { createCharges } from './charge.ts';

type Work = (request: HttpRequest, call: Call) => Promise<Answer>;

export type Guard = (request: HttpRequest, call: Call, work: Work) => Promise<Answer>;

export interface GuardOptions {
  /** Undefined: nothing is counted. */
  budgets: Budgets | undefined;
  metrics: Pick<Metrics, 'refused'>;
}

/** Whoever watches over the process must hear from it at any time. */
const isExempt = (request: HttpRequest) =>
  request.path.startsWith('/health/') || request.path === '/metrics' || isPreflight(request);

export function createGuard({ budgets, metrics }: GuardOptions): Guard {
  const openCharge = budgets && createCharges(budgets, () => metrics.refused('budget'));

  async function paid(request: HttpRequest, call: Call, work: Work): Promise<Answer> {
    if (!openCharge) return work(request, call);
    const charge = openCharge(call.facts);
    if (request.path === '/graphql') call.facts.spent.pay = (cost) => charge.pay(cost);
    async function createContext(gone?: AbortSignal) {
      const ctx = await call.createContext(gone);
      charge.belongsTo(ctx.viewer);
      return ctx;
    }
    try {
      return await work(request, { facts: call.facts, createContext });
    } finally {
      charge.tell();
    }
  }

  return (request, call, work) => (isExempt(request) ? work(request, call) : paid(request, call, work));
}
