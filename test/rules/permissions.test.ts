/** Who may do and see what: permissions, scopes of fields, and the conditions that statements carry. */
import { describe, expect, it } from 'vitest';
import { hasPermissionSql, permissionUserId } from '../../src/auth/permission-sql.ts';
import { allowsPermission, defaultRoles, type Permission, permissions } from '../../src/auth/permissions.ts';
import type { AuthenticatedUser, Viewer } from '../../src/auth/viewer.ts';
import type { Context } from '../../src/context.ts';
import * as collections from '../../src/domains/collections/visibility.ts';
import type { Entry } from '../../src/domains/entries/model.ts';
import * as entries from '../../src/domains/entries/visibility.ts';
import { entryPublicView } from '../../src/domains/entries/visibility.ts';
import * as products from '../../src/domains/products/read/visibility.ts';
import {
  authScopes,
  existingBusiness,
  ownerOrPermission,
  type PermissionScope,
  permissionInBusiness,
  permissionOnRecord,
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

  it('is held by the roles that every business begins with', () => {
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
    ['nobody', undefined, null],
    ['a guest', user({ isGuest: true }), null],
    ['a person', user(), 'ada'],
    ['a key limited to it', user({ keyPermissions: new Set(['CONTENT_WRITE'] as const) }), 'ada'],
    ['a key limited to another', user({ keyPermissions: new Set(['ORDERS_WRITE'] as const) }), null],
  ])('is looked up for %s as %s', (_name, who, expected) => {
    expect(permissionUserId({ user: who } as Viewer, 'CONTENT_WRITE')).toBe(expected);
  });
});

describe('statements', () => {
  const oneLine = (sql: string) => sql.replace(/\s+/g, ' ');
  const held = (...names: string[]) =>
    `($2::uuid is not null and exists ( select 1 from memberships m join roles r on r.id = m.role_id where m.user_id = $2::uuid and m.business_id = $1 and r.permissions && array[${names.map((name) => `'${name}'`).join(', ')}]))`;

  it('ask for the permission in the business itself', () => {
    expect(oneLine(hasPermissionSql('$1', '$2', 'ORDERS_READ', 'ORDERS_WRITE'))).toBe(
      held('ADMIN', 'ORDERS_READ', 'ORDERS_WRITE'),
    );
  });

  it('show what is public, and the rest to those who may write it', () => {
    const content = held('ADMIN', 'CONTENT_WRITE');
    const published =
      "exists (select 1 from collections c where c.id = e.collection_id and c.status = 'PUBLISHED')";
    expect(oneLine(products.isProductVisible('$1', '$2'))).toBe(
      `(p.status = 'ACTIVE' or ${held('ADMIN', 'PRODUCTS_WRITE')})`,
    );
    expect(oneLine(collections.isCollectionVisibleSql('$1', '$2'))).toBe(
      `(c.status = 'PUBLISHED' or ${content})`,
    );
    expect(oneLine(entries.isEntryVisibleSql('$1', '$2'))).toBe(
      `((e.status = 'PUBLISHED' and ${published}) or ${content})`,
    );
    expect(collections.collectionIdBySlugSql('$1', '$2')).toBe(
      '(select c.id from collections c where c.business_id = $1 and c.slug = $2)',
    );
  });

  it('show no plan of an entry to the public', () => {
    const entry = (more: Partial<Entry> = {}) => ({ statuses: history('PUBLISHED'), ...more }) as Entry;
    const plain = entry();
    expect(entryPublicView.forPublic(plain, null)).toBe(plain);
    for (const plan of [{ publishAt: 5 }, { unpublishAt: 6 }])
      expect(entryPublicView.forPublic(entry(plan), null)).toEqual(
        entry({ publishAt: undefined, unpublishAt: undefined }),
      );
    expect(entryPublicView.concerns({ statuses: [{ userId: 'ada' }] } as never, 'ada')).toBe(true);
  });
});

