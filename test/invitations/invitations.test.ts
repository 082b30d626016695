/** Invitations in both protocols: mail, acceptance, resending, revocation, and registration through the link. */
import { beforeAll, describe, expect, it } from 'vitest';
import { latestMailToken, registerAccount, signIn, uniqueEmail, validPassword } from '../support/accounts.ts';
import { createInvitationHelpers, type InvitationHelpers, invitationsPath } from './setup.ts';

let h: InvitationHelpers;

beforeAll(async () => {
  h = await createInvitationHelpers();
});

const invitationOf = (email: string, role: string, state: string) => ({
  id: expect.any(String),
  businessId: expect.any(String),
  email,
  role: { id: expect.any(String), name: role },
  inviterId: expect.any(String),
  state,
  expiresAt: expect.any(Number),
  createdAt: expect.any(Number),
  updatedAt: expect.any(Number),
});

describe('an invitation', () => {
  it('makes the account of the address a member, once', async () => {
    const shop = await h.t.shop();
    const email = uniqueEmail();
    const invited = await h.invite(shop, ` ${email.toUpperCase()}`);
    expect([invited.status, invited.body]).toEqual([200, invitationOf(email, 'EDITOR', 'PENDING')]);
    const token = await latestMailToken(h.t, email);
    const person = await h.t.person({ email });
    const accepted = await h.accept(person, token);
    expect([accepted.status, accepted.body]).toEqual([200, invitationOf(email, 'EDITOR', 'ACCEPTED')]);
    expect(await h.roleOf(shop, person)).toBe('EDITOR');
    const again = await h.accept(person, token);
    expect([again.status, again.body.details?.[0]]).toMatchObject([422, { error: 'INVALID_TOKEN' }]);
    expect(await h.list(shop)).toEqual([accepted.body]);
  });

  it('names shop, inviter and role in the mail, and none of them can become a link', async () => {
    const shop = await h.t.shop();
    await h.t.db.prisma.business.update({
      where: { id: shop.businessId },
      data: { name: 'Win at https://evil.example/now' },
    });
    await h.t.db.prisma.user.update({ where: { id: shop.admin.userId }, data: { name: 'Ann evil.example' } });
    const email = uniqueEmail();
    await h.invite(shop, email);
    const [mail] = await h.t.outbox(email);
    expect(mail?.text).toContain('Ann evil example invites you to work for Win at https evil example now');
    expect(mail?.text).toContain('the role EDITOR');
    expect(mail?.text?.match(/https?:\/\/\S+/g)).toHaveLength(1);
    const stored = await h.t.db.prisma.invitation.findFirst({ where: { email } });
    expect(mail?.text).not.toContain(stored?.tokenHash);
  });

  it('works over GraphQL: invite, list, resend, revoke, accept', async () => {
    const shop = await h.t.shop();
    const email = uniqueEmail();
    const b = shop.businessId;
    const as = { as: shop.admin };
    const invite = `mutation($b: ID!, $i: InviteMemberInput!) {
      inviteMember(businessId: $b, input: $i) { invitation { id state role { name permissions } } } }`;
    const invited = await h.t.graphql(invite, { b, i: { email, roleId: shop.roles.MANAGER } }, as);
    const { id } = (invited.data as never as { inviteMember: { invitation: { id: string } } }).inviteMember
      .invitation;
    const first = await latestMailToken(h.t, email);
    const resent = await h.t.graphql(
      'mutation($b: ID!, $id: ID!) { resendInvitation(businessId: $b, id: $id) { invitation { id state } } }',
      { b, id },
      as,
    );
    expect(resent.data).toEqual({ resendInvitation: { invitation: { id, state: 'PENDING' } } });
    const second = await latestMailToken(h.t, email);
    const person = await h.t.person({ email });
    const accept = 'mutation($token: String!) { acceptInvitation(token: $token) { invitation { state } } }';
    const stale = await h.t.graphql(accept, { token: first }, { as: person });
    expect(stale.errors[0]?.extensions.details[0]).toMatchObject({ field: 'token', error: 'INVALID_TOKEN' });
    const accepted = await h.t.graphql(accept, { token: second }, { as: person });
    expect(accepted.data).toEqual({ acceptInvitation: { invitation: { state: 'ACCEPTED' } } });
    const revoked = await h.t.graphql(
      'mutation($b: ID!, $id: ID!) { revokeInvitation(businessId: $b, id: $id) { deleted } }',
      { b, id },
      as,
    );
    expect(revoked.errors[0]?.extensions.details[0]).toMatchObject({ error: 'INVALID_TRANSITION' });
    const list = await h.t.graphql(
      'query($b: ID!) { invitations(businessId: $b, first: 5) { totalCount nodes { id state } } }',
      { b },
      as,
    );
    expect(list.data).toEqual({ invitations: { totalCount: 1, nodes: [{ id, state: 'ACCEPTED' }] } });
  });

  it('is sent again by a second invitation of the address, which replaces role and link', async () => {
    const shop = await h.t.shop();
    const email = uniqueEmail();
    const first = await h.invite(shop, email, 'MANAGER');
    const oldToken = await latestMailToken(h.t, email);
    const second = await h.invite(shop, email, 'EDITOR');
    expect(second.body.id).toBe(first.body.id);
    const token = await latestMailToken(h.t, email);
    const person = await h.t.person({ email });
    expect((await h.accept(person, oldToken)).body.details?.[0]?.error).toBe('INVALID_TOKEN');
    expect((await h.accept(person, token)).status).toBe(200);
    expect(await h.roleOf(shop, person)).toBe('EDITOR');
  });

  it('is created once per Idempotency-Key, with one mail', async () => {
    const shop = await h.t.shop();
    const email = uniqueEmail();
    const headers = { 'idempotency-key': uniqueEmail() };
    const first = await h.invite(shop, email, 'EDITOR', headers);
    const retry = await h.invite(shop, email, 'EDITOR', headers);
    expect(retry.body).toEqual(first.body);
    expect(await h.t.outbox(email)).toHaveLength(1);
  });

  it('leads a person without an account to registration, and then to acceptance', async () => {
    const shop = await h.t.shop();
    const email = uniqueEmail();
    const token = await h.inviteForToken(shop, email);
    const page = () => h.t.rest<string>('GET', `/account/invitation?token=${token}`);
    expect((await page()).body).toContain('Create an account');
    await registerAccount(h.t, email);
    const confirmation = await latestMailToken(h.t, email);
    const early = await h.t.rest('POST', '/v1/users/login', {
      body: { provider: 'EMAIL', email, password: validPassword },
    });
    expect(early.status).not.toBe(200);
    await h.t.rest('PUT', '/v1/users/confirm', { body: { token: confirmation } });
    expect((await page()).body).toContain('Accept the invitation');
    const account = await signIn(h.t, email);
    expect((await h.accept(account, token)).status).toBe(200);
    expect((await page()).status).toBe(404);
  });

  it('appears in the audit log when it is created, revoked and accepted, without the address', async () => {
    const shop = await h.t.shop();
    const email = uniqueEmail();
    const token = await h.inviteForToken(shop, email);
    const person = await h.t.person({ email });
    await h.accept(person, token);
    const other = await h.invite(shop, uniqueEmail());
    await h.t.rest('DELETE', `${invitationsPath(shop)}/${other.body.id}`, { as: shop.admin });
    const log = await h.t.rest<{ items: unknown[] }>(
      'GET',
      `/v1/businesses/${shop.businessId}/changes?kind=INVITATION`,
      { as: shop.admin },
    );
    expect(log.body.items).toMatchObject([
      { action: 'UPDATE', userId: shop.admin.userId, after: { state: 'REVOKED' } },
      { action: 'CREATE', userId: shop.admin.userId, after: { state: 'PENDING' } },
      { action: 'UPDATE', userId: person.userId, after: { state: 'ACCEPTED' } },
      { action: 'CREATE', userId: shop.admin.userId, after: { email: { omitted: 'PERSONAL' } } },
    ]);
    expect(JSON.stringify(log.body)).not.toContain(email);
    const trail = await h.t.graphql(
      'query($b: ID!) { roleChanges(businessId: $b) { nodes { userId actorId role } } }',
      { b: shop.businessId },
      { as: shop.admin },
    );
    expect(trail.data).toEqual({
      roleChanges: { nodes: [{ userId: person.userId, actorId: person.userId, role: 'EDITOR' }] },
    });
  });
});
