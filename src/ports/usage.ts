/** Port of usage statistics: which client uses which operations, routes and fields. Calls are counted in memory and written periodically. */

export const usageKinds = ['OPERATION', 'FIELD', 'ROW'] as const;
export type UsageKind = (typeof usageKinds)[number];

/** Subject of a count. PERF: created once and passed as the same object with every call. */
export interface UsageSubject {
  readonly kind: UsageKind;
  readonly name: string;
  /** Schema coordinates that the operation uses, such as `Product.name` and `Query.products.first`. */
  readonly fields: readonly string[];
}

const fieldSubjects = new Map<string, UsageSubject>();

/** Subject of a single field; cached, bounded by the size of the schema. */
export function buildFieldUsageSubject(coordinate: string): UsageSubject {
  const subject = fieldSubjects.get(coordinate) ?? { kind: 'FIELD', name: coordinate, fields: [] };
  fieldSubjects.set(coordinate, subject);
  return subject;
}

/** One use of a subject by a request. `businessIds` is evaluated only for calls with an API key. */
export interface ObservedUse {
  readonly subject: UsageSubject;
  businessIds(): ReadonlySet<unknown>;
}

/** The facts of a finished request that are counted. */
interface CountedRequest {
  readonly clientName: string | undefined;
  readonly observed: { readonly user: { userId: string; keyId?: string | undefined } | undefined };
  readonly uses: readonly ObservedUse[];
}

export interface UsageRecorder {
  /** Counts the uses of a request, for each of their businesses. */
  record(request: CountedRequest): void;
  /** Writes the counts to the database. */
  flush(): Promise<void>;
  /** Starts to flush every few seconds. */
  start(): void;
  /** Stops and flushes the remaining counts. */
  stop(): Promise<void>;
}

export const noopUsage: UsageRecorder = {
  record: () => {},
  flush: async () => {},
  start: () => {},
  stop: async () => {},
};
