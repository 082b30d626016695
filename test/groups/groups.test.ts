/** Customer groups and their members: management, eligibility and permissions. */
import { describe, expect, it } from 'vitest';
import { newId } from '../../src/lib/ids.ts';
import { other, shop, t } from '../carts/setup.ts';
import type { Person } from '../support/app.ts';
import { detailErrors } from '../support/shop-fixtures.ts';
import { addMember, createCustomer, createGroup, createMember, requestGroups } from './setup.ts';

interface Listed<T> {
  items: T[];
  cursor?: string;
}

const membersOf = async (groupId: string, query = '') =>
  (
    await requestGroups<Listed<{ userId: string; name?: string }>>(
      shop.admin,
      'GET',
      `/${groupId}/members${query}`,
    )
  ).body;

describe('a customer group', () => {
  it('is created, read, listed, renamed and deleted over REST and GraphQL, with an audit log', async () => {
    const { status, body } = await requestGroups(shop.admin, 'POST', '', { name: 'Cafés & Bars' });
    expect([status, body]).toEqual([
      200,
      {
        id: 'cafes-bars',
        name: 'Cafés & Bars',
        version: 1,
        createdAt: body.createdAt,
        updatedAt: body.createdAt,
      },
    ]);
    expect(
      detailErrors((await requestGroups(shop.admin, 'POST', '', { name: 'x', id: 'cafes-bars' })).body),
    ).toEqual(['id ID_TAKEN']);
    expect((await requestGroups(shop.admin, 'GET', '/cafes-bars')).body).toEqual(body);
    const list = await requestGroups<Listed<{ id: string }>>(shop.admin, 'GET');
    expect(list.body.items.map(({ id }) => id)).toContain('cafes-bars');
    const { data, errors } = await t.graphql(
      `mutation ($b: ID!) { updateCustomerGroup(businessId: $b, id: "cafes-bars", version: 1, input: { name: "Cafés" }) {
         customerGroup { id: key name version } } }`,
      { b: shop.businessId },
      { as: shop.admin },
    );
    expect(errors).toEqual([]);
    expect(data).toEqual({
      updateCustomerGroup: { customerGroup: { id: 'cafes-bars', name: 'Cafés', version: 2 } },
    });
    const person = await createCustomer();
    await addMember('cafes-bars', person);
    expect((await requestGroups(shop.admin, 'DELETE', '/cafes-bars')).body).toEqual({
      id: 'cafes-bars',
      deleted: true,
    });
    expect((await requestGroups(shop.admin, 'GET', '/cafes-bars')).status).toBe(404);
    const kinds = async (recordId: string) =>
      (
        await t.rest<Listed<{ kind: string; action: string }>>(
          'GET',
          `/v1/businesses/${shop.businessId}/changes?recordId=${recordId}`,
          { as: shop.admin },
        )
      ).body.items.map(({ kind, action }) => `${action} ${kind}`);
    expect(await kinds('cafes-bars')).toEqual([
      'DELETE CUSTOMER_GROUP',
      'UPDATE CUSTOMER_GROUP',
      'CREATE CUSTOMER_GROUP',
    ]);
    expect(await kinds(person.userId)).toEqual([
      'DELETE CUSTOMER_GROUP_MEMBER',
      'CREATE CUSTOMER_GROUP_MEMBER',
    ]);
  });

  it('is rejected with all validation errors at once', async () => {
    const { status, body } = await requestGroups(shop.admin, 'POST', '', { name: ' ', id: 'a/b' });
    expect([status, ...detailErrors(body)]).toEqual([422, 'id INVALID_FORMAT', 'name TOO_SHORT']);
    const id = await createGroup();
    expect((await requestGroups(shop.admin, 'PUT', `/${id}`, { name: '' })).status).toBe(422);
    expect((await requestGroups(shop.admin, 'GET', `/${id}`)).body).toMatchObject({ version: 1 });
  });
});

