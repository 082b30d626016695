/**
 * Shares of the request log: token buckets per business and per caller, so that a flood of one business or caller neither slows requests
 * nor displaces the entries of others.
 */

export interface BucketSize {
  /** Entries at once. */
  burst: number;
  /** Entries per second afterwards. */
  perSecond: number;
}

export interface ShareSizes {
  /** Of a business, for successes and for errors each, and for identified and other callers each. */
  business: BucketSize;
  /** Of one account, API key or network over all businesses, for successes and for errors each. */
  caller: BucketSize;
}

export const defaultShareSizes: ShareSizes = {
  business: { burst: 120, perSecond: 1 },
  caller: { burst: 60, perSecond: 1 },
};

/** Enough for the businesses and callers of a minute; the least recently created buckets are dropped beyond. */
const maxBuckets = 10_000;

interface Bucket {
  tokens: number;
  /** Time of the last refill, in milliseconds. */
  filledAt: number;
}

/** Buckets by key. */
export class Buckets {
  readonly #buckets = new Map<string, Bucket>();
  readonly #size: BucketSize;

  constructor(size: BucketSize) {
    this.#size = size;
  }

  /** Takes a token; false if the bucket is empty. `at` is the time in milliseconds. */
  take(key: string, at: number): boolean {
    const bucket = this.#buckets.get(key) ?? this.#create(key, at);
    if (bucket.tokens < 1) {
      const { burst, perSecond } = this.#size;
      const refill = ((at - bucket.filledAt) / 1000) * perSecond;
      // PERF: a flood only compares two numbers until the next token.
      if (bucket.tokens + refill < 1) return false;
      bucket.tokens = Math.min(burst, bucket.tokens + refill);
      bucket.filledAt = at;
    }
    bucket.tokens -= 1;
    return true;
  }

  #create(key: string, at: number): Bucket {
    if (this.#buckets.size >= maxBuckets)
      for (const oldest of this.#buckets.keys()) {
        this.#buckets.delete(oldest);
        break;
      }
    const bucket = { tokens: this.#size.burst, filledAt: at };
    this.#buckets.set(key, bucket);
    return bucket;
  }
}

export interface ShareKey {
  businessId: string;
  /** Account, API key or network. */
  caller: string;
  /** Signed in with an account or API key, not as a guest. */
  isIdentified: boolean;
  isError: boolean;
}

export class Shares {
  /** By error (1) and identified (2). */
  readonly #businesses: readonly Buckets[];
  readonly #callers: readonly [successes: Buckets, errors: Buckets];

  constructor({ business, caller }: ShareSizes) {
    this.#businesses = [0, 1, 2, 3].map(() => new Buckets(business));
    this.#callers = [new Buckets(caller), new Buckets(caller)];
  }

  /** Whether an entry may be recorded; takes it from the shares of its caller and business. */
  take({ businessId, caller, isIdentified, isError }: ShareKey, at: number): boolean {
    const buckets = this.#businesses[(isError ? 1 : 0) + (isIdentified ? 2 : 0)];
    return this.takeOfCaller(caller, isError, at) && (buckets?.take(businessId, at) ?? false);
  }

  takeOfCaller(caller: string, isError: boolean, at: number): boolean {
    return this.#callers[isError ? 1 : 0].take(caller, at);
  }
}
