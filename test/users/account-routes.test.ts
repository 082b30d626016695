/** Own account over REST and GraphQL: profile, phone numbers and passwords. */
import { beforeAll, describe, expect, it } from 'vitest';
import { argon2Options, dummyPasswordHash } from '../../src/auth/argon2-cost-and-dummy-hash.ts';
import { hashPassword } from '../../src/auth/hash-and-verify-passwords.ts';
import { createAccount, latestMailToken, signIn, uniqueEmail, validPassword } from '../support/accounts.ts';
import { type TestApp, testApp } from '../support/app.ts';

let t: TestApp;
beforeAll(async () => {
  t = await testApp({ RATE_LIMIT: 'off', PUBLIC_URL: 'http://duet.test' });
});
const success = { success: true };

describe('me and update', () => {
  it('returns the complete user, the same over REST and GraphQL', async () => {
    const person = await createAccount(t);
    const shop = await t.shop();
    await t.addMember(shop, person, 'EDITOR');
    const key = 'k'.repeat(10) + crypto.randomUUID();
    const changes = {
      name: 'Ada\r\nLovelace',
      phoneNumbers: ['+49 (30) 123-456'],
      addresses: [
        { id: 'home', street: 'Main St 1', city: 'Springfield', state: 'IL', zip: '62701', country: 'US' },
      ],
      apiTokens: [{ id: 'ci', name: 'Build server', value: key, provider: 'API' }],
      businessUserConfigs: [{ businessId: shop.businessId, settings: { theme: 'dark', pinned: null } }],
      lifecycle: { onboardingCompleted: true, lastLoginAt: 1 },
    };
    const expected = {
      id: person.userId,
      name: 'Ada Lovelace',
      email: person.email,
      isConfirmed: true,
      phoneNumbers: ['+4930123456'],
      addresses: changes.addresses,
      roleIds: [shop.roles.EDITOR],
      roles: [{ id: shop.roles.EDITOR, name: 'EDITOR', permissions: ['CONTENT_WRITE', 'NEWSLETTER_SEND'] }],
      apiTokens: [{ id: 'ci', name: 'Build server', value: `****${key.slice(-4)}`, provider: 'API' }],
      businessUserConfigs: changes.businessUserConfigs,
      lifecycle: { lastLoginAt: expect.any(Number), onboardingCompleted: true },
      version: expect.any(Number),
    };
    const updated = await t.rest('PUT', '/v1/users/update', { as: person, body: changes });
    expect([updated.status, updated.body]).toEqual([200, expected]);
    const me = await t.rest('GET', '/v1/users/me', { as: person });
    expect(me.body).toEqual(updated.body);
    const viaKey = await t.rest('GET', '/v1/users/me', { headers: { 'x-api-key': key } });
    const used = { apiTokens: [{ ...expected.apiTokens[0], lastUsedAt: expect.any(Number) }] };
    expect(viaKey.body).toEqual({ ...expected, ...used });
    const viaBearer = await t.rest('GET', '/v1/users/me', { as: { ...person, token: key } });
    expect(viaBearer.body).toEqual(viaKey.body);
    const graphql = await t.graphql(
      `{ me { id name email isConfirmed phoneNumbers addresses { id: key street city state zip country } roleIds
         roles { id name permissions } apiTokens { id: key name value provider } businessUserConfigs { businessId settings }
         lifecycle { lastLoginAt onboardingCompleted } version } }`,
      {},
      { as: person },
    );
    expect(graphql.data).toEqual({ me: me.body });
  });

  it('updates only the fields of the input, also under the alias path, and honours If-Match', async () => {
    const person = await createAccount(t);
    const first = await t.rest('PUT', '/v1/users', { as: person, body: { name: 'One' } });
    const second = await t.rest('PUT', '/v1/users', { as: person, body: { phoneNumbers: ['+15551234567'] } });
    expect(second.body).toMatchObject({ name: 'One', phoneNumbers: ['+15551234567'] });
    const stale = await t.rest('PUT', '/v1/users/update', {
      as: person,
      body: { name: 'Two' },
      headers: { 'if-match': first.headers.get('etag') ?? '' },
    });
    expect(stale.status).toBe(412);
    const graphql = await t.graphql(
      'mutation($input: UpdateMeInput!) { updateMe(input: $input) { user { name phoneNumbers } } }',
      { input: { name: 'Three' } },
      { as: person },
    );
    expect(graphql.data).toEqual({ updateMe: { user: { name: 'Three', phoneNumbers: ['+15551234567'] } } });
  });

  it('returns the permissions of the viewer per business', async () => {
    const shop = await t.shop();
    const person = await t.addMember(shop, await t.person(), 'EDITOR');
    const answer = await t.graphql(
      `query($b: ID!) { yes: viewerCan(permission: CONTENT_WRITE, businessId: $b) no: viewerCan(permission: ADMIN, businessId: $b)
         me { memberships { business { id name } role { name permissions } since } } }`,
      { b: shop.businessId },
      { as: person },
    );
    expect(answer.data).toEqual({
      yes: true,
      no: false,
      me: {
        memberships: [
          {
            business: { id: shop.businessId, name: 'Shop' },
            role: { name: 'EDITOR', permissions: ['CONTENT_WRITE', 'NEWSLETTER_SEND'] },
            since: expect.any(Number),
          },
        ],
      },
    });
  });
});

