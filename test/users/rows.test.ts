/** The fifteen rows of the Users table, and their aliases, in both voices. */
import { decodeJwt, decodeProtectedHeader } from 'jose';
import { beforeAll, describe, expect, it } from 'vitest';
import { hashPassword } from '../../src/auth/passwords.ts';
import { newId } from '../../src/lib/ids.ts';
import { seedDemo } from '../../src/seed/demo.ts';
import {
  type AuthBody,
  account,
  confirmed,
  freshEmail,
  goodPassword,
  mailedToken,
  registered,
  signIn,
} from '../support/accounts.ts';
import { type Person, type Shop, type TestApp, testApp } from '../support/app.ts';

let t: TestApp;
beforeAll(async () => {
  t = await testApp({ RATE_LIMIT: 'off', PUBLIC_URL: 'http://duet.test' });
});

const jwt = expect.stringMatching(/^[\w-]+\.[\w-]+\.[\w-]+$/);
const seconds = () => Math.floor(Date.now() / 1000);
const success = { success: true };

describe('register and confirm', () => {
  it('takes the documented body, mails one link, and the account works after it was used', async () => {
    const email = freshEmail();
    const body = {
      provider: 'EMAIL_REGISTER',
      email,
      password: goodPassword,
      reserveDomain: 'http://shop.test',
      firstName: 'Ada',
      lastName: 'Lovelace',
    };
    const answer = await t.rest('POST', '/v1/users/register', { body });
    expect([answer.status, answer.body]).toEqual([200, success]);
    const mails = await t.outbox(email);
    expect(mails).toHaveLength(1);
    expect(mails[0]?.subject).toBe('Confirm your email address');
    expect(mails[0]?.text).toMatch(/http:\/\/shop\.test\/confirm\?token=\S+/);
    expect(mails[0]?.html).toContain('href="http://shop.test/confirm?token=');

    const early = await t.rest('POST', '/v1/users/login', {
      body: { provider: 'EMAIL', email, password: goodPassword },
    });
    expect([early.status, early.body]).toMatchObject([
      422,
      { error: 'VALIDATION_FAILED', details: [{ field: 'email', error: 'NOT_CONFIRMED' }] },
    ]);
    const confirm = await t.rest('PUT', '/v1/users/confirm', {
      body: { token: await mailedToken(t, email) },
    });
    expect([confirm.status, confirm.body]).toEqual([200, success]);
    const me = await t.rest('GET', '/v1/users/me', { as: await signIn(t, email) });
    expect(me.body).toMatchObject({ name: 'Ada Lovelace', email, isConfirmed: true });
  });

  it('works without provider and reserveDomain, with links to the pages of the gateway', async () => {
    const email = await registered(t);
    expect((await t.outbox(email))[0]?.text).toMatch(/http:\/\/duet\.test\/account\/confirm\?token=\S+/);
  });

  it('does the same in GraphQL', async () => {
    const email = freshEmail();
    const answer = await t.graphql(
      'mutation($input: RegisterInput!) { register(input: $input) { success } }',
      {
        input: { email, password: goodPassword, name: 'Grace' },
      },
    );
    expect(answer.data).toEqual({ register: success });
    const confirm = await t.graphql('mutation($token: String!) { confirmEmail(token: $token) { success } }', {
      token: await mailedToken(t, email),
    });
    expect(confirm.data).toEqual({ confirmEmail: success });
    const login = await t.graphql(
      'mutation($input: LoginInput!) { login(input: $input) { auth { userId provider isGuest } } }',
      { input: { provider: 'EMAIL', email, password: goodPassword } },
    );
    expect(login.data).toEqual({
      login: { auth: { userId: expect.any(String), provider: 'EMAIL', isGuest: false } },
    });
  });

  it('answers a retry with the same key as the first time, and mails once', async () => {
    const email = freshEmail();
    const call = { body: { email, password: goodPassword }, headers: { 'idempotency-key': email } };
    const answers = [
      await t.rest('POST', '/v1/users/register', call),
      await t.rest('POST', '/v1/users/register', call),
    ];
    expect(answers.map(({ status, body }) => [status, body])).toEqual([
      [200, success],
      [200, success],
    ]);
    expect(await t.outbox(email)).toHaveLength(1);
  });
});

