/** Limits of invitations: tenants, tokens, addresses, the last ADMIN, races, rate limits, erasure and retention. */
import { beforeAll, describe, expect, it } from 'vitest';
import { newId } from '../../src/lib/ids.ts';
import { now } from '../../src/lib/time.ts';
import { retentionJob } from '../../src/maintenance/retention-job.ts';
import { createAccount, latestMailToken, uniqueEmail } from '../support/accounts.ts';
import { createInvitationHelpers, type InvitationHelpers, invitationsPath } from './setup.ts';

let h: InvitationHelpers;

beforeAll(async () => {
  h = await createInvitationHelpers();
});

const codesOf = ({ status, body }: { status: number; body: { details?: { error: string }[] } }) => [
  status,
  body.details?.map(({ error }) => error),
];

describe('tenants', () => {
  it('reject roles of another business, and all invalid fields at once', async () => {
    const [shop, other] = [await h.t.shop(), await h.t.shop()];
    const post = (body: object) => h.t.rest<never>('POST', invitationsPath(shop), { as: shop.admin, body });
    expect(codesOf(await post({ email: uniqueEmail(), roleId: other.roles.EDITOR }))).toEqual([
      422,
      ['ROLE_NOT_FOUND'],
    ]);
    expect(codesOf(await post({ email: uniqueEmail(), roleId: 'no-uuid' }))).toEqual([
      422,
      ['ROLE_NOT_FOUND'],
    ]);
    expect(codesOf(await post({ email: 'nobody', roleId: '' }))).toEqual([
      422,
      ['INVALID_EMAIL', expect.any(String)],
    ]);
  });

  it('hide invitations from other businesses and from members without ADMIN', async () => {
    const [shop, other] = [await h.t.shop(), await h.t.shop()];
    const manager = await h.t.addMember(shop, await h.t.person(), 'MANAGER');
    const { body } = await h.invite(shop, uniqueEmail());
    const path = invitationsPath(shop);
    const roleId = shop.roles.EDITOR;
    const status = async (method: string, url: string, as = other.admin, input?: object) =>
      (await h.t.rest(method, url, { as, ...(input ? { body: input } : {}) })).status;
    expect(await status('GET', path)).toBe(403);
    expect(await status('POST', path, other.admin, { email: uniqueEmail(), roleId })).toBe(403);
    expect(await status('DELETE', `${path}/${body.id}`)).toBe(404);
    expect(await status('POST', `${path}/${body.id}/resend`)).toBe(404);
    expect(await status('DELETE', `${invitationsPath(other)}/${body.id}`)).toBe(404);
    expect(await status('DELETE', `${path}/no-uuid`, shop.admin)).toBe(404);
    for (const as of [manager, await h.t.withApiKey(shop.admin, ['ORDERS_READ'])]) {
      expect(await status('GET', path, as)).toBe(403);
      expect(await status('POST', path, as, { email: uniqueEmail(), roleId })).toBe(403);
    }
    const key = await h.t.withApiKey(shop.admin, ['ADMIN']);
    expect(await status('POST', path, key, { email: uniqueEmail(), roleId })).toBe(200);
    expect(await status('POST', '/v1/invitations/accept', key, { token: 'x' })).toBe(403);
    expect((await h.list(shop)).map(({ state }) => state)).toEqual(['PENDING', 'PENDING']);
  });
});

describe('a token', () => {
  it('works for the account of the invited address only', async () => {
    const shop = await h.t.shop();
    const email = uniqueEmail();
    const token = await h.inviteForToken(shop, email);
    expect(codesOf(await h.accept(await h.t.person(), token))).toEqual([422, ['EMAIL_MISMATCH']]);
    expect((await h.accept(await h.t.guest(), token)).status).toBe(403);
    expect((await h.t.rest('POST', '/v1/invitations/accept', { body: { token } })).status).toBe(401);
    expect((await h.accept(await h.t.person({ email }), token)).status).toBe(200);
  });

  it('stops working when the invitation is revoked or has expired, or when its inviter is no ADMIN any more', async () => {
    const shop = await h.t.shop();
    const email = uniqueEmail();
    const person = await h.t.person({ email });
    const revoked = await h.inviteForToken(shop, email);
    const [invitation] = await h.list(shop);
    const path = `${invitationsPath(shop)}/${invitation?.id}`;
    expect((await h.t.rest('DELETE', path, { as: shop.admin })).body).toEqual({
      id: invitation?.id,
      deleted: true,
    });
    expect(codesOf(await h.accept(person, revoked))).toEqual([422, ['INVALID_TOKEN']]);
    expect(codesOf(await h.t.rest<never>('POST', `${path}/resend`, { as: shop.admin }))).toEqual([
      422,
      ['INVALID_TRANSITION'],
    ]);

    const expired = await h.inviteForToken(shop, email);
    await h.t.db.prisma.invitation.updateMany({ where: { email }, data: { expiresAt: now() } });
    expect(codesOf(await h.accept(person, expired))).toEqual([422, ['INVALID_TOKEN']]);
    const [newest] = await h.list(shop);
    expect(newest?.state).toBe('EXPIRED');
    const resent = await h.t.rest('POST', `${invitationsPath(shop)}/${newest?.id}/resend`, {
      as: shop.admin,
    });
    expect(resent.body).toMatchObject({ id: newest?.id, state: 'PENDING' });

    const second = await h.t.addMember(shop, await h.t.person(), 'ADMIN');
    await h.t.rest('DELETE', `/v1/businesses/${shop.businessId}/members/${shop.admin.userId}`, {
      as: second,
    });
    const orphaned = await latestMailToken(h.t, email);
    expect(codesOf(await h.accept(person, orphaned))).toEqual([422, ['INVALID_TOKEN']]);
    expect(await h.roleOf(shop, person)).toBeUndefined();
  });

  it('is accepted by one of two concurrent requests', async () => {
    const shop = await h.t.shop();
    const email = uniqueEmail();
    const token = await h.inviteForToken(shop, email);
    const person = await h.t.person({ email });
    const responses = await Promise.all([h.accept(person, token), h.accept(person, token)]);
    expect(responses.map(({ status }) => status).sort()).toEqual([200, 422]);
    const { businessId } = shop;
    expect(await h.t.db.prisma.membership.count({ where: { businessId, userId: person.userId } })).toBe(1);
    expect(await h.t.db.prisma.securityEvent.count({ where: { businessId, type: 'ROLE_CHANGED' } })).toBe(1);
  });
});

