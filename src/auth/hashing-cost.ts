/** What a password costs to check. */

/** About 25 ms of one core, more than twice what OWASP asks for as a minimum. */
export const argon2Options = { memoryCost: 32_768, timeCost: 3, parallelism: 1 } as const;

/** A hash of a random password that nobody knows, made at that cost. */
export const dummyPasswordHash =
  '$argon2id$v=19$m=32768,t=3,p=1$PntVumeH9aHScB1lZ7IwRA$pmlG233TLIE9ARzvIltPrkuwCbz703p1IERtRBmCaQ0';
