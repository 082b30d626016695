/** The counts of one process between two writes: how much of it is kept, and what is folded together. Callers make up names. */
import type { UsageKind, UsageSubject } from '../../ports/usage.ts';

/** One row to write; the columns of its key in their order. */
export interface UsageCount {
  day: number;
  kind: UsageKind;
  name: string;
  client: string;
  userId: string;
  businessId: string;
  calls: number;
}

export interface UsageClient {
  client: string;
  userId: string;
  businessId: string;
}

export interface TallyLimits {
  /** Pairs of client and document, or row, between two writes. */
  pairs: number;
  /** New rows in a day, for API keys and for names each. */
  rowsPerDay: number;
  /** Of these, what one user's keys, or one name, may take. */
  rowsPerClient: number;
}

const defaultBounds: TallyLimits = { pairs: 2000, rowsPerDay: 20_000, rowsPerClient: 4000 };

/** Who has no place any more is counted here. */
const others: UsageClient = { client: 'other', userId: '', businessId: '' };
const anyOperation: UsageSubject = { kind: 'OPERATION', name: 'other', fields: [] };

export class UsageTally {
  readonly #bounds: TallyLimits;
  #noted = new Map<string, { client: UsageClient; uses: Map<UsageSubject, number> }>();
  #pairs = 0;
  #day = 0;
  readonly #known = new Set<string>();
  readonly #taken = new Map<string, number>();

  constructor(bounds: TallyLimits = defaultBounds) {
    this.#bounds = bounds;
  }

  /** `key` tells clients apart; `clientOf` is asked once for each. */
  record(key: string, clientOf: () => UsageClient, use: UsageSubject): void {
    const known = this.#noted.get(key);
    const times = known?.uses.get(use);
    if (known && times !== undefined) known.uses.set(use, times + 1);
    else if (this.#pairs >= this.#bounds.pairs) this.#fold();
    else {
      this.#pairs += 1;
      if (known) known.uses.set(use, 1);
      else this.#noted.set(key, { client: clientOf(), uses: new Map([[use, 1]]) });
    }
  }

  #fold(): void {
    const { uses } = this.#noted.get('other') ?? { uses: new Map<UsageSubject, number>() };
    uses.set(anyOperation, (uses.get(anyOperation) ?? 0) + 1);
    this.#noted.set('other', { client: others, uses });
  }

  /** Adds what was noted to the rows that wait to be written, and begins anew. */
  drainTo(rows: Map<string, UsageCount>, day: number): void {
    if (day !== this.#day) {
      this.#day = day;
      this.#known.clear();
      this.#taken.clear();
    }
    for (const { client, uses } of this.#noted.values())
      for (const [{ kind, name, fields }, calls] of uses) {
        this.#add(rows, { day, kind, name, ...client, calls });
        for (const field of fields) this.#add(rows, { day, kind: 'FIELD', name: field, ...client, calls });
      }
    this.#noted = new Map();
    this.#pairs = 0;
  }

  #add(rows: Map<string, UsageCount>, counted: UsageCount): void {
    // Fields and rows are ours, and few; names of operations are not.
    const name = counted.kind === 'OPERATION' ? anyOperation.name : counted.name;
    addUsageCount(rows, this.#hasPlace(counted) ? counted : { ...counted, ...others, name });
  }

  #hasPlace(counted: UsageCount): boolean {
    const key = buildUsageKey(counted);
    if (this.#known.has(key)) return true;
    const { rowsPerDay, rowsPerClient } = this.#bounds;
    const all = counted.userId === '' ? 'names' : 'keys';
    const own = `${all} ${counted.userId || counted.client}`;
    const taken = (group: string) => this.#taken.get(group) ?? 0;
    if (taken(all) >= rowsPerDay || taken(own) >= rowsPerClient) return false;
    this.#known.add(key);
    for (const group of [all, own]) this.#taken.set(group, taken(group) + 1);
    return true;
  }
}

export const buildUsageKey = ({ day, kind, name, client, userId, businessId }: UsageCount): string =>
  [day, kind, name, client, userId, businessId].join('\0');

export function addUsageCount(rows: Map<string, UsageCount>, counted: UsageCount): void {
  const key = buildUsageKey(counted);
  const calls = (rows.get(key)?.calls ?? 0) + counted.calls;
  rows.set(key, { ...counted, calls });
}
