/** Queue of log entries between two writes, bounded in bytes; one business takes at most a quarter. Excess entries are dropped and counted. */
import type { StoredRequest } from './model.ts';

export interface LogQueueLimits {
  bytes: number;
  bytesPerBusiness: number;
}

export const defaultLogQueueLimits: LogQueueLimits = { bytes: 4_000_000, bytesPerBusiness: 1_000_000 };

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
