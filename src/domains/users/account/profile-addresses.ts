/** The addresses of somebody's profile, as addresses that something can be sent to. */
import type { Queries } from '../../../db/handles.ts';
import type { PostalAddress } from '../../shared/postal-address.ts';
import type { ProfileAddress } from '../model.ts';

/** Addresses from before they had ids are called by their place. */
export const withAddressIds = (addresses: readonly ProfileAddress[]): ProfileAddress[] =>
  addresses.map((address, index) => ({ ...address, id: address.id ?? String(index + 1) }));

/** The parts that the profile has, unchecked: it takes whatever people write. Undefined when there is no such address. */
export async function findProfileAddress(
  queries: Queries,
  userId: string,
  id: string,
): Promise<Partial<PostalAddress> | undefined> {
  const found = await queries.prisma.user.findUnique({
    where: { id: userId },
    select: { name: true, addresses: true },
  });
  if (!found) return undefined;
  const chosen = withAddressIds(found.addresses as unknown as ProfileAddress[]).find(
    (address) => address.id === id,
  );
  return chosen && toPostal(chosen, found.name);
}

const toPostal = (
  { name, company, street, line2, city, state, zip, country, phone }: ProfileAddress,
  owner: string,
): Partial<PostalAddress> => ({
  name: name || owner,
  company,
  ...(street === undefined ? {} : { line1: street }),
  line2,
  ...(city === undefined ? {} : { city }),
  region: state,
  postalCode: zip,
  ...(country === undefined ? {} : { country }),
  phone,
});
