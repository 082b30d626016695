/** The job queue holds no links and codes: they are made when the message is sent, and finished messages lose their content. */
import { beforeAll, expect, it } from 'vitest';
import { createAccount, latestMailToken } from '../support/accounts.ts';
import { type TestApp, testApp } from '../support/app.ts';

let t: TestApp;
beforeAll(async () => {
  t = await testApp({ RATE_LIMIT: 'off' });
});

const queued = async () =>
  (
    await t.db.sql<{ name: string; data: string | null }>('select name, data::text as data from pgboss.job')
  ).map(({ name, data }) => `${name} ${data}`);
const phoneNumber = '+4915112345678';

it('has neither a confirmation link, a reset link nor a phone code', async () => {
  const person = await createAccount(t);
  await t.rest('POST', '/v1/users/register', {
    body: { email: 'queued@people.example', password: 'correct horse battery', name: 'Q' },
  });
  await t.rest('POST', '/v1/users/forgot-password', { body: { email: person.email } });
  await t.rest('POST', '/v1/users/phone-number', { as: person, body: { phoneNumber } });
  expect((await queued()).length).toBeGreaterThanOrEqual(3);
  expect((await queued()).join('\n')).not.toMatch(/token=|eyJ|\b\d{6}\b(?!-)|Your code/);
  await t.app.drainJobs();
  expect((await queued()).join('\n')).not.toMatch(/token=|eyJ|Your code|html|people\.example/);
  const token = await latestMailToken(t, 'queued@people.example');
  expect((await t.rest('PUT', '/v1/users/confirm', { body: { token } })).status).toBe(200);
  const [sms] = await t.outbox(phoneNumber);
  const code = /\b\d{6}\b/.exec(sms?.text ?? '')?.[0];
  const confirmed = await t.rest('POST', '/v1/users/phone-number/confirm', {
    as: person,
    body: { phoneNumber, code },
  });
  expect(confirmed.status).toBe(200);
});
