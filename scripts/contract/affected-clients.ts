/** Clients that a breaking change affects, from usage statistics. */
import {
  buildSchema,
  type GraphQLInputType,
  type GraphQLSchema,
  getNamedType,
  isInputObjectType,
  isInterfaceType,
  isObjectType,
} from 'graphql';
import { formatUsageClientLabel, type UsageSummary } from '../../src/domains/usage/read-api-usage.ts';
import type { BreakingChange, Contract } from './breaking-changes.ts';

export interface UsageStatistics {
  /** Period in days. */
  days: number;
  items: readonly UsageSummary[];
}

/** One line per client, ordered by calls, most first. */
export type AffectedClients = (change: BreakingChange) => string[];

export function findAffectedClients(
  { days, items }: UsageStatistics,
  oldContract: Pick<Contract, 'schema'>,
): AffectedClients {
  const schema = buildSchema(oldContract.schema);
  return ({ coordinate, rest, stored }) => {
    const coordinates = affectedCoordinates(schema, coordinate);
    const uses = ({ kind, name }: UsageSummary) =>
      kind === 'FIELD'
        ? [...coordinates].some((affected) => name === affected || name.startsWith(`${affected}.`))
        : kind === 'ROW'
          ? rest.has(name)
          : coordinate.startsWith('stored ') && stored.has(name);
    const usageByClient = new Map<string, UsageSummary[]>();
    for (const item of items.filter(uses)) {
      const label = formatUsageClientLabel(item);
      usageByClient.set(label, [...(usageByClient.get(label) ?? []), item]);
    }
    return [...usageByClient]
      .map(([client, usage]) => ({ client, calls: countCalls(usage) }))
      .sort((a, b) => b.calls - a.calls || (a.client < b.client ? -1 : 1))
      .map(({ client, calls }) => `${client}: ${calls} ${calls === 1 ? 'call' : 'calls'} in ${days} days`);
  };
}

/** A GraphQL request may use several of the fields, so the maximum counts; a REST request uses one route. */
function countCalls(usage: readonly UsageSummary[]): number {
  const restCalls = usage.filter(({ kind }) => kind === 'ROW').reduce((sum, { calls }) => sum + calls, 0);
  return restCalls + Math.max(0, ...usage.filter(({ kind }) => kind !== 'ROW').map(({ calls }) => calls));
}

/**
 * Coordinates whose usage implies usage of the changed one. Input fields in variables are counted only while they are deprecated;
 * otherwise every client that sends or reads a value of the type may be affected.
 */
function affectedCoordinates(schema: GraphQLSchema, coordinate: string): Set<string> {
  const [owner = '', field = ''] = coordinate.split('.');
  const type = schema.getType(owner);
  if (!type || isObjectType(type) || isInterfaceType(type)) return new Set([coordinate]);
  if (isInputObjectType(type) && type.getFields()[field]?.deprecationReason != null)
    return new Set([coordinate]);
  const coordinates = new Set([coordinate]);
  for (const parent of Object.values(schema.getTypeMap())) {
    if (!isObjectType(parent) && !isInterfaceType(parent)) continue;
    for (const { name, type: resultType, args } of Object.values(parent.getFields())) {
      if (getNamedType(resultType).name === owner) coordinates.add(`${parent.name}.${name}`);
      for (const arg of args)
        if (contains(arg.type, owner)) coordinates.add(`${parent.name}.${name}.${arg.name}`);
    }
  }
  return coordinates;
}

/** Whether an input type is the named type, or has it at any depth. */
function contains(type: GraphQLInputType, name: string, visited = new Set<string>()): boolean {
  const named = getNamedType(type);
  if (named.name === name) return true;
  if (!isInputObjectType(named) || visited.has(named.name)) return false;
  visited.add(named.name);
  return Object.values(named.getFields()).some((field) => contains(field.type, name, visited));
}
