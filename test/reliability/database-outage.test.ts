/** A database that goes away and comes back: the gateway says so meanwhile, and goes on afterwards by itself. */
import { once } from 'node:events';
import { connect } from 'node:net';
import { expect, it } from 'vitest';
import { readEventStream } from '../support/sse-client.ts';
import { startPostgresServer } from '../support/postgres-server.ts';
import { startGateway } from '../support/gateway-process.ts';
import { startSmtpSink } from '../support/smtp-sink.ts';

it('survives the loss of its database, and ends well while it is away', async () => {
  const database = await startPostgresServer();
  // Long enough for the database to go while a mail is under way.
  const sink = await startSmtpSink({ delayMs: 1_000 });
  const gateway = await startGateway({ DATABASE_URL: database.url, SMTP_URL: sink.url });
  const send = async (method: string, path: string, body?: object, token = '') => {
    const headers = { 'content-type': 'application/json', authorization: token && `Bearer ${token}` };
    const answer = await fetch(`${gateway.url}${path}`, {
      method,
      headers,
      ...(body ? { body: JSON.stringify(body) } : {}),
    });
    return { status: answer.status, body: (await answer.json()) as Record<string, unknown> };
  };
  const register = (name: string) =>
    send('POST', '/v1/users/register', {
      provider: 'EMAIL',
      email: `${name}@people.example`,
      password: 'a long enough passphrase',
      name,
    });
  const guest = () => send('POST', '/v1/users/login', { provider: 'GUEST' });
  const token = String((await guest()).body.accessToken);
  const watch = async () =>
    readEventStream(
      await fetch(`${gateway.url}/graphql`, {
        method: 'POST',
        headers: {
          accept: 'text/event-stream',
          'content-type': 'application/json',
          authorization: `Bearer ${token}`,
        },
        body: JSON.stringify({
          query: `subscription { stockChanged(businessId: "01900000-0000-7000-8000-00000000000b") { variantId } }`,
        }),
      }),
    );
  let stream = await watch();

  expect((await register('a')).status).toBe(200);
  await expect.poll(() => sink.recipients.has('a@people.example')).toBe(true);
  await database.stop();
  expect(await guest()).toEqual({ status: 503, body: expect.objectContaining({ error: 'UNAVAILABLE' }) });
  const asked = await send('POST', '/graphql', { query: '{ me { id } }' }, token);
  expect(asked.body).toMatchObject({ errors: [{ extensions: { code: 'UNAVAILABLE' } }] });
  expect((await send('GET', '/health/live')).status).toBe(200);
  expect(await send('GET', '/health/ready')).toMatchObject({
    status: 503,
    body: { database: 'unreachable' },
  });
  // The mail was taken and the word of it could not be written down.
  await expect
    .poll(() => gateway.output().includes('job finished, but its completion could not be written: retrying'))
    .toBe(true);

  await database.start();
  await expect.poll(async () => (await send('GET', '/health/ready')).status).toBe(200);
  expect((await guest()).status).toBe(200);
  const mails = () =>
    database.query(
      `select state::text, retry_count as again from pgboss.job where name = 'mail' order by created_on`,
    );
  await expect.poll(mails).toEqual([{ state: 'completed', again: 0 }]);
  expect([...sink.countsByMessageId.values()]).toEqual([1]);
  // What was announced meanwhile is gone, so that who watches a whole business has to look again.
  await expect.poll(() => stream.state).toBe('reconnect');
  stream = await watch();
  expect(stream.status).toBe(200);
  await stream.close();

  expect((await register('b')).status).toBe(200);
  await expect.poll(() => sink.recipients.has('b@people.example')).toBe(true);
  // A connection that nobody uses keeps no gateway.
  const unused = connect(Number(new URL(gateway.url).port), '127.0.0.1').on('error', () => {});
  await once(unused, 'connect');
  await database.stop();
  const told = performance.now();
  expect(await gateway.stop()).toBe(0);
  expect(performance.now() - told).toBeLessThan(8_000);
  // Every line is one of the log: there is no stack of a process that died.
  const lines = gateway
    .output()
    .split('\n')
    .filter((line) => line && !line.startsWith('  '));
  expect(lines.filter((line) => !line.startsWith('{"level":40,'))).toEqual([]);
  await sink.close();
});
