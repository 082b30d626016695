/** Compares two contracts in full and gathers what breaks by the GraphQL coordinate behind it. */
import { CriticalityLevel, diff } from '@graphql-inspector/core';
import { type Breakage, Breakages, type Contract } from './breaking-changes.ts';
import { compareOpenApi } from './compare-openapi.ts';
import { refusedOperations, schemaOf, storedIn, usageOf, usersOf } from './coordinate-usage.ts';

export async function compareContracts(old: Contract, fresh: Contract): Promise<Breakage[]> {
  const breakages = new Breakages();
  const usage = usageOf(old);
  // The same words allow the same: there is nothing to compare, and nothing new to refuse.
  const isSameSchema = old.schema === fresh.schema;
  const changes = isSameSchema ? [] : await diff(schemaOf(old), schemaOf(fresh));
  for (const { criticality, message, path } of changes) {
    if (criticality.level === CriticalityLevel.Breaking) {
      // An enum is used as a whole: whoever has one of its values may meet any.
      const coordinate = path ?? message;
      const owner = coordinate.split('.')[0] ?? coordinate;
      const users = usersOf(usage, coordinate);
      breakages.add(
        coordinate,
        message,
        users.rest.length + users.stored.length > 0 ? users : usersOf(usage, owner),
      );
    }
  }
  compareOpenApi(old.openapi, fresh.openapi, breakages);
  for (const [name, reason] of isSameSchema ? [] : refusedOperations(old, fresh)) {
    const known = breakages.list().some(({ stored }) => stored.has(name));
    if (!known)
      breakages.add(`stored ${name}`, `The stored operation ${name} is refused: ${reason}`, {
        stored: [name],
      });
  }
  for (const name of removedOperations(usage.stored.keys(), fresh))
    breakages.add(
      `stored ${name}`,
      `The stored operation ${name} was removed: its id is no longer trusted.`,
      {
        stored: [name],
      },
    );
  // REST tells its own part of a story; stored operations that use the same coordinate belong to it.
  for (const { coordinate, stored } of breakages.list())
    if (stored.size === 0) for (const name of usersOf(usage, coordinate).stored) stored.add(name);
  return breakages.list();
}

function removedOperations(names: Iterable<string>, fresh: Contract): string[] {
  const kept = new Set(storedIn(fresh));
  return [...names].filter((name) => !kept.has(name));
}
