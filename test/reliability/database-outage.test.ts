/** Database outage: the gateway responds with 503 meanwhile, recovers without a restart, and stops cleanly during an outage. */
import { once } from 'node:events';
import { connect } from 'node:net';
import { expect, it } from 'vitest';
import { startGateway } from '../support/gateway-process.ts';
import { startPostgresServer } from '../support/postgres-server.ts';
import { startSmtpSink } from '../support/smtp-sink.ts';
import { readEventStream } from '../support/sse-client.ts';

it('survives an outage of its database, and stops cleanly during another', async () => {
  const database = await startPostgresServer();
  // Long enough that the database stops while a mail is being sent.
  const sink = await startSmtpSink({ delayMs: 1_000 });
  const gateway = await startGateway({ DATABASE_URL: database.url, SMTP_URL: sink.url });
  const send = async (method: string, path: string, body?: object, token = '') => {
    const headers = { 'content-type': 'application/json', authorization: token && `Bearer ${token}` };
    const response = await fetch(`${gateway.url}${path}`, {
      method,
      headers,
      ...(body ? { body: JSON.stringify(body) } : {}),
    });
    return { status: response.status, body: (await response.json()) as Record<string, unknown> };
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
  const graphqlResponse = await send('POST', '/graphql', { query: '{ me { id } }' }, token);
  expect(graphqlResponse.body).toMatchObject({ errors: [{ extensions: { code: 'UNAVAILABLE' } }] });
  expect((await send('GET', '/health/live')).status).toBe(200);
  expect(await send('GET', '/health/ready')).toMatchObject({
    status: 503,
    body: { database: 'unreachable' },
  });
  // The mail was sent, but the completion of its job could not be stored.
  await expect
    .poll(() => gateway.output().includes('job finished, but its completion could not be written: retrying'))
    .toBe(true);

  await database.start();
  await expect.poll(async () => (await send('GET', '/health/ready')).status).toBe(200);
  expect((await guest()).status).toBe(200);
  const mails = () =>
    database.query(
      `select state::text, retry_count as retries from pgboss.job where name = 'users.confirm-mail' order by created_on`,
    );
  await expect.poll(mails).toEqual([{ state: 'completed', retries: 0 }]);
  expect([...sink.countsByMessageId.values()]).toEqual([1]);
  // Notifications during the outage are lost, so subscribers to a whole business must reconnect and read again.
  await expect.poll(() => stream.state).toBe('reconnect');
  stream = await watch();
  expect(stream.status).toBe(200);
  await stream.close();

  expect((await register('b')).status).toBe(200);
  await expect.poll(() => sink.recipients.has('b@people.example')).toBe(true);
  // An idle connection does not delay the shutdown.
  const unused = connect(Number(new URL(gateway.url).port), '127.0.0.1').on('error', () => {});
  await once(unused, 'connect');
  await database.stop();
  const stoppedAt = performance.now();
  expect(await gateway.stop()).toBe(0);
  expect(performance.now() - stoppedAt).toBeLessThan(8_000);
  // All output is log lines: no stack trace of a crash.
  const lines = gateway
    .output()
    .split('\n')
    .filter((line) => line && !line.startsWith('  '));
  expect(lines.filter((line) => !line.startsWith('{"level":40,'))).toEqual([]);
  await sink.close();
});
