/** Passwords are kept as argon2id hashes, made off the event loop and never so many at once that others starve. */
import { availableParallelism } from 'node:os';
import { hash, verify } from '@node-rs/argon2';
import { createLane } from '../lib/lane.ts';

/** About 25 ms of one core, twice what OWASP asks for as a minimum. */
const cost = { memoryCost: 32_768, timeCost: 3, parallelism: 1 } as const;

// One lane for the process, as there is one thread pool. Half the cores stay free for everything else, and who
// would wait longer than two or three seconds is told to come back instead.
const lane = createLane({ parallel: Math.max(1, Math.floor(availableParallelism() / 2)), waiting: 100 });

export const hashPassword = (password: string): Promise<string> =>
  lane(() => hash(password.normalize('NFC'), cost));

/** Without a hash the answer is no, after the same work: nobody learns from the clock whether an account exists. */
export async function verifyPassword(passwordHash: string | null, password: string): Promise<boolean> {
  const matches = await lane(async () =>
    verify(passwordHash ?? (await nobodysHash()), password.normalize('NFC')),
  );
  return matches && passwordHash !== null;
}

let nobodys: Promise<string> | undefined;

function nobodysHash(): Promise<string> {
  nobodys ??= hash('the password of nobody', cost);
  return nobodys;
}