describe('a scope', () => {
  const [here, there] = ['019358a0-0000-7000-8000-000000000001', '019358a0-0000-7000-8000-000000000002'];
  const context = (user: Partial<AuthenticatedUser> | undefined, held: Record<string, Permission[]> = {}) =>
    ({
      viewer: {
        user,
        person: user?.keyPermissions ? undefined : user,
        held: async () => new Map(Object.entries(held).map(([id, names]) => [id, new Set(names)])),
      },
      db: { sql: async (_statement: string, [id]: unknown[]) => (id === here ? [1] : []) },
    }) as unknown as Context;
  const person = { userId: 'ada', isGuest: false };
  const guest = { userId: 'eve', isGuest: true };
  const key = { ...person, limitedTo: new Set(['ORDERS_READ'] as const) };

  it.each([
    ['nobody', undefined, [false, false, false]],
    ['a guest', guest, [true, true, false]],
    ['a person', person, [true, true, true]],
    ['a limited key', key, [true, false, false]],
  ])('of %s: signed in, account, confirmed', async (_name, user, expected) => {
    const { signedIn, account, confirmed, confirmedIn, business } = authScopes(context(user));
    expect([signedIn, account, confirmed]).toEqual(expected);
    expect(await confirmedIn(here)).toBe(expected[2]);
    expect(await business(here)).toBe(true);
    await expect(business(there)).rejects.toMatchObject({
      code: 'NOT_FOUND',
      message: 'Business not found.',
    });
    await expect(confirmedIn(there)).rejects.toMatchObject({ code: 'NOT_FOUND' });
  });

  const wants = (businessId: string, addressed?: string): PermissionScope => ({
    name: ['ORDERS_READ', 'PRODUCTS_WRITE'],
    businessId,
    ...(addressed === undefined ? {} : { addressed }),
  });
  it.each([
    ['nobody', undefined, {}, wants(here), false],
    ['nobody, of nowhere', undefined, {}, wants(there), false],
    ['staff with one of them', person, { [here]: ['PRODUCTS_WRITE'] }, wants(here), true],
    [
      'staff with the single one',
      person,
      { [here]: ['ORDERS_READ'] },
      { ...wants(here), name: 'ORDERS_READ' },
      true,
    ],
    ['staff with another', person, { [here]: ['CONTENT_WRITE'] }, wants(here, 'Order'), false],
    ['staff of elsewhere, of no record', person, { [there]: ['ADMIN'] }, wants(here), false],
    ['staff of elsewhere', person, { [there]: ['ADMIN'] }, wants(here, 'Order'), 'Order not found.'],
    ['a customer', person, {}, wants(here, 'Order'), false],
    ['a customer, of nowhere', person, {}, wants(there, 'Order'), 'Business not found.'],
    ['a customer, of no id', person, {}, wants('nonsense', 'Order'), 'Order not found.'],
    ['a customer, of no id and no record', person, {}, wants('nonsense'), 'Business not found.'],
  ] as [
    string,
    typeof person | undefined,
    Record<string, Permission[]>,
    PermissionScope,
    boolean | string,
  ][])('that needs a permission, asked by %s', async (_name, user, held, scope, expected) => {
    const answer = await authScopes(context(user, held))
      .permission(scope)
      .catch((error: Error) => error.message);
    expect(answer).toBe(expected);
  });

  it('is refused by its kind, and made from the arguments of its field', () => {
    expect(unauthorizedError({}, context(person)).code).toBe('FORBIDDEN');
    expect(unauthorizedError({}, context(undefined)).code).toBe('UNAUTHENTICATED');
    const args = { businessId: here };
    expect(permissionInBusiness('ORDERS_READ')({}, args)).toEqual({
      permission: { name: 'ORDERS_READ', businessId: here },
    });
    expect(existingBusiness({}, args)).toEqual({ business: here });
    expect(ownerOrPermission('ORDERS_READ')({}, args)).toEqual({
      account: true,
      permission: { name: 'ORDERS_READ', businessId: here },
    });
    const addressed = { permission: { name: 'ORDERS_READ', businessId: here, addressed: 'Order' } };
    expect(ownerOrPermission('ORDERS_READ', 'Order')({}, args)).toEqual({ account: true, ...addressed });
    expect(permissionOnRecord('ORDERS_READ', 'Order')({}, args)).toEqual(addressed);
  });
});
