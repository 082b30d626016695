/** Compares two versions of the contract and groups the breaking changes by GraphQL coordinate. */
import { CriticalityLevel, diff } from '@graphql-inspector/core';
import { type BreakingChange, BreakingChanges, type Contract } from './breaking-changes.ts';
import { compareOpenApi } from './compare-openapi.ts';
import {
  coordinateUsage,
  invalidOperations,
  parseSchema,
  storedOperationNames,
  usersOf,
} from './coordinate-usage.ts';

export async function compareContracts(
  oldContract: Contract,
  newContract: Contract,
): Promise<BreakingChange[]> {
  const changes = new BreakingChanges();
  const usage = coordinateUsage(oldContract);
  // PERF: an identical schema has no changes and cannot invalidate stored operations.
  const isSameSchema = oldContract.schema === newContract.schema;
  const schemaChanges = isSameSchema ? [] : await diff(parseSchema(oldContract), parseSchema(newContract));
  for (const { criticality, message, path } of schemaChanges) {
    if (criticality.level === CriticalityLevel.Breaking) {
      // Usage of an enum is recorded for the enum as a whole: an operation that uses it may send or receive any value.
      const coordinate = path ?? message;
      const owner = coordinate.split('.')[0] ?? coordinate;
      const users = usersOf(usage, coordinate);
      changes.add(
        coordinate,
        message,
        users.rest.length + users.stored.length > 0 ? users : usersOf(usage, owner),
      );
    }
  }
  compareOpenApi(oldContract.openapi, newContract.openapi, changes);
  for (const [name, reason] of isSameSchema ? [] : invalidOperations(oldContract, newContract)) {
    const isReported = changes.list().some(({ stored }) => stored.has(name));
    if (!isReported)
      changes.add(`stored ${name}`, `The stored operation ${name} is no longer valid: ${reason}`, {
        stored: [name],
      });
  }
  for (const name of removedOperations(usage.stored.keys(), newContract))
    changes.add(`stored ${name}`, `The stored operation ${name} was removed: its id is no longer trusted.`, {
      stored: [name],
    });
  // Changes found in OpenAPI lack the stored operations that use the same coordinate.
  for (const { coordinate, stored } of changes.list())
    if (stored.size === 0) for (const name of usersOf(usage, coordinate).stored) stored.add(name);
  return changes.list();
}

function removedOperations(names: Iterable<string>, newContract: Contract): string[] {
  const remaining = new Set(storedOperationNames(newContract));
  return [...names].filter((name) => !remaining.has(name));
}
