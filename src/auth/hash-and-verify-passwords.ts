/** Hashing and verification of passwords with argon2id. */
import { dummyPasswordHash } from './argon2-cost-and-dummy-hash.ts';
import { runPasswordHashingTask } from './password-hashing-threads.ts';

/** `network` of the client, which has a share of the queue; undefined outside of requests. */
export const hashPassword = async (password: string, network?: string): Promise<string> =>
  String(await runPasswordHashingTask({ password: password.normalize('NFC') }, network));

/** Without a hash returns false after the same amount of work, so that response times do not reveal whether an account exists. */
export async function verifyPassword(
  passwordHash: string | null,
  password: string,
  network: string,
): Promise<boolean> {
  const hash = passwordHash ?? dummyPasswordHash;
  const matches = await runPasswordHashingTask({ hash, password: password.normalize('NFC') }, network);
  return matches === true && passwordHash !== null;
}
