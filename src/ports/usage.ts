/** Who uses what of the contract: noted with every call, written now and then. */

export const usageKinds = ['OPERATION', 'FIELD', 'ROW'] as const;
export type UsageKind = (typeof usageKinds)[number];

/** What one call counts for. Made once, noted as the same object every time. */
export interface UsageSubject {
  readonly kind: UsageKind;
  readonly name: string;
  /** Coordinates such as `Product.name` and `Query.products.first` that it reads and sends. */
  readonly fields: readonly string[];
}

const fieldUses = new Map<string, UsageSubject>();

/** A field on its own; there are only as many as the schema has. */
export function fieldUsage(coordinate: string): UsageSubject {
  const use = fieldUses.get(coordinate) ?? { kind: 'FIELD', name: coordinate, fields: [] };
  fieldUses.set(coordinate, use);
  return use;
}

/** Who calls, as far as usage wants to know. */
export interface UsageCaller {
  readonly viewer: { readonly user: { userId: string; keyId?: string | undefined } | undefined };
  readonly request: { readonly clientName: string | undefined };
}

export interface UsageRecorder {
  /** Counts for each of the businesses; `businessesOf` is asked only for calls with an API key. */
  record(caller: UsageCaller, use: UsageSubject, businessesOf: () => ReadonlySet<unknown>): void;
  /** Writes what was noted so far. */
  flush(): Promise<void>;
  /** Writes every few seconds from now on. */
  start(): void;
  /** Writes what is left. */
  stop(): Promise<void>;
}

export const noopUsage: UsageRecorder = {
  record: () => {},
  flush: async () => {},
  start: () => {},
  stop: async () => {},
};
