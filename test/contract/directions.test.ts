/** Imports point one way: http to rest and graphql, those to domains, domains to the database and the ports. */
import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';
import { expect, it } from 'vitest';

interface Import {
  from: string;
  to: string;
  typeOnly: boolean;
}

const files = readdirSync('src', { recursive: true, encoding: 'utf8' })
  .filter((name) => name.endsWith('.ts') && !name.startsWith('generated/'))
  .map((name) => `src/${name}`);

const statement = /^(?:import|export)\s+(type\s+)?[^;]*?from\s+'([^']+)';|^import\s+'([^']+)';/gm;

const imports: Import[] = files.flatMap((from) =>
  [...readFileSync(from, 'utf8').matchAll(statement)].map(([text, type, named = '', bare = '']) => {
    const target = named || bare;
    const everyNameIsType = /\{([^}]*)\}/
      .exec(text)?.[1]
      ?.split(',')
      .every((name) => !name.trim() || name.trim().startsWith('type '));
    return {
      from,
      to: target.startsWith('.') ? normalize(join(dirname(from), target)) : target,
      typeOnly: type !== undefined || everyNameIsType === true,
    };
  }),
);

const offenders = (wrong: (one: Import) => boolean) =>
  imports.filter(wrong).map(({ from, to }) => `${from} imports ${to}`);

it('keeps domains away from rest and http', () => {
  expect(
    offenders(({ from, to }) => from.startsWith('src/domains/') && /^src\/(rest|http)\//.test(to)),
  ).toEqual([]);
});

it('keeps the lower floors away from the upper ones', () => {
  const lower = /^src\/(db|lib|ports|auth|errors\.ts)/;
  expect(
    offenders(
      ({ from, to, typeOnly }) =>
        lower.test(from) && !typeOnly && /^src\/(domains|rest|http|graphql)\//.test(to),
    ),
  ).toEqual([]);
});

it('lets the rows of REST know nothing but stored operations', () => {
  const allowed = new Set(['src/generated/operations.ts', 'src/rest/row.ts']);
  expect(
    offenders(
      ({ from, to }) =>
        from.startsWith('src/rest/routes/') &&
        !allowed.has(to) &&
        !(from.endsWith('/index.ts') && to.startsWith('src/rest/routes/')),
    ),
  ).toEqual([]);
});

it('lets only adapters import the SDK of a vendor', () => {
  const vendors = /^(stripe|nodemailer|ioredis|openid-client|pg-boss|twilio|rate-limiter-flexible)(\/|$)/;
  expect(offenders(({ from, to }) => vendors.test(to) && !from.startsWith('src/adapters/'))).toEqual([]);
});

it('lets only src/db know the drivers of the database', () => {
  const drivers = /^(pg|@electric-sql\/pglite|@prisma\/adapter-pg|pglite-prisma-adapter)(\/|$)/;
  expect(
    offenders(({ from, to, typeOnly }) => drivers.test(to) && !typeOnly && !from.startsWith('src/db/')),
  ).toEqual([]);
});

it('lets only use cases touch the database', () => {
  const thin = files.filter((file) =>
    /^src\/domains\/\w[\w-]*\/(types|inputs|queries|mutations|rules|checks|model|index)\.ts$/.test(file),
  );
  const touching = thin.filter((file) =>
    /\b(?:ctx|tx)\.(?:db\b|sql\(|prisma\b)/.test(readFileSync(file, 'utf8')),
  );
  expect(touching).toEqual([]);
  const outside = files.filter((file) => /^src\/(rest|http)\//.test(file));
  expect(outside.filter((file) => /\.(?:sql|prisma)\b[.(]/.test(readFileSync(file, 'utf8')))).toEqual([]);
});

it('reads the environment in one place', () => {
  const readers = files.filter((file) => /process\.env\b/.test(readFileSync(file, 'utf8')));
  // The two entries hand it to config.ts, whose word for it is `env`.
  expect(
    readers.filter((file) => !['src/main.ts', 'src/cli/duet.ts', 'src/config.ts'].includes(file)),
  ).toEqual([]);
});
