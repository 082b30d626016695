/** GraphQL types of the versions of entries. */
import { builder } from '../../../graphql/schema/builder.ts';
import { createConnectionType } from '../../../graphql/schema/connection.ts';
import { BlockObject } from '../../blocks/types.ts';
import { ChangeActorEnum } from '../../changes/types.ts';
import { ContentStatusEnum } from '../../collections/types.ts';
import type { VersionComparison } from './compare-versions.ts';
import type { VersionDifference } from './diff-versions.ts';
import type { EntryVersionView } from './list-versions.ts';

export const EntryVersionType = builder.objectRef<EntryVersionView>('EntryVersion').implement({
  description: 'What an entry was in one of its versions.',
  fields: (t) => ({
    version: t.exposeInt('version', { description: 'The version of the entry.' }),
    locale: t.exposeString('locale', { description: 'The locale it was written in.' }),
    blocks: t.expose('blocks', { type: [BlockObject], description: 'Its values, as they were.' }),
    status: t.expose('status', { type: ContentStatusEnum, description: 'Where the entry stood.' }),
    actor: t.expose('actor', { type: ChangeActorEnum, description: 'What kind of caller made it.' }),
    userId: t.exposeID('userId', { nullable: true, description: 'Who made it, or whose key was used.' }),
    userName: t.exposeString('userName', {
      nullable: true,
      description: 'What they are called today; absent once their account is deleted.',
    }),
    createdAt: t.expose('createdAt', { type: 'Timestamp', description: 'When it was made.' }),
  }),
});

export const EntryVersionConnection = createConnectionType('EntryVersion', EntryVersionType);

const DifferenceType = builder.objectRef<VersionDifference>('EntryDifference').implement({
  description: 'One place in which two versions differ.',
  fields: (t) => ({
    path: t.exposeStringList('path', {
      description:
        'The way to it, such as `blocks`, `title`, `value`, `de`; `order` is the order of the blocks.',
    }),
    before: t.expose('before', { type: 'JSON', nullable: true, description: 'What was there, if anything.' }),
    after: t.expose('after', { type: 'JSON', nullable: true, description: 'What is there, if anything.' }),
  }),
});

export const ComparisonType = builder.objectRef<VersionComparison>('EntryComparison').implement({
  description: 'What differs between two versions of an entry.',
  fields: (t) => ({
    from: t.exposeInt('from', { description: 'The version that `before` tells of.' }),
    to: t.exposeInt('to', { description: 'The version that `after` tells of.' }),
    differences: t.expose('differences', { type: [DifferenceType], description: 'All places, in order.' }),
  }),
});
