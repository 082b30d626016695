/** GraphQL queries of entries. */
import { permissionOnRecordScope, storefrontScope } from '../../graphql/schema/auth-scopes.ts';
import { builder } from '../../graphql/schema/builder.ts';
import { estimateListCost, pageArgs } from '../../graphql/schema/connection-types.ts';
import { fieldArgs } from '../../graphql/schema/field-tables.ts';
import { validatedField } from '../../graphql/schema/validated-resolver.ts';
import { ContentStatusEnum } from '../collections/types.ts';
import { EntryFilterInput, EntrySortEnum } from './read/filter-inputs.ts';
import { findEntryArgsSchema, listEntriesSchema } from './read/filter-schemas.ts';
import { findEntry } from './read/find-entry.ts';
import { listEntries } from './read/list-entries.ts';
import { localizeEntry, localizeEntryPage } from './read/localize-entry.ts';
import { compareEntryVersionsSchema, listEntryVersionsSchema } from './schemas.ts';
import { EntryConnection, EntryGraphqlType } from './types.ts';
import { compareEntryVersions } from './versions/compare-versions.ts';
import { listEntryVersions } from './versions/list-versions.ts';
import { EntryComparisonGraphqlType, EntryVersionConnection } from './versions/types.ts';

builder.queryFields((t) => ({
  entry: t.field({
    type: EntryGraphqlType,
    nullable: true,
    description:
      'An entry by id, slug or `<businessId>:<locale>:<slug>`. The slug of an entry is the value of its block `slug`.',
    authScopes: storefrontScope,
    args: fieldArgs({
      businessId: ['ID!', 'Id of the business.'],
      id: ['ID!', 'Id, slug or `<businessId>:<locale>:<slug>`.'],
      locale: [
        '[String!]',
        'Preferred locales, up to 20: each text is returned in the first one that has a text, named in `blockLocales`. Default: all locales.',
      ],
    }),
    ...validatedField(findEntryArgsSchema, async (ctx, { locale, ...at }) => {
      const entry = await findEntry(ctx, at);
      return entry && localizeEntry(entry, locale);
    }),
  }),
  entryVersions: t.field({
    type: EntryVersionConnection,
    description: 'The last 100 versions of an entry, newest first. Needs CONTENT_WRITE.',
    authScopes: permissionOnRecordScope('CONTENT_WRITE', 'Entry'),
    complexity: estimateListCost,
    args: fieldArgs({
      businessId: ['ID!', 'Id of the business.'],
      id: ['ID!', 'Id, slug or slug triple of the entry.'],
      ...pageArgs,
    }),
    ...validatedField(listEntryVersionsSchema, listEntryVersions),
  }),
  entryComparison: t.field({
    type: EntryComparisonGraphqlType,
    description: 'Differences between two versions of an entry. Needs CONTENT_WRITE.',
    authScopes: permissionOnRecordScope('CONTENT_WRITE', 'Entry'),
    args: fieldArgs({
      businessId: ['ID!', 'Id of the business.'],
      id: ['ID!', 'Id, slug or slug triple of the entry.'],
      from: ['Int!', 'Version to compare from.'],
      to: ['Int', 'Version to compare to. Default: the current version.'],
    }),
    ...validatedField(compareEntryVersionsSchema, compareEntryVersions),
  }),
  entries: t.field({
    type: EntryConnection,
    description:
      'Entries of a business, newest first unless `sort` is set. Viewers without CONTENT_WRITE see published entries of published collections.',
    authScopes: storefrontScope,
    complexity: estimateListCost,
    args: fieldArgs({
      businessId: ['ID!', 'Id of the business.'],
      ...pageArgs,
      ids: ['[ID!]', 'Only entries with these ids, up to 100.'],
      collectionId: ['ID', 'Only entries of this collection (id or slug).'],
      owner: ['String', 'Only entries of this owner, such as `collection:<id or slug>`.'],
      locale: ['String', 'Only entries written in this locale.'],
      status: [ContentStatusEnum, 'Only entries with this current status.'],
      inLocales: [
        '[String!]',
        'Preferred locales, up to 20: each text is returned in the first one that has a text. Does not filter entries.',
      ],
      filter: [EntryFilterInput, 'Filter; conditions are combined with AND.'],
      sort: [EntrySortEnum, 'Sort order. Default: NEWEST.'],
      sortBlock: [
        'String',
        'Required for the sort orders BLOCK and BLOCK_DESC: id of a block of type TEXT, NUMBER, BOOLEAN, DATE or SELECT. The collection must be given too.',
      ],
    }),
    ...validatedField(listEntriesSchema, async (ctx, args) =>
      localizeEntryPage(await listEntries(ctx, args), args.inLocales),
    ),
  }),
}));
