/** GraphQL types of customer groups. */
import { builder } from '../../graphql/schema/builder.ts';
import { createConnectionType } from '../../graphql/schema/connection-types.ts';
import { prismaFields } from '../../graphql/schema/field-tables.ts';
import {
  TimestampedGraphqlInterface,
  VersionedGraphqlInterface,
} from '../../graphql/schema/node-timestamped-and-versioned-interfaces.ts';

export const CustomerGroupGraphqlType = builder.prismaObject('CustomerGroup', {
  interfaces: [TimestampedGraphqlInterface, VersionedGraphqlInterface],
  description: 'Group of customers with its own prices.',
  fields: prismaFields('CustomerGroup', (t) => ({
    key: t.exposeID('id', {
      description: 'Key within the business, such as `wholesale`; `groupId` elsewhere.',
    }),
    name: ['String!', 'Name of the group. Shown to members with its prices.'],
  })),
});

export const CustomerGroupMemberGraphqlType = builder.prismaObject('CustomerGroupMember', {
  description: 'A customer who gets the prices of the group.',
  fields: prismaFields('CustomerGroupMember', (t) => ({
    userId: ['ID!', 'Id of the user.'],
    since: t.expose('createdAt', { type: 'Timestamp', description: 'When the member was added.' }),
  })),
});

export const CustomerGroupConnection = createConnectionType('CustomerGroup', CustomerGroupGraphqlType);
export const CustomerGroupMemberConnection = createConnectionType(
  'CustomerGroupMember',
  CustomerGroupMemberGraphqlType,
);
