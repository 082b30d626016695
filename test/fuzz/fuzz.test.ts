/** Bounded fuzzing with a fixed seed and with the seed of the day. `npm run fuzz` sends any number of requests. */
import { beforeAll, expect, inject, it, vi } from 'vitest';
import { dailySeed } from '../support/daily-seed.ts';
import { onPostgres } from '../support/database.ts';
import { createScratchApp } from '../support/scratch-app.ts';
import { coverageOf, formatCoverage } from './coverage.ts';
import { createFixtures } from './fixtures.ts';
import { fuzz } from './fuzz.ts';
import { openSessions, renewEndedSession } from './sessions.ts';

const requests = 300;

beforeAll(() => {
  if (onPostgres) vi.stubEnv('SCRATCH_TEMPLATE', inject('postgresTemplate'));
  return () => vi.unstubAllEnvs();
});

it.each([1, dailySeed])('seed %d finds no violation', async (seed) => {
  const tally = new Map<string, number>();
  const findings = await fuzz({ seed, requests, seconds: 2, tally });
  const command = `npm run fuzz -- --seed ${seed} --requests ${requests}`;
  expect(
    findings.map(({ request, violation: fault }) => `request ${request}: ${fault.message}\n${command}`),
  ).toEqual([]);
  const answered = coverageOf(tally).filter(({ share }) => share > 0);
  // Other seeds may get fewer successful responses.
  if (seed === 1) expect(answered.length).toBeGreaterThan(20);
});

it('signs viewers in again whose sessions a request has ended', async () => {
  const { t, close } = await createScratchApp();
  try {
    const fixtures = await createFixtures(t);
    await openSessions(fixtures);
    const { viewers } = fixtures.world;
    const status = async (as = viewers.customer) => (await t.rest('GET', '/v1/users/me', { as })).status;
    const before = viewers.customer;
    expect([await status(), await renewEndedSession(fixtures, 'customer')]).toEqual([200, false]);
    await t.rest('DELETE', '/v1/users/me/sessions', { as: before });
    expect(await status()).toBe(401);
    expect(await renewEndedSession(fixtures, 'customer')).toBe(true);
    expect([await status(before), await status()]).toEqual([401, 200]);
    await t.db.prisma.apiToken.deleteMany({ where: { userId: viewers.admin?.userId ?? '' } });
    expect(await renewEndedSession(fixtures, 'API key')).toBe(true);
    expect(await renewEndedSession(fixtures, 'nobody')).toBe(false);
  } finally {
    await close();
  }
});

it('reports the share of responses with data per operation', () => {
  const tally = new Map([
    ['GetMe 200', 3],
    ['GetMe 401', 1],
    ['me fine', 1],
    ['Refresh 422', 2],
    ['broken BAD_REQUEST', 9],
    ['raw 404', 9],
  ]);
  expect(coverageOf(tally)).toEqual([
    { operation: 'Refresh', responses: 2, share: 0 },
    { operation: 'GetMe', responses: 4, share: 0.75 },
    { operation: 'me', responses: 1, share: 1 },
  ]);
  expect(formatCoverage(coverageOf(tally))).toBe(
    'with data: 57 % of 7 responses, 2 of 3 operations\nnever with data: Refresh (2)',
  );
});
