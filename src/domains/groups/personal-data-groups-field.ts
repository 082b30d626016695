/** Field `PersonalData.customerGroups`: customer groups in the personal data export, across all businesses. */
import type { Context } from '../../context.ts';
import { businessServersOf, mergeRowsOfServers, type QueryHandle } from '../../db/index.ts';
import type { CustomerGroupMember } from '../../generated/prisma/client.ts';
import { builder } from '../../graphql/schema/builder.ts';
import { outputFields } from '../../graphql/schema/field-tables.ts';
import {
  maxPersonalDataItems,
  PersonalDataGraphqlType,
  type PersonalDataOwner,
  personalDataListCost,
} from '../shared/personal-data/personal-data-graphql-type.ts';

type Group = CustomerGroupMember & { group: { name: string } };

const OwnGroupGraphqlType = builder.objectRef<Group>('OwnCustomerGroup').implement({
  description: 'Customer group of which the viewer is a member.',
  fields: outputFields((t) => ({
    businessId: ['ID!', 'Business of the group.'],
    name: t.string({ description: 'Name of the group.', resolve: ({ group }) => group.name }),
    since: t.expose('createdAt', { type: 'Timestamp', description: 'When the viewer was added.' }),
  })),
});

const loadOwnGroups = (ctx: Context, { userId }: PersonalDataOwner): Promise<readonly Group[]> =>
  mergeRowsOfServers<QueryHandle, Group>(
    businessServersOf(ctx.db),
    {
      key: 'createdAt',
      descending: true,
      limit: maxPersonalDataItems,
      identityOf: ({ businessId, groupId }) => `${businessId}/${groupId}`,
    },
    ({ prisma }) =>
      prisma.customerGroupMember.findMany({
        where: { userId },
        include: { group: { select: { name: true } } },
        orderBy: [{ createdAt: 'desc' }, { businessId: 'asc' }, { groupId: 'asc' }],
        take: maxPersonalDataItems,
      }),
  );

builder.objectField(PersonalDataGraphqlType, 'customerGroups', (t) =>
  t.field({
    type: [OwnGroupGraphqlType],
    description: 'Customer groups across all businesses, most recently joined first.',
    complexity: personalDataListCost,
    resolve: (owner, _args, ctx) => loadOwnGroups(ctx, owner),
  }),
);
