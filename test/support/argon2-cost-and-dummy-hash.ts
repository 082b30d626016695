/** Low password hashing cost for tests, which replaces src/auth/argon2-cost-and-dummy-hash.ts. Tests of the installed package use the production cost. */
export const argon2Options = { memoryCost: 64, timeCost: 1, parallelism: 1 } as const;

export const dummyPasswordHash =
  '$argon2id$v=19$m=64,t=1,p=1$N5nNbICpRyxOgOvHhoRXZg$5EFCbdrfCWdPiBhqXxM56Mdh4mZ4huYXI5Dmyqgd02U';
