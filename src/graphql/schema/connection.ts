/** Relay connections with `nodes` and a lazily counted `totalCount`, over the pages of lib/paging.ts. */
import type { ObjectRef } from '@pothos/core';
import { maxPageSize, type Page, type PageArgs, parsePageSize } from '../../lib/paging.ts';
import { pureField } from '../fast/pure-fields.ts';
import { builder } from './builder.ts';

const PageInfo = builder.objectRef<Page<unknown>>('PageInfo').implement({
  description: 'Where a page stands in its list.',
  fields: (t) => ({
    hasNextPage: t.exposeBoolean('hasNextPage', { description: 'Whether more items follow.' }),
    hasPreviousPage: t.boolean({
      ...pureField,
      description: 'Whether items come before.',
      resolve: (page) => page.hasPreviousPage(),
    }),
    startCursor: t.string({
      ...pureField,
      nullable: true,
      description: 'Cursor of the first item; pass it as `before` to get the page before.',
      resolve: (page) => (page.nodes.length > 0 ? page.cursorOf(page.nodes[0]) : null),
    }),
    endCursor: t.string({
      ...pureField,
      nullable: true,
      description: 'Cursor of the last item; pass it as `after` to get the next page.',
      resolve: (page) => (page.nodes.length > 0 ? page.cursorOf(page.nodes.at(-1)) : null),
    }),
  }),
});

/** Defines `<Name>Connection` and `<Name>Edge` for a type. */
export function createConnectionType<T>(name: string, node: ObjectRef<typeof builder.$inferSchemaTypes, T>) {
  const Edge = builder.objectRef<{ node: T; page: Page<T> }>(`${name}Edge`).implement({
    description: `One ${name} of a page, with its cursor.`,
    fields: (t) => ({
      cursor: t.string({
        ...pureField,
        description: 'Opaque position of the item.',
        resolve: (edge) => edge.page.cursorOf(edge.node),
      }),
      node: t.field({
        ...pureField,
        type: node,
        description: 'The item.',
        resolve: (edge) => edge.node as never,
      }),
    }),
  });
  return builder.objectRef<Page<T>>(`${name}Connection`).implement({
    description: `A page of ${name} items, in the order of their list.`,
    fields: (t) => ({
      nodes: t.field({
        ...pureField,
        type: [node],
        description: 'The items of the page.',
        complexity: { field: 0, multiplier: 1 },
        resolve: (page) => page.nodes as never,
      }),
      edges: t.field({
        ...pureField,
        type: [Edge],
        description: 'The items of the page with their cursors.',
        complexity: { field: 0, multiplier: 1 },
        resolve: (page) => page.nodes.map((item) => ({ node: item, page })),
      }),
      pageInfo: t.field({
        ...pureField,
        type: PageInfo,
        description: 'Where the page stands.',
        resolve: (page) => page as Page<unknown>,
      }),
      totalCount: t.int({
        description: 'How many items the list holds for this viewer. Counted only when asked for.',
        complexity: 10,
        resolve: (page) => page.totalCount(),
      }),
    }),
  });
}

/** The arguments of every list. */
export const pageArgs = builder.args((t) => ({
  first: t.int({ description: 'Page size, 20 by default, at most 100.' }),
  after: t.string({ description: 'Cursor of the item before the page.' }),
  last: t.int({ description: 'Page size from the end, instead of `first`; at most 100.' }),
  before: t.string({ description: 'Cursor of the item after the page.' }),
}));

/** A list costs as many times its items as it may return. */
export const listCost = ({ first, last }: Pick<PageArgs, 'first' | 'last'>) => {
  const asked = Math.max(first ?? 0, last ?? 0);
  return { field: 1, multiplier: asked < 1 ? parsePageSize(undefined) : Math.min(asked, maxPageSize) };
};
