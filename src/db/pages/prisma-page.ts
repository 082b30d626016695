/** Pages of a Prisma model in the order of a unique key, for records that are not hot. */
import { type KeyRange, loadKeysetPage, type Page, type PageArgs } from '../../lib/paging.ts';

export interface PrismaModel<Row> {
  findMany(query: { where: object; orderBy: object; take: number }): PromiseLike<Row[]>;
  count(query: { where: object }): PromiseLike<number>;
}

interface PrismaPageQuery<Row, T> {
  /** Name of the list that its cursors are bound to, for example `invitations:<businessId>`. */
  list: string;
  args: PageArgs;
  where: object;
  /** Unique within `where`. Default: the id. */
  key?: keyof Row & keyof T & string;
  /** Default: descending, which for ids means newest first. */
  order?: 'asc' | 'desc';
  /** Column before the key in ORDER BY, so that the planner uses an index that begins with it, see owned-page.ts. */
  owner?: keyof Row & string;
  toNode?(row: Row): T;
  /** Called for an empty page; throws if the owner does not exist. */
  whenEmpty?(): Promise<void>;
}

export function loadPrismaPage<Row extends object, T extends object = Row>(
  { keys }: { readonly keys: { readonly secret: Uint8Array } },
  model: PrismaModel<Row>,
  {
    list,
    args,
    where,
    key = 'id' as keyof Row & keyof T & string,
    order = 'desc',
    owner,
    toNode = (row) => row as unknown as T,
    whenEmpty,
  }: PrismaPageQuery<Row, T>,
): Promise<Page<T>> {
  return loadKeysetPage<T>({
    secret: keys.secret,
    list,
    args,
    keyOf: (node) => String(node[key]),
    async fetch(slice, take) {
      const { range, direction } = toPrismaKeysetRange(slice, order);
      const rows = await model.findMany({
        where: { AND: [where, { [key]: range }] },
        orderBy: [...(owner ? [{ [owner]: direction }] : []), { [key]: direction }],
        take,
      });
      if (rows.length === 0) await whenEmpty?.();
      return rows.map(toNode);
    },
    count: async () => model.count({ where }),
  });
}

/** Prisma condition on the key and sort direction of a slice. */
export function toPrismaKeysetRange(
  { after, before, backward }: KeyRange,
  order: 'asc' | 'desc',
): { range: { gt?: string; lt?: string }; direction: 'asc' | 'desc' } {
  const [below, above] = order === 'desc' ? [after, before] : [before, after];
  return {
    range: { ...(above === undefined ? {} : { gt: above }), ...(below === undefined ? {} : { lt: below }) },
    direction: backward === (order === 'desc') ? 'asc' : 'desc',
  };
}
