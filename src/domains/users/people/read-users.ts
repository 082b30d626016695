/** Reads people: as they see themselves, or as the ADMINs of some businesses see them. */
import type { Queries } from '../../../db/handles.ts';
import type { Prisma, User as StoredUser } from '../../../generated/prisma/client.ts';
import { loadMemberships } from '../../businesses/staff/memberships.ts';
import { withAddressIds } from '../account/profile-addresses.ts';
import type { BusinessUserConfig, ProfileAddress, User } from '../model.ts';
import { filterVoluntaryContacts } from './business-people.ts';

export async function loadUserAsSelf(
  queries: Queries,
  where: Prisma.UserWhereInput,
): Promise<User | undefined> {
  const found = await queries.prisma.user.findFirst({
    where,
    omit: { passwordHash: true },
    include: { apiTokens: { orderBy: [{ createdAt: 'asc' }, { id: 'asc' }] } },
  });
  if (!found) return undefined;
  const memberships = await loadMemberships(queries, [found.id]);
  return { ...withDocuments(found), memberships: memberships.get(found.id) ?? [], isSelf: true };
}

/** In the order of the ids, without those who are gone. What concerns other businesses is left out. */
export async function loadUsersAsAdmin(
  queries: Queries,
  ids: readonly string[],
  businessIds: readonly string[],
): Promise<User[]> {
  const found = await queries.prisma.user.findMany({
    where: { id: { in: [...ids] } },
    omit: { passwordHash: true },
  });
  const memberships = await loadMemberships(queries, ids, businessIds);
  const known = await filterVoluntaryContacts(queries, ids, businessIds);
  const users = new Map(found.map((user) => [user.id, withDocuments(user)]));
  return ids.flatMap((id): User[] => {
    const user = users.get(id);
    if (!user) return [];
    return [
      {
        ...user,
        businessUserConfigs: user.businessUserConfigs.filter((config) =>
          businessIds.includes(config.businessId),
        ),
        ...(known.has(id) ? {} : withheld),
        memberships: memberships.get(id) ?? [],
        apiTokens: [],
        isSelf: false,
      },
    ];
  });
}

/** Somebody who was only given a role is known by name and email address until they do something there. */
const withheld = {
  phoneNumbers: [],
  verifiedPhones: [],
  addresses: [],
  businessUserConfigs: [],
  lastLoginAt: null,
} satisfies Partial<User>;

const withDocuments = <Row extends Pick<StoredUser, 'addresses' | 'businessUserConfigs'>>(user: Row) => ({
  ...user,
  addresses: withAddressIds(user.addresses as unknown as ProfileAddress[]),
  businessUserConfigs: user.businessUserConfigs as unknown as BusinessUserConfig[],
});
