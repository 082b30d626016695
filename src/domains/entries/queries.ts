/** Queries of entries. */
import { builder } from '../../graphql/builder.ts';
import { checked } from '../../graphql/checked.ts';
import { listCost, pageArgs } from '../../graphql/connection.ts';
import { onRecord } from '../../graphql/scopes.ts';
import { ContentStatusEnum } from '../collections/types.ts';
import { compareVersionsCheck, versionListCheck } from './checks.ts';
import { compareVersions } from './compare-versions.ts';
import { entryFilterCheck, findEntryCheck } from './find-checks.ts';
import { findEntry } from './find-entry.ts';
import { EntryFilterInput, EntrySortEnum } from './find-inputs.ts';
import { inLocales, pageInLocales } from './in-locales.ts';
import { listEntries } from './list-entries.ts';
import { listVersions } from './list-versions.ts';
import { EntryConnection, EntryType } from './types.ts';
import { ComparisonType, EntryVersionConnection } from './version-types.ts';

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
    ...checked(findEntryCheck, async ({ locale, ...at }, ctx) => {
      const entry = await findEntry(ctx, at);
      return entry && inLocales(entry, locale);
    }),
  }),
  entryVersions: t.field({
    type: EntryVersionConnection,
    description: 'What an entry was in its last hundred versions, newest first. Needs CONTENT_WRITE.',
    authScopes: onRecord('CONTENT_WRITE', 'Entry'),
    complexity: listCost,
    args: {
      businessId: t.arg.id({ required: true, description: 'The business.' }),
      id: t.arg.id({ required: true, description: 'Id, slug or slug triple of the entry.' }),
      ...pageArgs,
    },
    ...checked(versionListCheck, (args, ctx) => listVersions(ctx, args)),
  }),
  entryComparison: t.field({
    type: ComparisonType,
    description: 'What differs between two versions of an entry. Needs CONTENT_WRITE.',
    authScopes: onRecord('CONTENT_WRITE', 'Entry'),
    args: {
      businessId: t.arg.id({ required: true, description: 'The business.' }),
      id: t.arg.id({ required: true, description: 'Id, slug or slug triple of the entry.' }),
      from: t.arg.int({ required: true, description: 'A version.' }),
      to: t.arg.int({ description: 'Another version, the current one by default.' }),
    },
    ...checked(compareVersionsCheck, (args, ctx) => compareVersions(ctx, args)),
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
    ...checked(entryFilterCheck, async (args, ctx) =>
      pageInLocales(await listEntries(ctx, args), args.inLocales),
    ),
  }),
}));