describe('login, refresh, logout', () => {
  it('answers the whole auth result, with exactly the documented claims', async () => {
    const email = await confirmed(t);
    const { status, body } = await t.rest<AuthBody>('POST', '/v1/users/login', {
      body: { provider: 'EMAIL', email: email.toUpperCase(), password: goodPassword },
    });
    expect(status).toBe(200);
    expect(body).toEqual({
      userId: expect.stringMatching(/^[0-9a-f-]{36}$/),
      provider: 'EMAIL',
      accessToken: jwt,
      refreshToken: jwt,
      tokenType: 'Bearer',
      expiresAt: expect.any(Number),
      scope: 'user',
      isGuest: false,
    });
    expect(Math.abs(body.expiresAt - seconds() - 3600)).toBeLessThan(5);
    const { userId } = body;
    expect(decodeJwt(body.accessToken)).toEqual({
      sub: userId,
      email,
      provider: 'EMAIL',
      exp: body.expiresAt,
      iat: expect.any(Number),
      jti: expect.any(String),
    });
    const refresh = JSON.parse(Buffer.from(body.refreshToken.split('.')[1] ?? '', 'base64url').toString());
    expect(refresh).toEqual({
      sub: userId,
      email,
      provider: 'EMAIL',
      exp: null,
      iat: expect.any(Number),
      jti: expect.any(String),
    });
    expect(decodeProtectedHeader(body.accessToken).kid).toBe(t.app.services.keys.kid);
  });

  it('signs the demo people in', async () => {
    await seedDemo(t.db);
    for (const email of ['admin@demo.example', 'customer@demo.example']) {
      expect(await signIn(t, email, 'duet-demo-password')).toMatchObject({ email });
    }
  });

  it('refreshes with the same refresh token, under both paths and in GraphQL', async () => {
    const person = await account(t);
    for (const path of ['/v1/users/refresh', '/v1/users/refresh-access-token']) {
      const { status, body } = await t.rest('POST', path, {
        body: { provider: 'EMAIL', refreshToken: person.refreshToken },
      });
      expect([status, body]).toEqual([
        200,
        {
          userId: person.userId,
          provider: 'EMAIL',
          accessToken: jwt,
          refreshToken: person.refreshToken,
          tokenType: 'Bearer',
          expiresAt: expect.any(Number),
          scope: 'user',
          isGuest: false,
        },
      ]);
    }
    const graphql = await t.graphql(
      'mutation($input: RefreshInput!) { refresh(input: $input) { auth { userId refreshToken } } }',
      { input: { refreshToken: person.refreshToken } },
    );
    expect(graphql.data).toEqual({
      refresh: { auth: { userId: person.userId, refreshToken: person.refreshToken } },
    });
  });

  it('signs out with an empty body, and neither token opens the account any more', async () => {
    const person = await account(t);
    const other = await signIn(t, person.email);
    const out = await t.rest('POST', '/v1/users/logout', { as: person, body: {} });
    expect([out.status, out.body]).toEqual([200, success]);
    const refresh = await t.rest('POST', '/v1/users/refresh', {
      body: { refreshToken: person.refreshToken },
    });
    expect([refresh.status, refresh.body]).toMatchObject([401, { error: 'UNAUTHENTICATED', details: [] }]);
    expect((await t.rest('GET', '/v1/users/me', { as: person })).status).toBe(401);
    expect((await t.rest('GET', '/v1/users/me', { as: other })).status).toBe(200);
    expect((await t.rest('POST', '/v1/users/logout', { as: person, body: {} })).status).toBe(200);
  });

  it('signs out the session of a token in the body, and nobody without any', async () => {
    const person = await account(t);
    const out = await t.rest('POST', '/v1/users/logout', {
      body: { provider: 'EMAIL', token: person.refreshToken, originUrl: 'http://shop.test' },
    });
    expect([out.status, out.body]).toEqual([200, success]);
    expect((await t.rest('GET', '/v1/users/me', { as: person })).status).toBe(401);
    expect((await t.rest('POST', '/v1/users/logout', { body: {} })).status).toBe(401);
    const graphql = await t.graphql(
      'mutation { logout(input: {}) { success } }',
      {},
      { as: await account(t) },
    );
    expect(graphql.data).toEqual({ logout: success });
  });
});

