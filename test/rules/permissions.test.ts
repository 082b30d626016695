/** Permissions, auth scopes of fields, and the permission conditions in SQL. */
import { describe, expect, it } from 'vitest';
import { buildPermissionConditionSql } from '../../src/auth/permission-condition-sql.ts';
import {
  allowsPermission,
  defaultRoles,
  type Permission,
  permissions,
} from '../../src/auth/permissions-and-default-roles.ts';
import { type AuthenticatedUser, Viewer } from '../../src/auth/viewer-and-authentication.ts';
import type { Context } from '../../src/context.ts';
import * as collections from '../../src/domains/collections/visibility-sql.ts';
import type { Entry } from '../../src/domains/entries/model.ts';
import { nonStaffEntryViews } from '../../src/domains/entries/read/non-staff-entry-views.ts';
import * as entries from '../../src/domains/entries/visibility-sql.ts';
import * as products from '../../src/domains/products/read/visibility-sql.ts';
import {
  authScopes,
  existingBusinessScope,
  ownerOrPermissionScope,
  type PermissionScope,
  permissionInBusinessScope,
  permissionOnRecordScope,
  unauthorizedError,
} from '../../src/graphql/schema/auth-scopes.ts';
import { history } from './setup.ts';

describe('a permission', () => {
  it.each([
    [undefined, 'ORDERS_READ', false],
    [[], 'ORDERS_READ', false],
    [['ADMIN'], 'PRODUCTS_WRITE', true],
    [['PRODUCTS_WRITE'], 'PRODUCTS_WRITE', true],
    [['PRODUCTS_WRITE'], 'ORDERS_READ', false],
    [['ORDERS_WRITE'], 'ORDERS_READ', true],
    [['ORDERS_READ'], 'ORDERS_WRITE', false],
    [['ORDERS_WRITE'], 'PRODUCTS_WRITE', false],
    [['PRODUCTS_WRITE'], 'ADMIN', false],
  ] as [Permission[] | undefined, Permission, boolean][])('of %j allows %s: %s', (held, wanted, expected) => {
    expect(allowsPermission(held && new Set(held), wanted)).toBe(expected);
  });

  it('is granted by the default roles of every business', () => {
    expect(defaultRoles).toEqual([
      { name: 'ADMIN', permissions: ['ADMIN'] },
      { name: 'MANAGER', permissions: permissions.filter((name) => name !== 'ADMIN') },
      { name: 'EDITOR', permissions: ['CONTENT_WRITE', 'NEWSLETTER_SEND'] },
    ]);
    expect(permissions).toContain('ADMIN');
  });

  const user = (more: Partial<AuthenticatedUser> = {}): AuthenticatedUser => ({
    userId: 'ada',
    provider: 'EMAIL',
    isGuest: false,
    ...more,
  });
  it.each([
    ['an anonymous viewer', undefined, null],
    ['a guest', user({ isGuest: true }), null],
    ['a registered user', user(), 'ada'],
    ['an API key with this permission', user({ keyPermissions: new Set(['CONTENT_WRITE'] as const) }), 'ada'],
    [
      'an API key with another permission',
      user({ keyPermissions: new Set(['ORDERS_WRITE'] as const) }),
      null,
    ],
  ])('is looked up for %s as user id %s', (_name, viewerUser, expected) => {
    expect(new Viewer({} as Context['db'], viewerUser).userIdForPermissionSql('CONTENT_WRITE')).toBe(
      expected,
    );
  });
});

describe('SQL conditions', () => {
  const oneLine = (sql: string) => sql.replace(/\s+/g, ' ');
  const held = (...names: string[]) =>
    `($2::uuid is not null and exists ( select 1 from memberships m join roles r on r.id = m.role_id where m.user_id = $2::uuid and m.business_id = $1 and r.permissions && array[${names.map((name) => `'${name}'`).join(', ')}]))`;

  it('require the permission in the same business', () => {
    expect(oneLine(buildPermissionConditionSql('$1', '$2', 'ORDERS_READ', 'ORDERS_WRITE'))).toBe(
      held('ADMIN', 'ORDERS_READ', 'ORDERS_WRITE'),
    );
  });

  it('include public records, and all records for users with write permission', () => {
    const content = held('ADMIN', 'CONTENT_WRITE');
    const published =
      "exists (select 1 from collections c where c.id = e.collection_id and c.status = 'PUBLISHED')";
    expect(oneLine(products.buildProductVisibilityConditionSql('$1', '$2'))).toBe(
      `(p.status = 'ACTIVE' or ${held('ADMIN', 'PRODUCTS_WRITE')})`,
    );
    expect(oneLine(collections.buildCollectionVisibilityConditionSql('$1', '$2'))).toBe(
      `(c.status = 'PUBLISHED' or ${content})`,
    );
    expect(oneLine(entries.buildEntryVisibilityConditionSql('$1', '$2'))).toBe(
      `((e.status = 'PUBLISHED' and ${published}) or ${content})`,
    );
    expect(collections.buildCollectionIdBySlugExpressionSql('$1', '$2')).toBe(
      '(select c.id from collections c where c.business_id = $1 and c.slug = $2)',
    );
  });

  it('hide scheduled publication of an entry from the public view', () => {
    const entry = (more: Partial<Entry> = {}) => ({ statuses: history('PUBLISHED'), ...more }) as Entry;
    const plain = entry();
    expect(nonStaffEntryViews.publicView(plain, null)).toBe(plain);
    for (const plan of [{ publishAt: 5 }, { unpublishAt: 6 }])
      expect(nonStaffEntryViews.publicView(entry(plan), null)).toEqual(
        entry({ publishAt: undefined, unpublishAt: undefined }),
      );
    expect(nonStaffEntryViews.hasPersonalView({ statuses: [{ userId: 'ada' }] } as never, 'ada')).toBe(true);
  });
});

