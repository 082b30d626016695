/** Stands in for the true cost of a password, which tests with a thousand accounts would wait for. The installed package pays that. */
export const argon2Options = { memoryCost: 64, timeCost: 1, parallelism: 1 } as const;

export const dummyPasswordHash =
  '$argon2id$v=19$m=64,t=1,p=1$N5nNbICpRyxOgOvHhoRXZg$5EFCbdrfCWdPiBhqXxM56Mdh4mZ4huYXI5Dmyqgd02U';
