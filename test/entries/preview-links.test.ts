/** Preview links end with the session of their creator, and are not logged. */
import { expect, it, vi } from 'vitest';
import { type Account, createAccount, signIn } from '../support/accounts.ts';
import { testApp } from '../support/app.ts';
import { createCollection, createEntry, editor, entries, shop, t, titleBlock } from './setup.ts';

const open = (token: string) => t.rest('GET', `/v1/businesses/${shop.businessId}/entry-previews/${token}`);
const link = async (id: string, as = editor) =>
  (await t.rest<{ token: string }>('POST', `${entries}/${id}/previews`, { as, body: {} })).body;
const createPreviewed = async () => {
  const blog = await createCollection({ status: 'PUBLISHED' });
  return (await createEntry({ collectionId: blog.id, blocks: [titleBlock('Hidden')] })).body;
};

it.each<[end: string, action: (author: Account, other: Account) => Promise<{ status: number }>]>([
  ['signing out', (author) => t.rest('POST', '/v1/users/logout', { as: author, body: {} })],
  ['signing out everywhere', (_author, other) => t.rest('DELETE', '/v1/users/me/sessions', { as: other })],
  [
    'a new password',
    (author, other) =>
      t.rest('POST', '/v1/users/reset-password', {
        as: other,
        body: { oldPassword: author.password, newPassword: 'brand new otter song' },
      }),
  ],
])('end with the session that created them: by %s', async (_end, action) => {
  const entry = await createPreviewed();
  const author = await createAccount(t);
  await t.addMember(shop, author, 'EDITOR');
  const other = await signIn(t, author.email);
  const { token } = await link(entry.id, author);
  expect((await open(token)).status).toBe(200);
  expect((await action(author, other)).status).toBe(200);
  expect((await open(token)).status).toBe(404);
});

it('end with the API key that created them', async () => {
  const entry = await createPreviewed();
  const author = await createAccount(t);
  await t.addMember(shop, author, 'EDITOR');
  const key = `key-${crypto.randomUUID()}`;
  const setKeys = (apiTokens: object[]) => t.rest('PUT', '/v1/users', { as: author, body: { apiTokens } });
  await setKeys([{ id: 'k', name: 'k', value: key }]);
  const { token } = await link(entry.id, { ...author, token: key });
  expect((await open(token)).status).toBe(200);
  expect((await setKeys([])).status).toBe(200);
  expect((await open(token)).status).toBe(404);
});

it('do not appear in the log of a request that exceeds its budget', async () => {
  const limited = await testApp({ REQUEST_BUDGET: '1' });
  const log = vi.spyOn(limited.app.services.log, 'info');
  const token = 'a'.repeat(200);
  const path = `/v1/businesses/${shop.businessId}/entry-previews/${token}`;
  const statuses = [(await limited.rest('GET', path)).status, (await limited.rest('GET', path)).status];
  expect(statuses).toContain(429);
  expect(log.mock.calls.length).toBeGreaterThan(1);
  expect(JSON.stringify(log.mock.calls)).not.toContain(token);
});

it('do not appear in the log, also when the request is rejected before a route is found', async () => {
  const log = vi.spyOn(t.app.services.log, 'info');
  const { token } = await link((await createPreviewed()).id);
  await open(token);
  await open(`${token}/more`);
  expect(log.mock.calls.length).toBeGreaterThan(2);
  expect(JSON.stringify(log.mock.calls)).not.toContain(token);
  log.mockRestore();
});
