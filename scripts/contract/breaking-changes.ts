/** Breaking changes between two versions of the contract, in GraphQL, REST and stored operations, and their report. */

export interface Contract {
  /** Printed SDL. */
  schema: string;
  openapi: Json;
  /** Source of all stored operations, concatenated. */
  operations: string;
}

export type Json = { [key: string]: Json } & { [key: string]: unknown };

/** A breaking change, identified by its GraphQL coordinate, or by method and path if it has none. */
export interface BreakingChange {
  coordinate: string;
  messages: Set<string>;
  /** Affected REST operations: `GET /v1/...`. */
  rest: Set<string>;
  /** Names of affected stored operations. */
  stored: Set<string>;
}

export class BreakingChanges {
  readonly #byCoordinate = new Map<string, BreakingChange>();

  add(
    coordinate: string,
    message: string,
    { rest = [], stored = [] }: { rest?: string[]; stored?: string[] } = {},
  ) {
    const change = this.#byCoordinate.get(coordinate) ?? {
      coordinate,
      messages: new Set(),
      rest: new Set(),
      stored: new Set(),
    };
    change.messages.add(message);
    for (const address of rest) change.rest.add(address);
    for (const name of stored) change.stored.add(name);
    this.#byCoordinate.set(coordinate, change);
  }

  list(): BreakingChange[] {
    return [...this.#byCoordinate.values()].sort((a, b) => (a.coordinate < b.coordinate ? -1 : 1));
  }
}

/** `clientsOf` lists the clients that use the changed part, if usage statistics are available. */
export function formatReport(
  changes: readonly BreakingChange[],
  since: string,
  clientsOf?: (change: BreakingChange) => readonly string[],
): string {
  if (changes.length === 0) return `Nothing breaks for clients of ${since}.`;
  const lines = (values: readonly string[]) => (values.length > 0 ? values.join('\n             ') : 'none');
  const list = (values: Set<string>) => lines([...values].sort());
  const entries = changes.map((change) => {
    const { coordinate, messages, rest, stored } = change;
    const clients = clientsOf ? `\n  Clients    ${lines(clientsOf(change))}` : '';
    return `BREAKING  ${[...messages].join('\n          ')}
  GraphQL    ${coordinate.includes(' ') ? 'none' : coordinate}
  REST       ${list(rest)}
  Stored     ${list(stored)}${clients}`;
  });
  return `${entries.join('\n\n')}\n\n${changes.length} ${changes.length === 1 ? 'change breaks' : 'changes break'} clients of ${since}.`;
}
