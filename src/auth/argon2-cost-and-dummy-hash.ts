/** Cost parameters of password hashing (argon2id). */

/** About 25 ms on one core, more than twice the minimum that OWASP recommends. */
export const argon2Options = { memoryCost: 32_768, timeCost: 3, parallelism: 1 } as const;

/** Hash of a discarded random password at the same cost, for accounts without a password. */
export const dummyPasswordHash =
  '$argon2id$v=19$m=32768,t=3,p=1$PntVumeH9aHScB1lZ7IwRA$pmlG233TLIE9ARzvIltPrkuwCbz703p1IERtRBmCaQ0';
