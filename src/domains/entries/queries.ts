/** Queries of entries. */

import { permissionOnRecord } from '../../graphql/schema/auth-scopes.ts';
import { builder } from '../../graphql/schema/builder.ts';
import { listCost, pageArgs } from '../../graphql/schema/connection.ts';
import { validatedField } from '../../graphql/schema/validated-resolver.ts';
import { ContentStatusEnum } from '../collections/types.ts';
import { EntryFilterInput, EntrySortEnum } from './read/filter-inputs.ts';
import { findEntrySchema, listEntriesSchema } from './read/filter-schemas.ts';
import { findEntry } from './read/find-entry.ts';
import { listEntries } from './read/list-entries.ts';
import { selectLocales, selectPageLocales } from './read/select-locales.ts';
import { compareVersionsSchema, listVersionsSchema } from './schemas.ts';
import { EntryConnection, EntryType } from './types.ts';
import { compareEntryVersions } from './versions/compare-versions.ts';
import { listEntryVersions } from './versions/list-versions.ts';
import { ComparisonType, EntryVersionConnection } from './versions/types.ts';

builder.queryFields((t) => ({
  entry: t.field({
    type: EntryType,
    nullable: true,
    description:
      'One entry by id, slug or `<businessId>:<locale>:<slug>`; its slug is the value of its block `slug`.',
    authScopes: { signedIn: true },
    args: {
      businessId: t.arg.id({ required: true, description: 'The business.' }),
      id: t.arg.id({ required: true, description: 'Id, slug or slug triple.' }),
      locale: t.arg.stringList({
        description:
          'Show each text in the first of these that has one; `blockLocales` says which. All locales by default.',
      }),
    },
    ...validatedField(findEntrySchema, async ({ locale, ...at }, ctx) => {
      const entry = await findEntry(ctx, at);
      return entry && selectLocales(entry, locale);
    }),
  }),
  entryVersions: t.field({
    type: EntryVersionConnection,
    description: 'What an entry was in its last hundred versions, newest first. Needs CONTENT_WRITE.',
    authScopes: permissionOnRecord('CONTENT_WRITE', 'Entry'),
    complexity: listCost,
    args: {
      businessId: t.arg.id({ required: true, description: 'The business.' }),
      id: t.arg.id({ required: true, description: 'Id, slug or slug triple of the entry.' }),
      ...pageArgs,
    },
    ...validatedField(listVersionsSchema, (args, ctx) => listEntryVersions(ctx, args)),
  }),
  entryComparison: t.field({
    type: ComparisonType,
    description: 'What differs between two versions of an entry. Needs CONTENT_WRITE.',
    authScopes: permissionOnRecord('CONTENT_WRITE', 'Entry'),
    args: {
      businessId: t.arg.id({ required: true, description: 'The business.' }),
      id: t.arg.id({ required: true, description: 'Id, slug or slug triple of the entry.' }),
      from: t.arg.int({ required: true, description: 'A version.' }),
      to: t.arg.int({ description: 'Another version, the current one by default.' }),
    },
    ...validatedField(compareVersionsSchema, (args, ctx) => compareEntryVersions(ctx, args)),
  }),
  entries: t.field({
    type: EntryConnection,
    description:
      'Entries of a business, newest first or as `sort` says. Visitors see published ones of published collections.',
    authScopes: { signedIn: true },
    complexity: listCost,
    args: {
      businessId: t.arg.id({ required: true, description: 'The business.' }),
      ...pageArgs,
      ids: t.arg.idList({ description: 'Only these.' }),
      collectionId: t.arg.id({ description: 'Only of this collection, by id or slug.' }),
      owner: t.arg.string({ description: 'Only of this owner, such as `collection:<id or slug>`.' }),
      locale: t.arg.string({ description: 'Only those written in this locale.' }),
      status: t.arg({ type: ContentStatusEnum, description: 'Only this current status.' }),
      inLocales: t.arg.stringList({
        description: 'Show each text in the first of these that has one; none is left out for it.',
      }),
      filter: t.arg({ type: EntryFilterInput, description: 'Only what fulfils all of this.' }),
      sort: t.arg({ type: EntrySortEnum, description: 'The order, NEWEST by default.' }),
      sortBlock: t.arg.string({
        description:
          'For the order BLOCK: a block of the collection, of type TEXT, NUMBER, BOOLEAN, DATE or SELECT. Needs the collection, too.',
      }),
    },
    ...validatedField(listEntriesSchema, async (args, ctx) =>
      selectPageLocales(await listEntries(ctx, args), args.inLocales),
    ),
  }),
}));
