/** Passwords are kept as argon2id hashes. */

import { dummyPasswordHash } from './hashing-cost.ts';
import { runHashing } from './hashing-workers.ts';

export const hashPassword = async (password: string): Promise<string> =>
  String(await runHashing({ password: password.normalize('NFC') }));

/** Without a hash the answer is no, after the same work: response times do not tell whether an account exists. */
export async function verifyPassword(passwordHash: string | null, password: string): Promise<boolean> {
  const hash = passwordHash ?? dummyPasswordHash;
  const matches = await runHashing({ hash, password: password.normalize('NFC') });
  return matches === true && passwordHash !== null;
}
