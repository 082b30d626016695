/** What breaks for clients between two versions of the contract, in GraphQL, in REST and in stored operations. */

export interface Contract {
  /** Printed SDL. */
  schema: string;
  openapi: Json;
  /** Source of all stored operations, concatenated. */
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

/** `clientsOf` says who was seen to use it, when that is known. */
export function report(
  breakages: readonly Breakage[],
  since: string,
  clientsOf?: (breakage: Breakage) => readonly string[],
): string {
  if (breakages.length === 0) return `Nothing breaks for clients of ${since}.`;
  const lines = (values: readonly string[]) => (values.length > 0 ? values.join('\n             ') : 'none');
  const list = (values: Set<string>) => lines([...values].sort());
  const entries = breakages.map((breakage) => {
    const { coordinate, messages, rest, stored } = breakage;
    const clients = clientsOf ? `\n  Clients    ${lines(clientsOf(breakage))}` : '';
    return `BREAKING  ${[...messages].join('\n          ')}
  GraphQL    ${coordinate.includes(' ') ? 'none' : coordinate}
  REST       ${list(rest)}
  Stored     ${list(stored)}${clients}`;
  });
  return `${entries.join('\n\n')}\n\n${breakages.length} ${breakages.length === 1 ? 'change breaks' : 'changes break'} clients of ${since}.`;
}