describe('phone numbers', () => {
  it('are confirmed with the code sent to them', async () => {
    const person = await createAccount(t);
    const phoneNumber = '+4915112345678';
    const sent = await t.rest('POST', '/v1/users/phone-number', { as: person, body: { phoneNumber } });
    expect([sent.status, sent.body]).toEqual([200, success]);
    const code = /\b\d{6}\b/.exec((await t.outbox(phoneNumber)).at(-1)?.text ?? '')?.[0] ?? '';
    const done = await t.rest('POST', '/v1/users/phone-number/confirm', {
      as: person,
      body: { phoneNumber, code },
    });
    expect([done.status, done.body]).toEqual([200, success]);
    const answer = await t.graphql('{ me { phoneNumbers verifiedPhoneNumbers } }', {}, { as: person });
    expect(answer.data).toEqual({ me: { phoneNumbers: [phoneNumber], verifiedPhoneNumbers: [phoneNumber] } });
    const again = await t.rest('POST', '/v1/users/phone-number/confirm', {
      as: person,
      body: { phoneNumber, code },
    });
    expect([again.status, again.body]).toMatchObject([
      422,
      { details: [{ field: 'code', error: 'INVALID_CODE' }] },
    ]);
  });

  it('receive a code from an update with a number, and are confirmed under the path of older clients', async () => {
    const person = await createAccount(t);
    const phoneNumber = '+4915112349876';
    const sent = await t.rest<{ phoneNumbers: string[]; name: string }>('PUT', '/v1/users/update', {
      as: person,
      body: { name: 'Ada', phoneNumber },
    });
    expect([sent.status, sent.body.name, sent.body.phoneNumbers]).toEqual([200, 'Ada', []]);
    const code = /\b\d{6}\b/.exec((await t.outbox(phoneNumber)).at(-1)?.text ?? '')?.[0] ?? '';
    const done = await t.rest('PUT', '/v1/users/confirm/phone-number', {
      as: person,
      body: { phoneNumber, code },
    });
    expect([done.status, done.body]).toEqual([200, success]);
    const me = await t.rest<{ phoneNumbers: string[] }>('GET', '/v1/users/me', { as: person });
    expect(me.body.phoneNumbers).toEqual([phoneNumber]);
  });

  it('receive no code from a rejected update', async () => {
    const person = await createAccount(t);
    const phoneNumber = '+4915112341111';
    const stale = await t.rest('PUT', '/v1/users/update', {
      as: person,
      body: { phoneNumber },
      headers: { 'if-match': '"99-x"' },
    });
    expect(stale.status).toBe(412);
    const wrong = await t.rest('PUT', '/v1/users/update', { as: person, body: { phoneNumber: '12' } });
    expect([wrong.status, wrong.body]).toMatchObject([422, { details: [{ field: 'phoneNumber' }] }]);
    expect(await t.outbox(phoneNumber)).toEqual([]);
  });

  it('are confirmed over GraphQL', async () => {
    const person = await createAccount(t);
    const phoneNumber = '+4915187654321';
    await t.graphql(
      'mutation($p: String!) { sendPhoneCode(phoneNumber: $p) { success } }',
      { p: phoneNumber },
      { as: person },
    );
    const code = /\b\d{6}\b/.exec((await t.outbox(phoneNumber)).at(-1)?.text ?? '')?.[0] ?? '';
    const done = await t.graphql(
      'mutation($input: ConfirmPhoneNumberInput!) { confirmPhoneNumber(input: $input) { success } }',
      { input: { phoneNumber, code } },
      { as: person },
    );
    expect(done.data).toEqual({ confirmPhoneNumber: success });
  });
});

