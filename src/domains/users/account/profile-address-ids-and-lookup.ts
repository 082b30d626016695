/** Addresses of a user profile: ids for those stored without one, and the lookup of one as a postal address for checkout. */
import { accountsOf, type QueryHandle } from '../../../db/index.ts';
import type { PostalAddress } from '../../shared/postal-address-schema-and-rules.ts';
import type { ProfileAddress } from '../model.ts';

/** Assigns ids to addresses that were stored without one: their position, counted from 1. */
export const assignMissingAddressIds = (addresses: readonly ProfileAddress[]): ProfileAddress[] =>
  addresses.map((address, index) => ({ ...address, id: address.id ?? String(index + 1) }));

/** Finds an address of the profile. Not validated: profiles accept any text. Undefined when there is no such address. */
export async function findProfileAddress(
  queries: QueryHandle,
  userId: string,
  id: string,
): Promise<Partial<PostalAddress> | undefined> {
  const user = await accountsOf(queries).prisma.user.findUnique({
    where: { id: userId },
    select: { name: true, addresses: true },
  });
  if (!user) return undefined;
  const address = assignMissingAddressIds(user.addresses as unknown as ProfileAddress[]).find(
    (candidate) => candidate.id === id,
  );
  return address && toPostalAddress(address, user.name);
}

const toPostalAddress = (
  { name, company, street, line2, city, state, zip, country, phone }: ProfileAddress,
  userName: string,
): Partial<PostalAddress> => ({
  name: name || userName,
  company,
  ...(street === undefined ? {} : { line1: street }),
  line2,
  ...(city === undefined ? {} : { city }),
  region: state,
  postalCode: zip,
  ...(country === undefined ? {} : { country }),
  phone,
});
