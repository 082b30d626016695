/** Computes the differences between two versions of an entry, one per path. Pure. */
import { isDeepStrictEqual } from 'node:util';
import type { EntryVersion } from './model.ts';

export interface EntryVersionDifference {
  /** Path segments such as `blocks`, block id, `value`. A list, because block ids may contain dots. */
  path: string[];
  /** Absent when the earlier version has no value. */
  before?: unknown;
  /** Absent when the later version has no value. */
  after?: unknown;
}

type Content = Pick<EntryVersion, 'locale' | 'blocks' | 'status'>;

export function diffEntryVersions(before: Content, after: Content): EntryVersionDifference[] {
  const beforeContent = toComparable(before);
  const afterContent = toComparable(after);
  const differences = diffValues(beforeContent, afterContent, []);
  const idsIn = (ids: readonly string[], others: object) => ids.filter((id) => Object.hasOwn(others, id));
  const [orderBefore, orderAfter] = [
    idsIn(blockIds(before), afterContent.blocks),
    idsIn(blockIds(after), beforeContent.blocks),
  ];
  return isDeepStrictEqual(orderBefore, orderAfter)
    ? differences
    : [...differences, { path: ['order'], before: blockIds(before), after: blockIds(after) }];
}

const blockIds = ({ blocks }: Content) => blocks.map(({ id }) => id);

const toComparable = ({ locale, status, blocks }: Content) => ({
  locale,
  status,
  blocks: Object.fromEntries(blocks.map(({ id, ...block }) => [id, block])),
});

function diffValues(before: unknown, after: unknown, path: string[]): EntryVersionDifference[] {
  if (isDeepStrictEqual(before, after)) return [];
  if (!isObject(before) || !isObject(after))
    return [{ path, ...(before === undefined ? {} : { before }), ...(after === undefined ? {} : { after }) }];
  const names = [...new Set([...Object.keys(before), ...Object.keys(after)])];
  return names.flatMap((name) =>
    diffValues(ownProperty(before, name), ownProperty(after, name), [...path, name]),
  );
}

const ownProperty = (object: Record<string, unknown>, name: string) =>
  Object.hasOwn(object, name) ? object[name] : undefined;

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