describe('members', () => {
  it('are added idempotently, paginated with a constant number of SQL statements, and removed', async () => {
    const id = await createGroup();
    const people = await Promise.all([createCustomer('Ada'), createCustomer('Bob'), createCustomer('Cy')]);
    const [first] = people;
    const answers = await Promise.all([1, 2, 3, 4].map(() => addMember(id, first)));
    expect(new Set(answers.map(({ status, body }) => `${status} ${JSON.stringify(body)}`)).size).toBe(1);
    expect(answers[0]?.body).toEqual({ userId: first.userId, name: 'Ada', since: expect.any(Number) });
    for (const person of people) await addMember(id, person);
    const sorted = people.map(({ userId }) => userId).sort();
    const page = await membersOf(id, '?limit=2');
    const rest = await membersOf(id, `?limit=2&cursor=${page.cursor}`);
    expect([...page.items, ...rest.items].map(({ userId }) => userId)).toEqual(sorted);
    const countStatements = async (limit: number) => {
      t.statements.length = 0;
      await membersOf(id, `?limit=${limit}`);
      return t.statements.length;
    };
    expect(await countStatements(3)).toBe(await countStatements(1));
    expect((await requestGroups(shop.admin, 'DELETE', `/${id}/members/${first.userId}`)).status).toBe(200);
    expect((await requestGroups(shop.admin, 'DELETE', `/${id}/members/${first.userId}`)).status).toBe(404);
    expect((await membersOf(id)).items).toHaveLength(2);
  });

  it('must be customers of the business: other and unknown users get the same error', async () => {
    const id = await createGroup();
    const stranger = await t.person({ name: 'Secret name' });
    const guest = await t.guest();
    const strangers = [
      stranger,
      guest,
      other.admin,
      { userId: newId(), token: '' },
      { userId: 'x', token: '' },
    ];
    const answers = await Promise.all(strangers.map((person) => addMember(id, person)));
    for (const { status, body } of answers) {
      expect([status, ...detailErrors(body)]).toEqual([422, 'userId CUSTOMER_NOT_FOUND']);
      expect({ ...body, requestId: '' }).toEqual({ ...answers[0]?.body, requestId: '' });
    }
    expect((await membersOf(id)).items).toEqual([]);
    expect((await addMember('nowhere', await createCustomer())).status).toBe(404);
    expect((await requestGroups(shop.admin, 'GET', '/nowhere/members')).status).toBe(404);
  });

  it('are removed with their account, and find their groups in the personal data export', async () => {
    const id = await createGroup();
    const person = await createMember(id);
    const own = await t.rest<{ customerGroups: object[] }>('GET', '/v1/users/me/export', { as: person });
    expect(own.body.customerGroups).toEqual([
      { businessId: shop.businessId, name: expect.stringMatching(/^Group/), since: expect.any(Number) },
    ]);
    expect((await t.rest('POST', '/v1/users/me/delete', { as: person, body: {} })).status).toBe(200);
    expect((await membersOf(id)).items).toEqual([]);
  });
});

describe('permissions', () => {
  const requests = (id: string, userId: string): [string, string, object?][] => [
    ['POST', '', { name: 'Mine' }],
    ['GET', ''],
    ['GET', `/${id}`],
    ['PUT', `/${id}`, { name: 'Mine' }],
    ['DELETE', `/${id}`],
    ['POST', `/${id}/members`, { userId }],
    ['GET', `/${id}/members`],
    ['DELETE', `/${id}/members/${userId}`],
  ];
  const statuses = async (as: Person | undefined, id: string, userId: string) => {
    const answers = [];
    for (const [method, path, body] of requests(id, userId))
      answers.push((await requestGroups(as, method, path, body)).status);
    return answers;
  };

  it('rejects callers without permission, and returns 404 to staff of other businesses', async () => {
    const id = await createGroup();
    const person = await createMember(id);
    const { userId } = person;
    const revoked = await t.withApiKey(shop.admin);
    await t.db.prisma.apiToken.deleteMany({ where: { userId: shop.admin.userId } });
    const allWith = (status: number) => requests(id, userId).map(() => status);
    expect(await statuses(undefined, id, userId)).toEqual(allWith(401));
    expect(await statuses(revoked, id, userId)).toEqual(allWith(401));
    expect(await statuses(await t.guest(), id, userId)).toEqual(allWith(403));
    expect(await statuses(person, id, userId)).toEqual(allWith(403));
    expect(await statuses(other.admin, id, userId)).toEqual([403, 403, 404, 404, 404, 404, 404, 404]);
    // A group with the same id in another business is independent.
    await requestGroups(other.admin, 'POST', '', { name: 'Theirs', id }, other);
    expect((await requestGroups(other.admin, 'GET', `/${id}/members`, undefined, other)).body).toMatchObject({
      items: [],
    });
    expect((await requestGroups(shop.admin, 'GET', `/${id}`)).body).toMatchObject({ version: 1 });
    expect((await membersOf(id)).items).toMatchObject([{ userId }]);
  });

  it('respects the permissions of a limited API key', async () => {
    const id = await createGroup();
    const { userId } = await createMember(id);
    const prices = await t.withApiKey(shop.admin, ['PRODUCTS_WRITE']);
    const clerk = await t.withApiKey(shop.admin, ['ORDERS_READ']);
    const content = await t.withApiKey(shop.admin, ['CONTENT_WRITE']);
    expect(await statuses(content, id, userId)).toEqual(requests(id, userId).map(() => 403));
    expect(await statuses(clerk, id, userId)).toEqual([403, 200, 200, 403, 403, 403, 200, 403]);
    expect((await requestGroups(prices, 'GET', `/${id}/members`)).status).toBe(403);
    expect((await requestGroups(prices, 'PUT', `/${id}`, { name: 'Renamed' })).status).toBe(200);
  });
});
