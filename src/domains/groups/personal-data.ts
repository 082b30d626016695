/** The groups that one person is in, in whichever businesses. */
import type { Context } from '../../context.ts';
import type { CustomerGroupMember } from '../../generated/prisma/client.ts';
import { builder } from '../../graphql/schema/builder.ts';
import {
  maxPersonalDataItems,
  type PersonalDataOwner,
  PersonalDataType,
  personalListCost,
} from '../shared/personal-data.ts';

type Group = CustomerGroupMember & { group: { name: string } };

const OwnGroupType = builder.objectRef<Group>('OwnCustomerGroup').implement({
  description: 'A customer group that the viewer is in.',
  fields: (t) => ({
    businessId: t.exposeID('businessId', { description: 'The business whose group it is.' }),
    name: t.string({ description: 'Name of the group.', resolve: ({ group }) => group.name }),
    since: t.expose('createdAt', { type: 'Timestamp', description: 'When they were added.' }),
  }),
});

const ownGroups = (ctx: Context, { userId }: PersonalDataOwner): Promise<Group[]> =>
  ctx.db.prisma.customerGroupMember.findMany({
    where: { userId },
    include: { group: { select: { name: true } } },
    orderBy: [{ createdAt: 'desc' }, { businessId: 'asc' }, { groupId: 'asc' }],
    take: maxPersonalDataItems,
  });

builder.objectField(PersonalDataType, 'customerGroups', (t) =>
  t.field({
    type: [OwnGroupType],
    description: 'Customer groups, in whichever businesses, newest first.',
    complexity: personalListCost,
    resolve: (owner, _args, ctx) => ownGroups(ctx, owner),
  }),
);