describe('passwords', () => {
  const forgot = (body: object) => t.rest('POST', '/v1/users/forgot-password', { body });

  it('are reset with a mailed link, which ends all sessions', async () => {
    const person = await createAccount(t);
    const answer = await forgot({ email: person.email, reserveDomain: 'http://shop.test' });
    expect([answer.status, answer.body]).toEqual([200, success]);
    const mail = (await t.outbox(person.email)).at(-1);
    expect(mail?.text).toMatch(/http:\/\/shop\.test\/reset-password\?token=\S+/);
    const reset = await t.rest('POST', '/v1/users/reset-forgot-password', {
      body: { token: await latestMailToken(t, person.email), password: 'another otter entirely' },
    });
    expect([reset.status, reset.body]).toEqual([200, success]);
    expect((await t.rest('GET', '/v1/users/me', { as: person })).status).toBe(401);
    await expect(signIn(t, person.email)).rejects.toThrow('PASSWORD_WRONG');
    await signIn(t, person.email, 'another otter entirely');
  });

  it('can be reset for an unknown address with the same response', async () => {
    await t.app.drainJobs();
    const answer = await forgot({ email: uniqueEmail() });
    expect([answer.status, answer.body]).toEqual([200, success]);
    expect(await t.app.drainJobs()).toBe(1);
  });

  it('are changed with the old password, which ends all other sessions', async () => {
    const person = await createAccount(t);
    const other = await signIn(t, person.email);
    const change = (oldPassword: string) =>
      t.rest('POST', '/v1/users/reset-password', {
        as: person,
        body: { oldPassword, newPassword: 'yet another otter' },
      });
    const wrong = await change('not my password');
    expect([wrong.status, wrong.body]).toMatchObject([
      422,
      { details: [{ field: 'oldPassword', error: 'PASSWORD_WRONG' }] },
    ]);
    const right = await change(validPassword);
    expect([right.status, right.body]).toEqual([200, success]);
    expect((await t.rest('GET', '/v1/users/me', { as: person })).status).toBe(200);
    expect((await t.rest('GET', '/v1/users/me', { as: other })).status).toBe(401);
    expect(
      (await t.rest('POST', '/v1/users/refresh', { body: { refreshToken: person.refreshToken } })).status,
    ).toBe(200);
    expect(
      (await t.rest('POST', '/v1/users/refresh', { body: { refreshToken: other.refreshToken } })).status,
    ).toBe(401);
    await signIn(t, person.email, 'yet another otter');
  });

  it('are reset and changed over GraphQL', async () => {
    const person = await createAccount(t);
    await t.graphql('mutation($i: ForgotPasswordInput!) { forgotPassword(input: $i) { success } }', {
      i: { email: person.email },
    });
    const reset = await t.graphql(
      'mutation($i: ResetForgottenPasswordInput!) { resetForgottenPassword(input: $i) { success } }',
      { i: { token: await latestMailToken(t, person.email), password: 'a graphql otter dives' } },
    );
    expect(reset.data).toEqual({ resetForgottenPassword: success });
    const again = await signIn(t, person.email, 'a graphql otter dives');
    const change = await t.graphql(
      'mutation($i: ChangePasswordInput!) { changePassword(input: $i) { success } }',
      { i: { oldPassword: 'a graphql otter dives', newPassword: 'a changed otter dives' } },
      { as: again },
    );
    expect(change.data).toEqual({ changePassword: success });
  });

  it('are hashed with argon2id above the minimum cost, also for accounts that do not exist', async () => {
    expect(await hashPassword('x')).toMatch(/^\$argon2id\$v=19\$m=\d+,t=\d+,p=1\$/);
    expect(argon2Options).toEqual({ memoryCost: 32_768, timeCost: 3, parallelism: 1 });
    expect(dummyPasswordHash).toMatch(/^\$argon2id\$v=19\$m=32768,t=3,p=1\$/);
  });
});
