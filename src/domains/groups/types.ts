/** GraphQL types of customer groups. */
import type { CustomerGroup, CustomerGroupMember } from '../../generated/prisma/client.ts';
import { builder } from '../../graphql/schema/builder.ts';
import { createConnectionType } from '../../graphql/schema/connection.ts';
import { Timestamped, Versioned } from '../../graphql/schema/interfaces.ts';

export const CustomerGroupType = builder.prismaObject('CustomerGroup', {
  interfaces: [Timestamped, Versioned],
  description: 'Customers to whom a business sells at prices of their own.',
  fields: (t) => ({
    id: t.exposeID('id', { description: 'Id chosen by the business, such as `wholesale`: prices name it.' }),
    name: t.exposeString('name', { description: 'Name. Members see it where its price applies.' }),
    version: t.exposeInt('version', {
      description: 'Grows with every change; send it back to guard an update.',
    }),
    createdAt: t.expose('createdAt', { type: 'Timestamp', description: 'When it was created.' }),
    updatedAt: t.expose('updatedAt', { type: 'Timestamp', description: 'When it was last changed.' }),
  }),
});

export const CustomerGroupMemberType = builder.prismaObject('CustomerGroupMember', {
  description: 'Somebody in a customer group.',
  fields: (t) => ({
    userId: t.exposeID('userId', { description: 'Id of the user.' }),
    since: t.expose('createdAt', { type: 'Timestamp', description: 'When they were added.' }),
  }),
});

export const CustomerGroupConnection = createConnectionType<CustomerGroup>(
  'CustomerGroup',
  CustomerGroupType,
);
export const CustomerGroupMemberConnection = createConnectionType<CustomerGroupMember>(
  'CustomerGroupMember',
  CustomerGroupMemberType,
);
