/** Relay connection types with `nodes` and a lazy `totalCount`, over the pages of lib/paging.ts. */
import type { ObjectRef } from '@pothos/core';
import { maxPageSize, type Page, type PageArgs, parsePageSize } from '../../lib/paging.ts';
import { builder } from './builder.ts';
import { outputFields } from './field-tables.ts';

const PageInfoGraphqlType = builder.objectRef<Page<unknown>>('PageInfo').implement({
  description: 'Position of a page within its list.',
  fields: outputFields((t) => ({
    hasNextPage: ['Boolean!', 'Whether items follow this page.'],
    hasPreviousPage: t.boolean({
      pure: true,
      description: 'Whether items precede this page.',
      resolve: (page) => page.hasPreviousPage(),
    }),
    startCursor: t.string({
      pure: true,
      nullable: true,
      description:
        'Cursor of the first item, null for an empty page; pass it as `before` to get the previous page.',
      resolve: (page) => (page.nodes.length > 0 ? page.cursorOf(page.nodes[0]) : null),
    }),
    endCursor: t.string({
      pure: true,
      nullable: true,
      description:
        'Cursor of the last item, null for an empty page; pass it as `after` to get the next page.',
      resolve: (page) => (page.nodes.length > 0 ? page.cursorOf(page.nodes.at(-1)) : null),
    }),
  })),
});

/** Defines `<Name>Connection` and `<Name>Edge` for a type. */
export function createConnectionType<T>(name: string, node: ObjectRef<typeof builder.$inferSchemaTypes, T>) {
  const Edge = builder.objectRef<{ node: T; page: Page<T> }>(`${name}Edge`).implement({
    description: `One ${name} of a page, with its cursor.`,
    fields: (t) => ({
      cursor: t.string({
        pure: true,
        description: 'Opaque position of the item, for `after` and `before`.',
        resolve: (edge) => edge.page.cursorOf(edge.node),
      }),
      node: t.field({
        pure: true,
        type: node,
        description: 'The item.',
        resolve: (edge) => edge.node as never,
      }),
    }),
  });
  return builder.objectRef<Page<T>>(`${name}Connection`).implement({
    description: `A page of ${name} items, in list order.`,
    fields: (t) => ({
      nodes: t.field({
        pure: true,
        type: [node],
        description: 'The items of the page.',
        complexity: { field: 0, multiplier: 1 },
        resolve: (page) => page.nodes as never,
      }),
      edges: t.field({
        pure: true,
        type: [Edge],
        description: 'The items of the page with their cursors.',
        complexity: { field: 0, multiplier: 1 },
        resolve: (page) => page.nodes.map((item) => ({ node: item, page })),
      }),
      pageInfo: t.field({
        pure: true,
        type: PageInfoGraphqlType,
        description: 'Cursors of the page, and whether items precede or follow it.',
        resolve: (page) => page as Page<unknown>,
      }),
      totalCount: t.int({
        description: 'Number of items of the whole list that the viewer may see. Counted only if selected.',
        complexity: 10,
        resolve: (page) => page.totalCount(),
      }),
    }),
  });
}

/** Paging arguments of every list field. */
export const pageArgs = builder.args((t) => ({
  first: t.int({ description: 'Page size from the start; default 20, at most 100.' }),
  after: t.string({ description: 'Returns the items after this cursor.' }),
  last: t.int({ description: 'Page size from the end, instead of `first`; at most 100.' }),
  before: t.string({ description: 'Returns the items before this cursor.' }),
}));

/** Cost of a list field: the cost of one item times the page size. */
export const estimateListCost = ({ first, last }: Pick<PageArgs, 'first' | 'last'>) => {
  const requested = Math.max(first ?? 0, last ?? 0);
  const pageSize = requested < 1 ? parsePageSize(undefined) : Math.min(requested, maxPageSize);
  return { field: 1, multiplier: pageSize };
};
