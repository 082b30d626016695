/** Seeds confirmation codes of the demo admin's phone numbers, which the REST reference shows. The demo password is public as well. */
import type { QueryHandle } from '../db/handles.ts';
import { hashPhoneCode } from '../domains/users/account/verify-phone-numbers.ts';
import { demoPhoneConfirmations, demoShopIdsAndLogins } from './shop-data.ts';

/** Year 2096: the account is public, so a long-lived code gives an attacker nothing. */
const expiresAt = 4_000_000_000;

/** `secret` is the gateway secret of this database; the stored hash of a code is valid only with it. */
export async function seedPhoneConfirmationCodes({ prisma }: QueryHandle, secret: Uint8Array): Promise<void> {
  const userId = demoShopIdsAndLogins.adminId;
  await prisma.phoneCode.createMany({
    data: demoPhoneConfirmations.map(({ phoneNumber, code }) => ({
      ...{ userId, phoneNumber, expiresAt },
      codeHash: hashPhoneCode(secret, { userId, phoneNumber }, code),
    })),
    skipDuplicates: true,
  });
}