describe('guests', () => {
  it('get a token of their own with or without a phone number', async () => {
    for (const body of [{ provider: 'GUEST', phoneNumber: '+49 30 123456' }, { provider: 'GUEST' }]) {
      const answer = await t.rest<AuthBody>('POST', '/v1/users/login', { body });
      expect(answer.body).toEqual({
        userId: expect.any(String),
        provider: 'GUEST',
        accessToken: jwt,
        refreshToken: jwt,
        tokenType: 'Bearer',
        expiresAt: expect.any(Number),
        scope: 'guest',
        isGuest: true,
      });
      const claims = decodeJwt(answer.body.refreshToken);
      expect(claims).not.toHaveProperty('email');
      expect(Math.abs((claims.exp ?? 0) - seconds() - 30 * 24 * 3600)).toBeLessThan(5);
      const me = await t.rest('GET', '/v1/users/me', {
        as: { userId: answer.body.userId, token: answer.body.accessToken },
      });
      expect(me.body).toEqual({
        id: answer.body.userId,
        name: '',
        isConfirmed: false,
        phoneNumbers: body.phoneNumber ? ['+4930123456'] : [],
        addresses: [],
        roleIds: [],
        roles: [],
        apiTokens: [],
        businessUserConfigs: [],
        lifecycle: { lastLoginAt: expect.any(Number), onboardingCompleted: false },
        version: 1,
      });
    }
  });
});

