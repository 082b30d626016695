/** Loads users with the fields that the viewer may see: the user themselves, or an ADMIN of some businesses. */
import { accountsOf, type QueryHandle } from '../../../db/index.ts';
import type { Prisma, User as StoredUser } from '../../../generated/prisma/client.ts';
import { loadAllMemberships, loadBusinessMemberships } from '../../businesses/staff/manage-memberships.ts';
import { assignMissingAddressIds } from '../account/profile-address-ids-and-lookup.ts';
import type { BusinessUserConfig, ProfileAddress, User } from '../model.ts';
import { filterVoluntaryBusinessContactIds } from './user-lookups-for-other-domains.ts';

export async function loadUserWithFieldsForSelf(
  queries: QueryHandle,
  where: Prisma.UserWhereInput,
): Promise<User | undefined> {
  const user = await accountsOf(queries).prisma.user.findFirst({
    where,
    omit: { passwordHash: true },
    include: { apiTokens: { orderBy: [{ createdAt: 'asc' }, { id: 'asc' }] } },
  });
  if (!user) return undefined;
  return { ...withDocuments(user), memberships: await loadAllMemberships(queries, user.id), isSelf: true };
}

/** Users in the order of `ids`, without deleted ones. Settings and memberships are limited to `businessIds`. */
export async function loadUsersWithFieldsForAdmin(
  queries: QueryHandle,
  ids: readonly string[],
  businessIds: readonly string[],
): Promise<User[]> {
  const rows = await accountsOf(queries).prisma.user.findMany({
    where: { id: { in: [...ids] } },
    omit: { passwordHash: true },
  });
  const memberships = await loadBusinessMemberships(queries, ids, businessIds);
  const voluntaryContacts = await filterVoluntaryBusinessContactIds(queries, ids, businessIds);
  const users = new Map(rows.map((user) => [user.id, withDocuments(user)]));
  return ids.flatMap((id): User[] => {
    const user = users.get(id);
    if (!user) return [];
    return [
      {
        ...user,
        businessUserConfigs: user.businessUserConfigs.filter((config) =>
          businessIds.includes(config.businessId),
        ),
        ...(voluntaryContacts.has(id) ? {} : hiddenFields),
        memberships: memberships.get(id) ?? [],
        apiTokens: [],
        isSelf: false,
      },
    ];
  });
}

/** Of a user whose only relation to the business is a role that another user assigned and the user has not accepted, ADMINs see the id only. */
const hiddenFields = {
  name: '',
  email: null,
  phoneNumbers: [],
  verifiedPhones: [],
  addresses: [],
  businessUserConfigs: [],
  lastLoginAt: null,
} satisfies Partial<User>;

const withDocuments = <Row extends Pick<StoredUser, 'addresses' | 'businessUserConfigs'>>(user: Row) => ({
  ...user,
  addresses: assignMissingAddressIds(user.addresses as unknown as ProfileAddress[]),
  businessUserConfigs: user.businessUserConfigs as unknown as BusinessUserConfig[],
});
