/** GraphQL types of customer groups. */
import { builder } from '../../graphql/schema/builder.ts';
import { createConnectionType } from '../../graphql/schema/connection-types.ts';
import {
  TimestampedGraphqlInterface,
  VersionedGraphqlInterface,
} from '../../graphql/schema/node-timestamped-and-versioned-interfaces.ts';

export const CustomerGroupGraphqlType = builder.prismaObject('CustomerGroup', {
  interfaces: [TimestampedGraphqlInterface, VersionedGraphqlInterface],
  description: 'Group of customers with its own prices.',
  fields: (t) => ({
    key: t.exposeID('id', {
      description: 'Key within the business, such as `wholesale`; `groupId` elsewhere.',
    }),
    name: t.exposeString('name', { description: 'Name of the group. Shown to members with its prices.' }),
  }),
});

export const CustomerGroupMemberGraphqlType = builder.prismaObject('CustomerGroupMember', {
  description: 'A customer who gets the prices of the group.',
  fields: (t) => ({
    userId: t.exposeID('userId', { description: 'Id of the user.' }),
    since: t.expose('createdAt', { type: 'Timestamp', description: 'When the member was added.' }),
  }),
});

export const CustomerGroupConnection = createConnectionType('CustomerGroup', CustomerGroupGraphqlType);
export const CustomerGroupMemberConnection = createConnectionType(
  'CustomerGroupMember',
  CustomerGroupMemberGraphqlType,
);
