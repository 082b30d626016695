/** What differs between two versions of an entry, path by path. Pure. */
import { isDeepStrictEqual } from 'node:util';
import type { EntryVersion } from './model.ts';

export interface VersionDifference {
  /** `blocks`, the id of a block, and so on: ids may have dots. */
  path: string[];
  /** Absent where there was nothing. */
  before?: unknown;
  /** Absent where there is nothing any more. */
  after?: unknown;
}

type Content = Pick<EntryVersion, 'locale' | 'blocks' | 'status'>;

export function diffVersions(before: Content, after: Content): VersionDifference[] {
  const was = contentOf(before);
  const is = contentOf(after);
  const found = between(was, is, []);
  const common = (ids: readonly string[], others: object) => ids.filter((id) => Object.hasOwn(others, id));
  const [wasOrder, isOrder] = [common(idsOf(before), is.blocks), common(idsOf(after), was.blocks)];
  return isDeepStrictEqual(wasOrder, isOrder)
    ? found
    : [...found, { path: ['order'], before: idsOf(before), after: idsOf(after) }];
}

const idsOf = ({ blocks }: Content) => blocks.map(({ id }) => id);

const contentOf = ({ locale, status, blocks }: Content) => ({
  locale,
  status,
  blocks: Object.fromEntries(blocks.map(({ id, ...block }) => [id, block])),
});

function between(before: unknown, after: unknown, path: string[]): VersionDifference[] {
  if (isDeepStrictEqual(before, after)) return [];
  if (!isObject(before) || !isObject(after))
    return [
      {
        path,
        ...(before === undefined ? {} : { before }),
        ...(after === undefined ? {} : { after }),
      },
    ];
  const names = [...new Set([...Object.keys(before), ...Object.keys(after)])];
  return names.flatMap((name) => between(own(before, name), own(after, name), [...path, name]));
}

const own = (object: Record<string, unknown>, name: string) =>
  Object.hasOwn(object, name) ? object[name] : undefined;

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
