/** Passwords are kept as argon2id hashes. */
import { runHashing } from './hashing.ts';

export const hashPassword = async (password: string): Promise<string> =>
  String(await runHashing({ password: password.normalize('NFC') }));

/** Without a hash the answer is no, after the same work: response times do not tell whether an account exists. */
export async function verifyPassword(passwordHash: string | null, password: string): Promise<boolean> {
  const hash = passwordHash ?? nobodysHash;
  const matches = await runHashing({ hash, password: password.normalize('NFC') });
  return matches === true && passwordHash !== null;
}

/** A hash of a random password that nobody knows, made at the usual cost. */
const nobodysHash =
  '$argon2id$v=19$m=32768,t=3,p=1$PntVumeH9aHScB1lZ7IwRA$pmlG233TLIE9ARzvIltPrkuwCbz703p1IERtRBmCaQ0';