describe('me and update', () => {
  it('shows the whole user, the same in both voices', async () => {
    const person = await account(t);
    const shop = await t.shop();
    await t.hire(shop, person, 'EDITOR');
    const key = 'k'.repeat(10) + crypto.randomUUID();
    const changes = {
      name: 'Ada\r\nLovelace',
      phoneNumbers: ['+49 (30) 123-456'],
      addresses: [{ street: 'Main St 1', city: 'Springfield', state: 'IL', zip: '62701', country: 'US' }],
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
    expect(viaKey.body).toEqual(updated.body);
    const viaBearer = await t.rest('GET', '/v1/users/me', { as: { ...person, token: key } });
    expect(viaBearer.body).toEqual(updated.body);
    const graphql = await t.graphql(
      `{ me { id name email isConfirmed phoneNumbers addresses { street city state zip country } roleIds
         roles { id name permissions } apiTokens { id name value provider } businessUserConfigs { businessId settings }
         lifecycle { lastLoginAt onboardingCompleted } version } }`,
      {},
      { as: person },
    );
    expect(graphql.data).toEqual({ me: me.body });
  });

  it('changes only what is sent, also under the other path, and guards with If-Match', async () => {
    const person = await account(t);
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

  it('tells what the viewer may do, per business', async () => {
    const shop = await t.shop();
    const person = await t.hire(shop, await t.person(), 'EDITOR');
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
  it('are confirmed with the code that was sent there', async () => {
    const person = await account(t);
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

  it('are confirmed in GraphQL too', async () => {
    const person = await account(t);
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

  it('are chosen anew with a link, which ends every session', async () => {
    const person = await account(t);
    const answer = await forgot({ email: person.email, reserveDomain: 'http://shop.test' });
    expect([answer.status, answer.body]).toEqual([200, success]);
    const mail = (await t.outbox(person.email)).at(-1);
    expect(mail?.text).toMatch(/http:\/\/shop\.test\/reset-password\?token=\S+/);
    const reset = await t.rest('POST', '/v1/users/reset-forgot-password', {
      body: { token: await mailedToken(t, person.email), password: 'another otter entirely' },
    });
    expect([reset.status, reset.body]).toEqual([200, success]);
    expect((await t.rest('GET', '/v1/users/me', { as: person })).status).toBe(401);
    await expect(signIn(t, person.email)).rejects.toThrow('PASSWORD_WRONG');
    await signIn(t, person.email, 'another otter entirely');
  });

  it('are forgotten without telling who has an account', async () => {
    const answer = await forgot({ email: freshEmail() });
    expect([answer.status, answer.body]).toEqual([200, success]);
    expect(await t.app.drainJobs()).toBe(1);
  });

  it('are changed with the old one, which keeps this session and ends the others', async () => {
    const person = await account(t);
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
    const right = await change(goodPassword);
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

  it('are forgotten, reset and changed in GraphQL', async () => {
    const person = await account(t);
    await t.graphql('mutation($i: ForgotPasswordInput!) { forgotPassword(input: $i) { success } }', {
      i: { email: person.email },
    });
    const reset = await t.graphql(
      'mutation($i: ResetForgottenPasswordInput!) { resetForgottenPassword(input: $i) { success } }',
      { i: { token: await mailedToken(t, person.email), password: 'a graphql otter dives' } },
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

  it('are hashed with argon2id at the committed cost', async () => {
    expect(await hashPassword('x')).toMatch(/^\$argon2id\$v=19\$m=32768,t=3,p=1\$/);
  });
});

describe('search and set-role', () => {
  it('finds people of the business in three spellings of roleIds, and sets their role', async () => {
    const shop = await t.shop();
    const editor = await t.hire(shop, await t.person({ name: 'Edith 100% Editor' }), 'EDITOR');
    const manager = await t.hire(shop, await t.person({ name: 'Max Manager' }), 'MANAGER');
    await t.hire(await t.shop(), await t.person({ name: 'Edith Elsewhere' }), 'EDITOR');
    const search = async (query: string) => {
      const answer = await t.rest<{ items: { id: string }[]; cursor: string | null }>(
        'GET',
        `/v1/users/search?businessId=${shop.businessId}&${query}`,
        { as: shop.admin },
      );
      expect(answer.status).toBe(200);
      return answer.body;
    };
    const ids = async (query: string) => (await search(query)).items.map(({ id }) => id);
    expect(await ids('')).toEqual([manager.userId, editor.userId, shop.admin.userId]);
    expect(await ids('query=edith')).toEqual([editor.userId]);
    expect(await ids('query=100%25')).toEqual([editor.userId]);
    expect(await ids('query=_')).toEqual([]);
    const both = [shop.roles.EDITOR, shop.roles.MANAGER];
    for (const spelling of [
      `roleIds=${both.join(',')}`,
      `roleIds=${both[0]}&roleIds=${both[1]}`,
      `roleIds=${encodeURIComponent(JSON.stringify(both))}`,
    ]) {
      expect(await ids(spelling)).toEqual([manager.userId, editor.userId]);
    }
    const first = await search('limit=2');
    expect(first.items).toHaveLength(2);
    expect(await ids(`limit=2&cursor=${first.cursor}`)).toEqual([shop.admin.userId]);
    expect((await search('limit=2&query=max')).items[0]).toEqual({
      id: manager.userId,
      name: 'Max Manager',
      email: expect.any(String),
      isConfirmed: true,
      phoneNumbers: [],
      addresses: [],
      roleIds: [shop.roles.MANAGER],
      roles: [{ id: shop.roles.MANAGER, name: 'MANAGER', permissions: expect.any(Array) }],
      apiTokens: [],
      businessUserConfigs: [],
      lifecycle: { onboardingCompleted: false },
      version: 1,
    });

    const set = await t.rest('PUT', '/v1/users/set-role', {
      as: shop.admin,
      body: { userId: editor.userId, roleId: shop.roles.MANAGER, businessId: shop.businessId },
    });
    expect([set.status, set.body]).toEqual([200, success]);
    const again = await t.rest('PUT', '/v1/users/set-role', {
      as: shop.admin,
      body: { userId: editor.userId, roleId: shop.roles.ADMIN },
    });
    expect([again.status, again.body]).toEqual([200, success]);
    expect(await ids(`roleIds=${shop.roles.ADMIN}`)).toEqual([editor.userId, shop.admin.userId]);
    const graphql = await t.graphql(
      'mutation($i: SetRoleInput!) { setRole(input: $i) { user { id roles { name } } } }',
      { i: { userId: editor.userId, roleId: shop.roles.EDITOR } },
      { as: shop.admin },
    );
    expect(graphql.data).toEqual({ setRole: { user: { id: editor.userId, roles: [{ name: 'EDITOR' }] } } });
    const trail = await t.graphql(
      `query($b: ID!) { roleChanges(businessId: $b) { totalCount nodes { type userId actorId role previousRole address } } }`,
      { b: shop.businessId },
      { as: shop.admin },
    );
    const change = {
      type: 'ROLE_CHANGED',
      userId: editor.userId,
      actorId: shop.admin.userId,
      address: '127.0.0.1',
    };
    expect(trail.data).toEqual({
      roleChanges: {
        totalCount: 3,
        nodes: [
          { ...change, role: 'EDITOR', previousRole: 'ADMIN' },
          { ...change, role: 'ADMIN', previousRole: 'MANAGER' },
          { ...change, role: 'MANAGER', previousRole: 'EDITOR' },
        ],
      },
    });
  });

  it('finds customers, guests too, but not those of other businesses', async () => {
    const [shop, other] = [await t.shop(), await t.shop()];
    const order = async (at: Shop, customer: Person) => {
      await t.db.prisma.order.create({
        data: {
          id: newId(),
          businessId: at.businessId,
          customerId: customer.userId,
          market: 'US',
          currency: 'USD',
          lines: [],
          subtotal: 0,
          tax: 0,
          shipping: 0,
          discount: 0,
          total: 0,
          statuses: [{ status: 'PENDING' }],
          paymentStatuses: [{ status: 'PENDING' }],
          createdAt: 1,
          updatedAt: 1,
        },
      });
      return customer.userId;
    };
    const guest = await order(shop, await t.guest());
    const customer = await order(shop, await t.person({ name: 'Carla Customer' }));
    await order(shop, { userId: customer, token: '' });
    await order(other, await t.person({ name: 'Carla Elsewhere' }));
    const search = async (query: string) => {
      const path = `/v1/users/search?businessId=${shop.businessId}${query}`;
      const { body } = await t.rest<{ items: { id: string }[] }>('GET', path, { as: shop.admin });
      return body.items.map(({ id }) => id);
    };
    expect(await search('')).toEqual([customer, guest, shop.admin.userId]);
    expect(await search('&query=carla')).toEqual([customer]);
    expect(await search(`&roleIds=${shop.roles.ADMIN}`)).toEqual([shop.admin.userId]);
    const members = await t.rest<{ items: unknown[] }>('GET', `/v1/businesses/${shop.businessId}/members`, {
      as: shop.admin,
    });
    expect(members.body.items).toHaveLength(1);
  });

  it('searches every business the viewer administers when none is named', async () => {
    const [one, two] = [await t.shop(), await t.shop()];
    await t.hire(two, one.admin, 'ADMIN');
    const answer = await t.rest<{ items: { id: string; roleIds: string[] }[] }>('GET', '/v1/users/search', {
      as: one.admin,
    });
    expect(answer.body.items.map(({ id }) => id).sort()).toEqual([one.admin.userId, two.admin.userId].sort());
  });

  it('lists and removes members', async () => {
    const shop = await t.shop();
    const editor = await t.hire(shop, await t.person({ name: 'Edith' }), 'EDITOR');
    const members = `/v1/businesses/${shop.businessId}/members`;
    const list = await t.rest('GET', members, { as: shop.admin });
    expect(list.body).toMatchObject({
      items: [
        { user: { id: editor.userId, name: 'Edith' }, role: { name: 'EDITOR' }, since: expect.any(Number) },
        { user: { id: shop.admin.userId }, role: { name: 'ADMIN' } },
      ],
      cursor: null,
    });
    const removed = await t.rest('DELETE', `${members}/${editor.userId}`, { as: shop.admin });
    expect(removed.body).toEqual({ id: editor.userId, deleted: true });
    expect((await t.rest('DELETE', `${members}/${editor.userId}`, { as: shop.admin })).status).toBe(404);
  });

  it('costs a fixed number of statements, however many people there are', async () => {
    const shop = await t.shop();
    for (const size of [1, 10, 100]) {
      while ((await t.db.prisma.membership.count({ where: { businessId: shop.businessId } })) < size) {
        await t.hire(shop, await t.person(), 'EDITOR');
      }
      for (const [cost, query] of [
        // The permission, who it is, the people, and their memberships with roles and businesses.
        [
          6,
          'query($b: ID!) { users(businessId: $b, first: 100) { nodes { id roles { name } memberships { business { name } } apiTokens { id } } } }',
        ],
        [
          6,
          'query($b: ID!) { members(businessId: $b, first: 100) { nodes { user { id } role { name } since } } }',
        ],
        [2, 'query($b: ID!) { roleChanges(businessId: $b, first: 100) { nodes { id role } } }'],
      ] as const) {
        t.statements.length = 0;
        const answer = await t.graphql(query, { b: shop.businessId }, { as: shop.admin });
        expect(answer.errors).toEqual([]);
        expect(t.statements).toHaveLength(cost);
      }
    }
  });
});

describe('the audit trail', () => {
  it('shows users what happened to their account, newest first', async () => {
    const email = await confirmed(t);
    await expect(signIn(t, email, 'wrong password here')).rejects.toThrow('PASSWORD_WRONG');
    const person = await signIn(t, email);
    const value = crypto.randomUUID();
    await t.rest('PUT', '/v1/users', { as: person, body: { apiTokens: [{ id: 'k', name: 'Key', value }] } });
    await t.rest('PUT', '/v1/users', { as: person, body: { apiTokens: [] } });
    await t.rest('POST', '/v1/users/reset-password', {
      as: person,
      body: { oldPassword: goodPassword, newPassword: 'yet another otter' },
    });
    const answer = await t.graphql(
      '{ me { securityEvents(first: 100) { totalCount nodes { type address actorId provider keyId keyName timestamp } } } }',
      {},
      { as: person },
    );
    const me = answer.data?.me as unknown as { securityEvents: { nodes: Record<string, unknown>[] } };
    const events = me.securityEvents.nodes;
    expect(events.map(({ type }) => type)).toEqual([
      'PASSWORD_CHANGED',
      'KEY_REVOKED',
      'KEY_CREATED',
      'SIGNED_IN',
      'SIGN_IN_FAILED',
      'EMAIL_CONFIRMED',
      'REGISTERED',
    ]);
    expect(events[2]).toEqual({
      type: 'KEY_CREATED',
      address: '127.0.0.1',
      actorId: person.userId,
      provider: null,
      keyId: 'k',
      keyName: 'Key',
      timestamp: expect.any(Number),
    });
  });
});
