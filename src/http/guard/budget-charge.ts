/** Charges a request to the budget of its payer: the account or API key that sent it, otherwise the client's IP network. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { LRUCache } from 'lru-cache';
import { hashApiKey, parseBearerToken, type Viewer } from '../../auth/viewer-and-authentication.ts';
import type { RequestFacts } from '../../context.ts';
import { AppError } from '../../errors.ts';
import { createNamedLru } from '../../lib/cache/named-lru.ts';
import { toIpNetwork } from '../../lib/net/ip-addresses.ts';
import type { RequestBudgetState, RequestBudgets } from '../../ports/request-budgets.ts';

/** Query cost points of a GraphQL operation that make one budget unit. */
const costPerUnit = 100;

/** Size of the cache that maps credentials to the payer they resolved to when last used. */
const maxCachedPayers = 20_000;
/** PERF: longer than an access token, so that only unusual credentials are hashed. */
const maxCredentialLength = 1_000;

/** A minute's budget pays for this much measured time, whatever its number of units. */
const databaseMsPerBudget = 180_000;
const documentMsPerBudget = 15_000;
/** Database time of a request that is included in its units. */
const includedDatabaseMs = 100;

type StartBudgetCharge = (facts: RequestFacts) => BudgetCharge;

interface BudgetChargeOptions {
  budgets: RequestBudgets;
  /** Budgets that all guests of one network may spend together. */
  guestNetworkBudgets: number;
  onRejected(): void;
}

export function createBudgetChargeStarter(options: BudgetChargeOptions): StartBudgetCharge {
  const payers = createNamedLru<string>('credentials', maxCachedPayers, maxCredentialLength);
  return (facts) => new BudgetCharge({ payers, ...options }, facts);
}

interface ChargeServices extends BudgetChargeOptions {
  payers: LRUCache<string, string>;
}

const guestPrefix = 'guest ';

/** Budget charge of one request. Opened before any other work on the request; throws RATE_LIMITED when the budget is spent. */
class BudgetCharge {
  readonly #services: ChargeServices;
  readonly #facts: RequestFacts;
  readonly #credential: string | undefined;
  #payer: string;
  #units = 1;

  constructor(services: ChargeServices, facts: RequestFacts) {
    this.#services = services;
    this.#facts = facts;
    this.#credential = credentialOf(facts);
    const payer = this.#credential === undefined ? undefined : services.payers.get(this.#credential);
    this.#payer = payer ?? toIpNetwork(facts.address);
    // Credentials that are not in the cache may belong to an account with its own budget, so a network that has spent
    // its budget may still present as many again before it is rejected.
    this.#assertRemaining(payer === undefined && this.#credential !== undefined ? 2 : 1);
    this.#spend(this.#units);
  }

  /** All guests of a network together, otherwise the payer, as far as it is known. */
  get payerGroup(): string {
    return this.#networkBudget ?? this.#payer;
  }

  /** Moves the charge to the authenticated account or API key, or to the network when the viewer is anonymous. */
  assignPayer({ user }: Viewer): void {
    const { apiKey, authorization, address } = this.#facts;
    const payer = !user
      ? toIpNetwork(address)
      : user.provider === 'API'
        ? `key ${hashApiKey(apiKey ?? parseBearerToken(authorization) ?? '')}`
        : `${user.isGuest ? guestPrefix : 'account '}${user.userId}`;
    if (payer === this.#payer) return;
    if (this.#credential !== undefined) {
      if (user) this.#services.payers.set(this.#credential, payer);
      else this.#services.payers.delete(this.#credential);
    }
    this.#spend(-this.#units);
    this.#payer = payer;
    try {
      this.#assertRemaining(1);
    } catch (error) {
      this.#units = 0;
      throw error;
    }
    this.#spend(this.#units);
  }

  /** Guests are charged to their network too, because new guests are easily created. */
  get #networkBudget(): string | undefined {
    return this.#payer.startsWith(guestPrefix) ? `guests ${toIpNetwork(this.#facts.address)}` : undefined;
  }

  #spend(units: number): void {
    this.#services.budgets.spend(this.#payer, units);
    const network = this.#networkBudget;
    if (network !== undefined) this.#services.budgets.spend(network, units);
  }

  /** Throws RATE_LIMITED when `budgetCount` budgets of the payer, or those of its network, are spent. */
  #assertRemaining(budgetCount: number): void {
    const spent = this.#findSpentBudget(budgetCount);
    if (spent) this.#reject(spent.limit, spent.reset);
  }

  #findSpentBudget(budgetCount: number): RequestBudgetState | undefined {
    const { budgets, guestNetworkBudgets } = this.#services;
    const network = this.#networkBudget;
    for (const [key, count] of [
      [this.#payer, budgetCount],
      [network, guestNetworkBudgets],
    ] as const) {
      if (key === undefined) continue;
      const state = budgets.spend(key, 0);
      if (state.remaining + state.limit * (count - 1) <= 0) return state;
    }
    return undefined;
  }

  /** Refunds a request that is rejected before it has any effect. */
  refund(): void {
    this.#spend(-this.#units);
    this.#units = 0;
  }

  /** Charges an event of a subscription like its request, with the time measured since the last charge. Resolves when the budget has units left. */
  async chargeEvent(): Promise<void> {
    this.chargeMeasuredTime();
    this.#spend(this.#units);
    for (let spent = this.#findSpentBudget(1); spent; spent = this.#findSpentBudget(1))
      await sleep(spent.reset * 1000, undefined, { ref: false });
  }

  /** Charges the time measured since the last charge. It is a share of the budget, so that it counts alike for any number of units. */
  chargeMeasuredTime(): void {
    const { databaseMs, documentMs } = this.#facts.measuredTime;
    Object.assign(this.#facts.measuredTime, { databaseMs: 0, documentMs: 0 });
    const share =
      Math.max(0, databaseMs - includedDatabaseMs) / databaseMsPerBudget + documentMs / documentMsPerBudget;
    if (share === 0) return;
    const { limit } = this.#services.budgets.spend(this.#payer, 0);
    this.#spend(Math.floor(limit * share));
  }

  /** Sets the total query cost of the request's operations. It is charged even beyond the remaining budget: the next request is rejected instead. */
  setCost(cost: number): void {
    const units = Math.max(1, Math.ceil(cost / costPerUnit));
    this.#spend(units - this.#units);
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
