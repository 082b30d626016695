/** The way from a member of a customer group to what they are called. */
import type { Context } from '../../context.ts';
import { builder } from '../../graphql/schema/builder.ts';
import { createRequestLoader } from '../../lib/cache/request-loader.ts';
import { CustomerGroupMemberType } from '../groups/types.ts';
import { loadBusinessPeople } from '../users/people/business-people.ts';

const separator = '/';

/** By `<businessId>/<userId>`; one statement for each business. */
const loadName = createRequestLoader(async (ctx: Context, keys) => {
  const byBusiness = new Map<string, string[]>();
  for (const key of keys) {
    const [businessId = '', userId = ''] = key.split(separator);
    byBusiness.set(businessId, [...(byBusiness.get(businessId) ?? []), userId]);
  }
  const names = new Map<string, string>();
  for (const [businessId, userIds] of byBusiness)
    for (const { id, name } of (await loadBusinessPeople(ctx.db, businessId, userIds)).values())
      names.set(businessId + separator + id, name);
  return names;
});

builder.objectField(CustomerGroupMemberType, 'name', (t) =>
  t.string({
    nullable: true,
    description: 'What they are called; null once nothing else ties them to the business.',
    complexity: 5,
    resolve: async ({ businessId, userId }, _args, ctx) =>
      (await loadName(ctx, businessId + separator + userId)) ?? null,
  }),
);
