/** GraphQL types of entry versions and their comparison. */
import { builder } from '../../../graphql/schema/builder.ts';
import { createConnectionType } from '../../../graphql/schema/connection-types.ts';
import { outputFields } from '../../../graphql/schema/field-tables.ts';
import { ChangeActorEnum } from '../../audit-log/types.ts';
import { BlockGraphqlType } from '../../blocks/types.ts';
import { ContentStatusEnum } from '../../collections/types.ts';
import type { EntryVersionComparison } from './compare-versions.ts';
import type { EntryVersionDifference } from './diff-versions.ts';
import type { EntryVersionWithUserName } from './list-versions.ts';

export const EntryVersionGraphqlType = builder.objectRef<EntryVersionWithUserName>('EntryVersion').implement({
  description: 'Stored version of an entry.',
  fields: outputFields((t) => ({
    version: ['Int!', 'Version number.'],
    locale: ['String!', 'Locale of the entry in this version.'],
    blocks: t.expose('blocks', { type: [BlockGraphqlType], description: 'Block values in this version.' }),
    status: t.expose('status', {
      type: ContentStatusEnum,
      description: 'Status of the entry in this version.',
    }),
    actor: t.expose('actor', {
      type: ChangeActorEnum,
      description: 'Kind of caller that created the version.',
    }),
    userId: ['ID', 'User who created the version, or owner of the API key; null for the system.'],
    userName: ['String', 'Current name of the user; null for the system or when the account was deleted.'],
    createdAt: ['Timestamp!', 'When the version was created.'],
  })),
});

export const EntryVersionConnection = createConnectionType('EntryVersion', EntryVersionGraphqlType);

const DifferenceGraphqlType = builder.objectRef<EntryVersionDifference>('EntryDifference').implement({
  description: 'One difference between two versions.',
  fields: outputFields({
    path: [
      '[String!]!',
      'Path segments, such as `blocks`, `title`, `value`, `de`; `order` is the order of the blocks.',
    ],
    before: ['JSON', 'Value in the version `from`; null when absent.'],
    after: ['JSON', 'Value in the version `to`; null when absent.'],
  }),
});

export const EntryComparisonGraphqlType = builder
  .objectRef<EntryVersionComparison>('EntryComparison')
  .implement({
    description: 'Differences between two versions of an entry.',
    fields: outputFields((t) => ({
      from: ['Int!', 'Version of the `before` values.'],
      to: ['Int!', 'Version of the `after` values.'],
      differences: t.expose('differences', {
        type: [DifferenceGraphqlType],
        description: 'All differences, in the order of the content.',
      }),
    })),
  });
