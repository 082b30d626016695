/** Differences between two JSON values, by path. */
import { isPlainObject } from '../../lib/json/plain-objects.ts';

interface JsonDifference {
  /** Such as `items.0.name`; empty for the value itself. */
  path: string;
  left: unknown;
  right: unknown;
}

export function findJsonDifferences(left: unknown, right: unknown, path = ''): JsonDifference[] {
  const isList = Array.isArray(left) && Array.isArray(right);
  const isObject = isPlainObject(left) && isPlainObject(right);
  if (!isList && !isObject) return Object.is(left, right) ? [] : [{ path, left, right }];
  const [leftFields, rightFields] = [left, right] as Record<string, unknown>[];
  const names = new Set([...Object.keys(leftFields ?? {}), ...Object.keys(rightFields ?? {})]);
  return [...names].flatMap((name) =>
    findJsonDifferences(leftFields?.[name], rightFields?.[name], path === '' ? name : `${path}.${name}`),
  );
}
