/** What breaks for clients between two versions of the contract, in GraphQL, in REST and in stored operations. */

export interface Contract {
  /** Printed SDL. */
  schema: string;
  openapi: Json;
  /** Texts of schema/operations, together. */
  operations: string;
}

export type Json = { [key: string]: Json } & { [key: string]: unknown };

/** One thing that breaks, by the GraphQL coordinate it concerns, or by its address when it has none. */
export interface Breakage {
  coordinate: string;
  messages: Set<string>;
  /** `GET /v1/...` */
  rest: Set<string>;
  /** Names of stored operations. */
  stored: Set<string>;
}

export class Breakages {
  readonly #all = new Map<string, Breakage>();

  add(
    coordinate: string,
    message: string,
    { rest = [], stored = [] }: { rest?: string[]; stored?: string[] } = {},
  ) {
    const known = this.#all.get(coordinate) ?? {
      coordinate,
      messages: new Set(),
      rest: new Set(),
      stored: new Set(),
    };
    known.messages.add(message);
    for (const address of rest) known.rest.add(address);
    for (const name of stored) known.stored.add(name);
    this.#all.set(coordinate, known);
  }

  list(): Breakage[] {
    return [...this.#all.values()].sort((a, b) => (a.coordinate < b.coordinate ? -1 : 1));
  }
}

export function report(breakages: readonly Breakage[], since: string): string {
  if (breakages.length === 0) return `Nothing breaks for clients of ${since}.`;
  const list = (values: Set<string>) =>
    values.size > 0 ? [...values].sort().join('\n             ') : 'none';
  const entries = breakages.map(
    ({ coordinate, messages, rest, stored }) => `BREAKING  ${[...messages].join('\n          ')}
  GraphQL    ${coordinate.includes(' ') ? 'none' : coordinate}
  REST       ${list(rest)}
  Stored     ${list(stored)}`,
  );
  return `${entries.join('\n\n')}\n\n${breakages.length} ${breakages.length === 1 ? 'change breaks' : 'changes break'} clients of ${since}.`;
}
