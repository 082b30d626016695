/**
 * Queue of log entries between two writes. It is bounded in bytes, of which one business takes at most a quarter, and by token buckets per
 * business and per caller, so that a flood of one neither slows requests nor displaces the entries of others. Excess entries are counted.
 */
import type { StoredRequest } from './model.ts';

export interface LogQueueLimits {
  bytes: number;
  bytesPerBusiness: number;
}

const defaultLogQueueLimits: LogQueueLimits = { bytes: 4_000_000, bytesPerBusiness: 1_000_000 };

/** An entry and its JSON, which is written as it is. */
interface QueuedEntry {
  businessId: string;
  json: string;
}

/** Bound of the map of skipped counts: businesses that clients name may not exist. */
const maxSkippedBusinesses = 2000;

export class LogEntryQueue {
  readonly #limits: LogQueueLimits;
  #entries: QueuedEntry[] = [];
  #bytes = 0;
  #bytesByBusiness = new Map<string, number>();
  #skipped = new Map<string, number>();

  constructor(limits: LogQueueLimits = defaultLogQueueLimits) {
    this.#limits = limits;
  }

  get bytes(): number {
    return this.#bytes;
  }

  /** False if the queue or the part of the business is full. */
  add(entry: Omit<StoredRequest, 'isMember'>): boolean {
    const json = JSON.stringify(entry);
    // V8 stores Latin-1 texts in one byte per character, others in two.
    const bytes = json.length * 2;
    const ofBusiness = (this.#bytesByBusiness.get(entry.businessId) ?? 0) + bytes;
    if (this.#bytes + bytes > this.#limits.bytes || ofBusiness > this.#limits.bytesPerBusiness) {
      this.skip(entry.businessId);
      return false;
    }
    this.#bytes += bytes;
    this.#bytesByBusiness.set(entry.businessId, ofBusiness);
    this.#entries.push({ businessId: entry.businessId, json });
    return true;
  }

  /** Counts a request that is not recorded. */
  skip(businessId: string): void {
    const count = this.#skipped.get(businessId);
    if (count === undefined && this.#skipped.size >= maxSkippedBusinesses) return;
    this.#skipped.set(businessId, (count ?? 0) + 1);
  }

  /** Empties the queue: rows as a JSON list, and the number of skipped requests by business. */
  drain(): { rows: string[]; skipped: Map<string, number> } {
    const drained = { rows: this.#entries.map(({ json }) => json), skipped: this.#skipped };
    this.#entries = [];
    this.#bytes = 0;
    this.#bytesByBusiness = new Map();
    this.#skipped = new Map();
    return drained;
  }
}

interface TokenBucketSize {
  /** Entries at once. */
  burst: number;
  /** Entries per second afterwards. */
  perSecond: number;
}

export interface RequestLogRates {
  /** Of a business, for successes and for errors each, and for identified and other callers each. */
  business: TokenBucketSize;
  /** Of one account, API key or network over all businesses, for successes and for errors each. */
  caller: TokenBucketSize;
}

export const defaultRequestLogRates: RequestLogRates = {
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
export class TokenBuckets {
  readonly #buckets = new Map<string, Bucket>();
  readonly #size: TokenBucketSize;

  constructor(size: TokenBucketSize) {
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

interface RequestLogShareKey {
  businessId: string;
  /** Account, API key or network. */
  caller: string;
  /** Signed in with an account or API key, not as a guest. */
  isIdentified: boolean;
  isError: boolean;
}

export class RequestLogRateLimits {
  /** By error (1) and identified (2). */
  readonly #businesses: readonly TokenBuckets[];
  readonly #callers: readonly [successes: TokenBuckets, errors: TokenBuckets];

  constructor({ business, caller }: RequestLogRates) {
    this.#businesses = [0, 1, 2, 3].map(() => new TokenBuckets(business));
    this.#callers = [new TokenBuckets(caller), new TokenBuckets(caller)];
  }

  /** Whether an entry may be recorded; takes it from the shares of its caller and business. */
  take({ businessId, caller, isIdentified, isError }: RequestLogShareKey, at: number): boolean {
    const buckets = this.#businesses[(isError ? 1 : 0) + (isIdentified ? 2 : 0)];
    return this.takeOfCaller(caller, isError, at) && (buckets?.take(businessId, at) ?? false);
  }

  takeOfCaller(caller: string, isError: boolean, at: number): boolean {
    return this.#callers[isError ? 1 : 0].take(caller, at);
  }
}
