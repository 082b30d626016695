/** GraphQL field `CustomerGroupMember.name`. */
import type { Context } from '../../context.ts';
import { builder } from '../../graphql/schema/builder.ts';
import { createPerRequestLoader } from '../../lib/cache/per-request-loader.ts';
import { CustomerGroupMemberGraphqlType } from '../groups/types.ts';
import { loadNamedBusinessContacts } from '../users/people/user-lookups-for-other-domains.ts';

const separator = '/';

/** Names by `<businessId>/<userId>`; one query per business. */
const loadName = createPerRequestLoader(async (ctx: Context, keys) => {
  const byBusiness = new Map<string, string[]>();
  for (const key of keys) {
    const [businessId = '', userId = ''] = key.split(separator);
    byBusiness.set(businessId, [...(byBusiness.get(businessId) ?? []), userId]);
  }
  const names = new Map<string, string>();
  for (const [businessId, userIds] of byBusiness)
    for (const { id, name } of (await loadNamedBusinessContacts(ctx.db, businessId, userIds)).values())
      names.set(businessId + separator + id, name);
  return names;
});

builder.objectField(CustomerGroupMemberGraphqlType, 'name', (t) =>
  t.string({
    nullable: true,
    description: 'Name of the member; null when they are no longer a customer or member of the business.',
    complexity: 5,
    resolve: async ({ businessId, userId }, _args, ctx) =>
      (await loadName(ctx, businessId + separator + userId)) ?? null,
  }),
);
