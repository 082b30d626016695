/** Charges a request to the budget of its payer: the account or API key that sent it, otherwise the client's IP network. */
import type { LRUCache } from 'lru-cache';
import { hashApiKey, parseBearerToken, type Viewer } from '../../auth/viewer.ts';
import type { RequestFacts } from '../../context.ts';
import { AppError } from '../../errors.ts';
import { createNamedLru } from '../../lib/cache/named-lru.ts';
import { toIpNetwork } from '../../lib/net/ip-addresses.ts';
import type { RequestBudgetState, RequestBudgets } from '../../ports/request-budgets.ts';

/** Query cost points of a GraphQL operation that make one budget unit. */
const costPerUnit = 100;

/** Size of the cache that maps credentials to the payer they resolved to when last used. */
const maxCachedPayers = 20_000;

export type StartBudgetCharge = (facts: RequestFacts) => BudgetCharge;

export function createBudgetCharges(budgets: RequestBudgets, onRejected: () => void): StartBudgetCharge {
  const payers = createNamedLru<string>('credentials', maxCachedPayers);
  return (facts) => new BudgetCharge({ budgets, payers, onRejected }, facts);
}

interface ChargeServices {
  budgets: RequestBudgets;
  payers: LRUCache<string, string>;
  onRejected(): void;
}

/** Budget charge of one request. Opened before any other work on the request; throws RATE_LIMITED when the budget is spent. */
export class BudgetCharge {
  readonly #services: ChargeServices;
  readonly #facts: RequestFacts;
  readonly #credential: string | undefined;
  #payer: string;
  #units = 1;

  constructor(services: ChargeServices, facts: RequestFacts) {
    const { budgets, payers } = services;
    this.#services = services;
    this.#facts = facts;
    this.#credential = credentialOf(facts);
    const payer = this.#credential === undefined ? undefined : payers.get(this.#credential);
    this.#payer = payer ?? toIpNetwork(facts.address);
    const { limit, remaining, reset } = budgets.spend(this.#payer, 0);
    // Credentials that are not in the cache may belong to an account with its own budget, so a network that has spent
    // its budget may still present as many again before it is rejected.
    const available = payer === undefined && this.#credential !== undefined ? remaining + limit : remaining;
    if (available <= 0) this.#reject(limit, reset);
    budgets.spend(this.#payer, this.#units);
  }

  /** Moves the charge to the authenticated account or API key, or to the network when the viewer is anonymous. */
  assignPayer({ user }: Viewer): void {
    const { apiKey, authorization, address } = this.#facts;
    const payer = !user
      ? toIpNetwork(address)
      : user.provider === 'API'
        ? `key ${hashApiKey(apiKey ?? parseBearerToken(authorization) ?? '')}`
        : `account ${user.userId}`;
    if (payer === this.#payer) return;
    if (this.#credential !== undefined) {
      if (user) this.#services.payers.set(this.#credential, payer);
      else this.#services.payers.delete(this.#credential);
    }
    this.#services.budgets.spend(this.#payer, -this.#units);
    this.#payer = payer;
    const { limit, remaining, reset } = this.#services.budgets.spend(payer, 0);
    if (remaining <= 0) {
      this.#units = 0;
      this.#reject(limit, reset);
    }
    this.#services.budgets.spend(payer, this.#units);
  }

  /** Sets the total query cost of the request's operations. It is charged even beyond the remaining budget: the next request is rejected instead. */
  setCost(cost: number): void {
    const units = Math.max(1, Math.ceil(cost / costPerUnit));
    this.#services.budgets.spend(this.#payer, units - this.#units);
    this.#units = units;
  }

  /** Writes the remaining budget to the RateLimit headers, unless a stricter rate limit has set them already. */
  writeHeaders(): void {
    const { responseHeaders } = this.#facts;
    if (responseHeaders['ratelimit-limit'] === undefined)
      Object.assign(responseHeaders, headersOf(this.#services.budgets.spend(this.#payer, 0)));
  }

  #reject(limit: number, reset: number): never {
    this.#services.onRejected();
    Object.assign(this.#facts.responseHeaders, headersOf({ limit, remaining: 0, reset }), {
      'retry-after': String(reset),
    });
    throw new AppError(
      'RATE_LIMITED',
      `The budget of ${limit} units a minute is spent. Try again in ${reset} seconds.`,
    );
  }
}

const credentialOf = ({ authorization, apiKey }: RequestFacts) =>
  authorization === undefined && apiKey === undefined ? undefined : `${authorization}\n${apiKey}`;

const headersOf = ({ limit, remaining, reset }: RequestBudgetState) => ({
  'ratelimit-policy': `${limit};w=60`,
  'ratelimit-limit': String(limit),
  'ratelimit-remaining': String(Math.max(0, remaining)),
  'ratelimit-reset': String(reset),
});