it('creates one invitation for concurrent requests with the same address', async () => {
  const shop = await h.t.shop();
  const email = uniqueEmail();
  const responses = await Promise.all([1, 2, 3].map(() => h.invite(shop, email)));
  expect(responses.map(({ status }) => status)).toEqual([200, 200, 200]);
  expect(await h.list(shop)).toHaveLength(1);
});

it('does not demote the last ADMIN, who can accept when another ADMIN exists', async () => {
  const shop = await h.t.shop();
  const admin = await createAccount(h.t);
  await h.t.addMember(shop, admin, 'ADMIN');
  await h.t.db.prisma.membership.deleteMany({ where: { userId: shop.admin.userId } });
  const sole = { ...shop, admin };
  const token = await h.inviteForToken(sole, admin.email, 'EDITOR');
  expect(codesOf(await h.accept(admin, token))).toEqual([422, ['LAST_ADMIN']]);
  expect([await h.roleOf(shop, admin), (await h.list(sole))[0]?.state]).toEqual(['ADMIN', 'PENDING']);
  await h.t.addMember(shop, await h.t.person(), 'ADMIN');
  expect((await h.accept(admin, token)).status).toBe(200);
  expect(await h.roleOf(shop, admin)).toBe('EDITOR');
});

it('responds the same for addresses with and without an account', async () => {
  const shop = await h.t.shop();
  const known = await createAccount(h.t);
  const shape = async (email: string) => {
    const { status, headers, body } = await h.invite(shop, email);
    return [status, Object.keys(body), [...headers.keys()].sort(), { ...body, id: '', email: '' }];
  };
  const [first, second] = [await shape(known.email), await shape(uniqueEmail())];
  const times = { createdAt: 0, updatedAt: 0, expiresAt: 0 };
  expect({ ...(first?.[3] as object), ...times }).toEqual({ ...(second?.[3] as object), ...times });
  expect(first?.slice(0, 3)).toEqual(second?.slice(0, 3));
});

it('limits the mails to one address', async () => {
  const shop = await h.t.shop();
  const email = uniqueEmail();
  const statuses = [];
  for (let count = 0; count < 11; count++) statuses.push((await h.invite(shop, email)).status);
  expect(statuses).toEqual([...Array.from({ length: 10 }, () => 200), 429]);
});

it('is deleted with the account of its address, and with its role', async () => {
  const shop = await h.t.shop();
  const account = await createAccount(h.t);
  await h.invite(shop, account.email);
  const exported = await h.t.rest<{ invitations: unknown[] }>('GET', '/v1/users/me/export', { as: account });
  expect(exported.body.invitations).toMatchObject([{ email: account.email, state: 'PENDING' }]);
  await h.invite(shop, uniqueEmail(), 'MANAGER');
  await h.t.rest('POST', '/v1/users/me/delete', { as: account, body: { password: account.password } });
  expect(await h.list(shop)).toHaveLength(1);
  const path = `/v1/businesses/${shop.businessId}/roles/${shop.roles.MANAGER}`;
  expect((await h.t.rest('DELETE', path, { as: shop.admin })).status).toBe(200);
  expect(await h.list(shop)).toEqual([]);
});

it('is deleted 30 days after it would have expired', async () => {
  const shop = await h.t.shop();
  const day = 86_400;
  const row = (days: number, state: 'PENDING' | 'REVOKED') => ({
    id: newId(),
    businessId: shop.businessId,
    email: uniqueEmail(),
    roleId: shop.roles.EDITOR ?? '',
    inviterId: shop.admin.userId,
    state,
    expiresAt: now() - days * day,
    createdAt: now(),
    updatedAt: now(),
  });
  const stays = row(29, 'REVOKED');
  await h.t.db.prisma.invitation.createMany({ data: [row(31, 'PENDING'), row(31, 'REVOKED'), stays] });
  await retentionJob.run(h.t.app.services, {});
  expect((await h.list(shop)).map(({ id }) => id)).toEqual([stays.id]);
});
