/** Mutations of customer groups. Groups are changed by those who set prices, their members by those who write orders. */
import type { CustomerGroup, CustomerGroupMember } from '../../generated/prisma/client.ts';
import { builder } from '../../graphql/builder.ts';
import { checked } from '../../graphql/checked.ts';
import { payloadOf } from '../../graphql/payload.ts';
import { inBusiness, onRecord } from '../../graphql/scopes.ts';
import { DeletedPayload } from '../shared/types.ts';
import { addMemberCheck, createGroupCheck, updateGroupCheck } from './checks.ts';
import { createGroup, deleteGroup, updateGroup } from './groups.ts';
import { AddCustomerGroupMemberInput, CreateCustomerGroupInput, UpdateCustomerGroupInput } from './inputs.ts';
import { addMember, removeMember } from './members.ts';
import { CustomerGroupMemberType, CustomerGroupType } from './types.ts';

const GroupPayload = payloadOf<'customerGroup', CustomerGroup>(
  'CustomerGroupPayload',
  'customerGroup',
  CustomerGroupType,
);
const MemberPayload = payloadOf<'member', CustomerGroupMember>(
  'CustomerGroupMemberPayload',
  'member',
  CustomerGroupMemberType,
);

builder.mutationFields((t) => {
  const businessId = t.arg.id({ required: true, description: 'The business.' });
  const id = t.arg.id({ required: true, description: 'Id of the group.' });
  const version = t.arg.int({
    description: 'Fail with PRECONDITION_FAILED unless this is the current version.',
  });
  return {
    createCustomerGroup: t.field({
      type: GroupPayload,
      description: 'Creates a customer group. Needs PRODUCTS_WRITE.',
      authScopes: inBusiness('PRODUCTS_WRITE'),
      args: {
        businessId,
        input: t.arg({ type: CreateCustomerGroupInput, required: true, description: 'The group.' }),
      },
      ...checked(createGroupCheck, async (args, ctx) => ({ customerGroup: await createGroup(ctx, args) })),
    }),
    updateCustomerGroup: t.field({
      type: GroupPayload,
      description: 'Renames a customer group. Needs PRODUCTS_WRITE.',
      authScopes: onRecord('PRODUCTS_WRITE', 'Customer group'),
      args: {
        businessId,
        id,
        version,
        input: t.arg({ type: UpdateCustomerGroupInput, required: true, description: 'The changes.' }),
      },
      ...checked(updateGroupCheck, async (args, ctx) => ({ customerGroup: await updateGroup(ctx, args) })),
    }),
    deleteCustomerGroup: t.field({
      type: DeletedPayload,
      description: 'Deletes a customer group; prices that name it are then for nobody. Needs PRODUCTS_WRITE.',
      authScopes: onRecord('PRODUCTS_WRITE', 'Customer group'),
      args: { businessId, id, version },
      resolve: (_root, args, ctx) => deleteGroup(ctx, { ...args, version: args.version ?? undefined }),
    }),
    addCustomerGroupMember: t.field({
      type: MemberPayload,
      description:
        'Puts somebody into a customer group; who is in it already stays in it. Needs ORDERS_WRITE.',
      authScopes: onRecord('ORDERS_WRITE', 'Customer group'),
      args: {
        businessId,
        groupId: id,
        input: t.arg({ type: AddCustomerGroupMemberInput, required: true, description: 'The person.' }),
      },
      ...checked(addMemberCheck, async (args, ctx) => ({ member: await addMember(ctx, args) })),
    }),
    removeCustomerGroupMember: t.field({
      type: DeletedPayload,
      description: 'Takes somebody out of a customer group. Needs ORDERS_WRITE.',
      authScopes: onRecord('ORDERS_WRITE', 'Customer group'),
      args: {
        businessId,
        groupId: id,
        userId: t.arg.id({ required: true, description: 'Id of the user.' }),
      },
      resolve: (_root, args, ctx) => removeMember(ctx, args),
    }),
  };
});
