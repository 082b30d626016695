/** Which clients a change would break, by what was counted of them. */
import {
  buildSchema,
  type GraphQLInputType,
  type GraphQLSchema,
  getNamedType,
  isInputObjectType,
  isInterfaceType,
  isObjectType,
} from 'graphql';
import type { UsageSummary } from '../../src/domains/usage/read-usage.ts';
import { formatClientLabel } from '../../src/domains/usage/read-usage.ts';
import type { Breakage, Contract } from './breaking-changes.ts';

export interface Counts {
  days: number;
  items: readonly UsageSummary[];
}

/** A line for each client, those who call most first. */
export type BrokenClients = (breakage: Breakage) => string[];

export function clientsIn({ days, items }: Counts, old: Pick<Contract, 'schema'>): BrokenClients {
  const schema = buildSchema(old.schema);
  return ({ coordinate, rest, stored }) => {
    const places = placesOf(schema, coordinate);
    const uses = ({ kind, name }: UsageSummary) =>
      kind === 'FIELD'
        ? [...places].some((place) => name === place || name.startsWith(`${place}.`))
        : kind === 'ROW'
          ? rest.has(name)
          : coordinate.startsWith('stored ') && stored.has(name);
    const clients = new Map<string, UsageSummary[]>();
    for (const used of items.filter(uses))
      clients.set(formatClientLabel(used), [...(clients.get(formatClientLabel(used)) ?? []), used]);
    return [...clients]
      .map(([client, used]) => ({ client, calls: callsOf(used) }))
      .sort((a, b) => b.calls - a.calls || (a.client < b.client ? -1 : 1))
      .map(({ client, calls }) => `${client}: ${calls} ${calls === 1 ? 'call' : 'calls'} in ${days} days`);
  };
}

/** One call of GraphQL may use several of the fields; one of REST is one row. */
function callsOf(used: readonly UsageSummary[]): number {
  const rows = used.filter(({ kind }) => kind === 'ROW').reduce((sum, { calls }) => sum + calls, 0);
  return rows + Math.max(0, ...used.filter(({ kind }) => kind !== 'ROW').map(({ calls }) => calls));
}

/**
 * The coordinates whose use is use of this one. What is sent in variables is counted only once it is deprecated; before, whoever
 * sends or reads something of its type may be meant.
 */
function placesOf(schema: GraphQLSchema, coordinate: string): Set<string> {
  const [owner = '', field = ''] = coordinate.split('.');
  const type = schema.getType(owner);
  if (!type || isObjectType(type) || isInterfaceType(type)) return new Set([coordinate]);
  if (isInputObjectType(type) && type.getFields()[field]?.deprecationReason != null)
    return new Set([coordinate]);
  const places = new Set([coordinate]);
  for (const one of Object.values(schema.getTypeMap())) {
    if (!isObjectType(one) && !isInterfaceType(one)) continue;
    for (const { name, type: answer, args } of Object.values(one.getFields())) {
      if (getNamedType(answer).name === owner) places.add(`${one.name}.${name}`);
      for (const arg of args) if (takes(arg.type, owner)) places.add(`${one.name}.${name}.${arg.name}`);
    }
  }
  return places;
}

function takes(type: GraphQLInputType, name: string, seen = new Set<string>()): boolean {
  const named = getNamedType(type);
  if (named.name === name) return true;
  if (!isInputObjectType(named) || seen.has(named.name)) return false;
  seen.add(named.name);
  return Object.values(named.getFields()).some((field) => takes(field.type, name, seen));
}
