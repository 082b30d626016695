/** Who pays for a request: the account or API key it turns out to be from, or else the network it came from. */
import type { LRUCache } from 'lru-cache';
import { hashApiKey, parseBearerToken, type Viewer } from '../../auth/viewer.ts';
import type { RequestFacts } from '../../context.ts';
import { AppError } from '../../errors.ts';
import { createNamedLru } from '../../lib/cache/named-lru.ts';
import { toIpNetwork } from '../../lib/net/ip-addresses.ts';
import type { RequestBudgetState, RequestBudgets } from '../../ports/request-budgets.ts';

/** Costs of a GraphQL operation that make one unit. */
const costPerUnit = 100;

/** Whose credentials these were when they were last used. */
const maxKnown = 20_000;

export type OpenBudgetCharge = (facts: RequestFacts) => BudgetCharge;

export function createBudgetCharges(budgets: RequestBudgets, onRefused: () => void): OpenBudgetCharge {
  const known = createNamedLru<string>('credentials', maxKnown);
  return (facts) => new BudgetCharge({ budgets, known, onRefused }, facts);
}

interface Books {
  budgets: RequestBudgets;
  known: LRUCache<string, string>;
  onRefused(): void;
}

/** Opened before anything else is done for a request; throws RATE_LIMITED when nothing is left. */
export class BudgetCharge {
  readonly #books: Books;
  readonly #facts: RequestFacts;
  readonly #credential: string | undefined;
  #payer: string;
  #units = 1;

  constructor(books: Books, facts: RequestFacts) {
    const { budgets, known } = books;
    this.#books = books;
    this.#facts = facts;
    this.#credential = credentialOf(facts);
    const payer = this.#credential === undefined ? undefined : known.get(this.#credential);
    this.#payer = payer ?? toIpNetwork(facts.address);
    const { limit, remaining: left, reset } = budgets.spend(this.#payer, 0);
    // Credentials that nobody knows yet may be somebody's who has a budget: a network that has spent its own still gets to show some.
    const room = payer === undefined && this.#credential !== undefined ? left + limit : left;
    if (room <= 0) this.#refuse(limit, reset);
    budgets.spend(this.#payer, this.#units);
  }

  /** From now on the account or key pays, or the network if it is neither. */
  assignPayer({ user }: Viewer): void {
    const { apiKey, authorization, address } = this.#facts;
    const payer = !user
      ? toIpNetwork(address)
      : user.provider === 'API'
        ? `key ${hashApiKey(apiKey ?? parseBearerToken(authorization) ?? '')}`
        : `account ${user.userId}`;
    if (payer === this.#payer) return;
    if (this.#credential !== undefined) {
      if (user) this.#books.known.set(this.#credential, payer);
      else this.#books.known.delete(this.#credential);
    }
    this.#books.budgets.spend(this.#payer, -this.#units);
    this.#payer = payer;
    const { limit, remaining: left, reset } = this.#books.budgets.spend(payer, 0);
    if (left <= 0) {
      this.#units = 0;
      this.#refuse(limit, reset);
    }
    this.#books.budgets.spend(payer, this.#units);
  }

  /** What the operations of the request cost together. It is paid even if that is more than was left: the next request waits. */
  setCost(cost: number): void {
    const units = Math.max(1, Math.ceil(cost / costPerUnit));
    this.#books.budgets.spend(this.#payer, units - this.#units);
    this.#units = units;
  }

  /** Puts what is left into the answer, unless a tighter limit speaks there already. */
  writeHeaders(): void {
    const { responseHeaders: answerHeaders } = this.#facts;
    if (answerHeaders['ratelimit-limit'] === undefined)
      Object.assign(answerHeaders, headersOf(this.#books.budgets.spend(this.#payer, 0)));
  }

  #refuse(limit: number, reset: number): never {
    this.#books.onRefused();
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

const headersOf = ({ limit, remaining: left, reset }: RequestBudgetState) => ({
  'ratelimit-policy': `${limit};w=60`,
  'ratelimit-limit': String(limit),
  'ratelimit-remaining': String(Math.max(0, left)),
  'ratelimit-reset': String(reset),
});