describe('an auth scope', () => {
  const [businessId1, businessId2] = [
    '019358a0-0000-7000-8000-000000000001',
    '019358a0-0000-7000-8000-000000000002',
  ];
  const context = (user: Partial<AuthenticatedUser> | undefined, held: Record<string, Permission[]> = {}) =>
    ({
      viewer: {
        user,
        accountUser: user?.keyPermissions ? undefined : user,
        permissionsByBusiness: async () =>
          new Map(Object.entries(held).map(([id, names]) => [id, new Set(names)])),
        hasRoleOnOtherServers: async () => false,
      },
      db: { sql: async (_statement: string, [id]: unknown[]) => (id === businessId1 ? [1] : []) },
    }) as unknown as Context;
  const person = { userId: 'ada', isGuest: false };
  const guest = { userId: 'eve', isGuest: true };
  const key = { ...person, keyPermissions: new Set(['ORDERS_READ'] as const) };

  it.each([
    ['an anonymous viewer', undefined, [false, false, false]],
    ['a guest', guest, [true, true, false]],
    ['a registered user', person, [true, true, true]],
    ['an API key with limited permissions', key, [true, false, false]],
  ])('of %s: signedIn, account, confirmed', async (_name, user, expected) => {
    const { signedIn, account, confirmed, confirmedIn, business } = authScopes(context(user));
    expect([signedIn, account, confirmed]).toEqual(expected);
    expect(await confirmedIn(businessId1)).toBe(expected[2]);
    expect(await business(businessId1)).toBe(true);
    await expect(business(businessId2)).rejects.toMatchObject({
      code: 'NOT_FOUND',
      message: 'Business not found.',
    });
    await expect(confirmedIn(businessId2)).rejects.toMatchObject({ code: 'NOT_FOUND' });
  });

  const permissionScope = (businessId: string, addressed?: string): PermissionScope => ({
    name: ['ORDERS_READ', 'PRODUCTS_WRITE'],
    businessId,
    ...(addressed === undefined ? {} : { addressed }),
  });
  it.each([
    ['an anonymous viewer', undefined, {}, permissionScope(businessId1), false],
    ['an anonymous viewer, unknown business', undefined, {}, permissionScope(businessId2), false],
    [
      'staff with one of the permissions',
      person,
      { [businessId1]: ['PRODUCTS_WRITE'] },
      permissionScope(businessId1),
      true,
    ],
    [
      'staff with the only permission',
      person,
      { [businessId1]: ['ORDERS_READ'] },
      { ...permissionScope(businessId1), name: 'ORDERS_READ' },
      true,
    ],
    [
      'staff with another permission',
      person,
      { [businessId1]: ['CONTENT_WRITE'] },
      permissionScope(businessId1, 'Order'),
      false,
    ],
    [
      'staff of another business, no record type',
      person,
      { [businessId2]: ['ADMIN'] },
      permissionScope(businessId1),
      false,
    ],
    [
      'staff of another business',
      person,
      { [businessId2]: ['ADMIN'] },
      permissionScope(businessId1, 'Order'),
      'Order not found.',
    ],
    ['a customer', person, {}, permissionScope(businessId1, 'Order'), false],
    [
      'a customer, unknown business',
      person,
      {},
      permissionScope(businessId2, 'Order'),
      'Business not found.',
    ],
    [
      'a customer, malformed business id',
      person,
      {},
      permissionScope('nonsense', 'Order'),
      'Order not found.',
    ],
    [
      'a customer, malformed business id, no record type',
      person,
      {},
      permissionScope('nonsense'),
      'Business not found.',
    ],
  ] as [
    string,
    typeof person | undefined,
    Record<string, Permission[]>,
    PermissionScope,
    boolean | string,
  ][])('with a permission, checked for %s', async (_name, user, held, scope, expected) => {
    const answer = await authScopes(context(user, held))
      .permission(scope)
      .catch((error: Error) => error.message);
    expect(answer).toBe(expected);
  });

  it('is built from the arguments of its field, and rejected as FORBIDDEN or UNAUTHENTICATED', () => {
    expect(unauthorizedError(context(person), null).code).toBe('FORBIDDEN');
    expect(unauthorizedError(context(undefined), null).code).toBe('UNAUTHENTICATED');
    const args = { businessId: businessId1 };
    expect(permissionInBusinessScope('ORDERS_READ')({}, args)).toEqual({
      permission: { name: 'ORDERS_READ', businessId: businessId1 },
    });
    expect(existingBusinessScope({}, args)).toEqual({ business: businessId1 });
    expect(ownerOrPermissionScope('ORDERS_READ')({}, args)).toEqual({
      account: true,
      permission: { name: 'ORDERS_READ', businessId: businessId1 },
    });
    const addressed = { permission: { name: 'ORDERS_READ', businessId: businessId1, addressed: 'Order' } };
    expect(ownerOrPermissionScope('ORDERS_READ', 'Order')({}, args)).toEqual({ account: true, ...addressed });
    expect(permissionOnRecordScope('ORDERS_READ', 'Order')({}, args)).toEqual(addressed);
  });
});
