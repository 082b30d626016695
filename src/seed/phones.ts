/** Codes that the demo admin was sent, so that the reference can print them. Their password is printed as well. */
import type { Queries } from '../db/handles.ts';
import { hashPhoneCode } from '../domains/users/account/phone-numbers.ts';
import { demo, demoPhones } from './shop-data.ts';

/** The demo has no hurry: nobody gains by a number of an account that is open to all. */
const expiresAt = 4_000_000_000;

/** `secret` is the one of this database: what is kept of a code is good in no other. */
export async function seedPhones({ prisma }: Queries, secret: Uint8Array): Promise<void> {
  const userId = demo.adminId;
  await prisma.phoneCode.createMany({
    data: demoPhones.map(({ phoneNumber, code }) => ({
      ...{ userId, phoneNumber, expiresAt },
      codeHash: hashPhoneCode(secret, { userId, phoneNumber }, code),
    })),
    skipDuplicates: true,
  });
}
