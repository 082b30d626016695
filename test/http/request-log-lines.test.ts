/** Log lines of requests. */
import { pino } from 'pino';
import { expect, it } from 'vitest';
import { createApp } from '../../src/app.ts';
import { readConfig } from '../../src/config.ts';
import { testDb } from '../support/database.ts';

it('name method and route in one field each', async () => {
  const lines: Record<string, unknown>[] = [];
  const log = pino({}, { write: (line: string) => void lines.push(JSON.parse(line)) });
  const app = await createApp({ config: readConfig({}), db: await testDb(), log });
  const send = (method: string, path: string, body?: object) =>
    app.fetch(
      new Request(`http://duet.test${path}`, {
        method,
        headers: { 'content-type': 'application/json' },
        ...(body ? { body: JSON.stringify(body) } : {}),
      }),
    );
  await send('GET', '/v1/users/me');
  await send('HEAD', '/v1/users/me');
  await send('GET', '/v1/nowhere');
  await send('POST', '/graphql', { query: 'query Who { me { id } }' });
  const requests = lines.filter(({ msg }) => msg === 'request');
  expect(requests.map(({ method, route }) => [method, route])).toEqual([
    ['GET', '/v1/users/me'],
    ['HEAD', '/v1/users/me'],
    ['GET', '/v1/nowhere'],
    ['POST', 'graphql Who'],
  ]);
});
