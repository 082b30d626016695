/** Seeds at least four records for every list of the schema in one business. */
import { newId } from '../../src/lib/ids.ts';
import { now } from '../../src/lib/time.ts';
import type { TestApp } from '../support/app.ts';
import { createEmptyOrder } from '../support/insert-empty-order.ts';
import { addProduct, type SellingShop } from '../support/shop-fixtures.ts';

const four = [0, 1, 2, 3];
const inShop = 'businessId: $b';

/** Returns the arguments of each list by its field name. */
export async function seedLists(t: TestApp, shop: SellingShop): Promise<Record<string, string>> {
  const { businessId, admin } = shop;
  const { userId } = admin;
  const call = async (method: string, path: string, body: object) => {
    const at = path.startsWith('/v1') ? path : `/v1/businesses/${businessId}${path}`;
    const answer = await t.rest<{ id: string }>(method, at, { as: admin, body });
    if (answer.status !== 200) throw new Error(`${path}: ${JSON.stringify(answer.body)}`);
    return answer.body.id;
  };
  const post = (path: string, body: object) => call('POST', path, body);
  const { productId, variantId } = await addProduct(t, shop, { name: 'P', stock: 9 });
  const newsletter = await post('/collections', { name: 'Letter', type: 'NEWSLETTER' });
  const entry = await post('/entries', { collectionId: newsletter, blocks: [] });
  const group = await post('/customer-groups', { name: 'Many' });
  for (const n of four) {
    await addProduct(t, shop, { name: `P${n}` });
    await post('/markets', { code: `M${n}`, currency: 'USD' });
    await post('/shipping-methods', { id: `s${n}`, name: `S${n}`, prices: [] });
    await post('/promo-codes', { code: `C${n}`, type: 'FREE_SHIPPING' });
    const roleId = await post('/roles', { name: `R${n}`, permissions: [] });
    await post('/invitations', { email: `i${n}@people.example`, roleId });
    await post('/customer-groups', { name: `G${n}` });
    await post('/collections', { name: `C${n}` });
    await post('/categories', { name: `K${n}` });
    await post('/entries', { collectionId: newsletter, blocks: [] });
    await call('PUT', `/entries/${entry}`, { locale: n % 2 ? 'en' : 'de' });
    await post(`/collections/${newsletter}/subscribe`, { email: `n${n}@people.example` });
    await post('/webhooks', { url: `https://hooks.example/${n}`, events: ['order.created'] });
    await post(`/products/${productId}/stock`, { variantId, change: 1 });
    await post('/v1/businesses', { name: `B${n}` });
    const person = await t.addMember(shop, await t.person(), 'EDITOR');
    await t.db.prisma.customerGroupMember.create({
      data: { businessId, groupId: group, userId: person.userId, createdAt: now() },
    });
  }
  const order = await createEmptyOrder(t, shop, admin);
  for (const _ of four) await createEmptyOrder(t, shop, admin);
  await seedDeliveries(t, businessId);
  await seedRefunds(t, order);
  await t.db.prisma.session.createMany({
    data: four.map(() => ({
      ...{ id: newId(), userId, provider: 'EMAIL', jtiHash: newId() },
      createdAt: now(),
    })),
  });
  await t.db.prisma.securityEvent.createMany({
    data: four.map(() => ({
      ...{ id: newId(), type: 'ROLE_CHANGED', userId, actorId: userId, businessId, address: '::1' },
      createdAt: now(),
    })),
  });
  await t.db.prisma.mediaFile.createMany({
    data: four.map((n) => ({
      ...{
        id: newId(),
        businessId,
        state: 'READY',
        fileName: `f${n}.png`,
        mimeType: 'image/png',
        size: 1,
        key: `k${n}`,
      },
      ...{ createdAt: now(), updatedAt: now() },
    })),
  });
  await seedRequests(t, businessId);
  const operation = await seedImports(t, businessId, userId);
  return {
    ...Object.fromEntries(businessLists.map((list) => [list, inShop])),
    businesses: '',
    sessions: '',
    bulkErrors: `${inShop}, id: "${operation}"`,
    customerGroupMembers: `${inShop}, groupId: "${group}"`,
    entryVersions: `${inShop}, id: "${entry}"`,
    refunds: `${inShop}, id: "${order}"`,
    stockMovements: `${inShop}, id: "${productId}"`,
    subscribers: `${inShop}, collectionId: "${newsletter}"`,
  };
}

/** Lists whose only required argument is businessId. */
export const businessLists = [
  ...[
    'bulkOperations',
    'categories',
    'changes',
    'collections',
    'customerGroups',
    'entries',
    'invitations',
    'markets',
    'mediaFiles',
    'members',
  ],
  ...['orders', 'products', 'promoCodes', 'requests', 'roleChanges', 'roles', 'shippingMethods', 'users'],
  ...['webhookDeliveries', 'webhookEndpoints'],
];

async function seedDeliveries({ db: { prisma } }: TestApp, businessId: string): Promise<void> {
  const endpoint = await prisma.webhookEndpoint.findFirstOrThrow({ where: { businessId } });
  const stamps = { businessId, createdAt: now() };
  const events = four.map(() => ({ ...stamps, id: newId(), type: 'order.created', data: {} }));
  await prisma.webhookEvent.createMany({ data: events });
  await prisma.webhookDelivery.createMany({
    data: events.map(({ id }) => ({
      ...{ ...stamps, id: newId(), eventId: id, endpointId: endpoint.id },
      ...{ status: 'DELIVERED', nextAttemptAt: 0 },
    })),
  });
}

const seedRequests = (t: TestApp, businessId: string) =>
  t.db.write(
    `insert into request_log (id, business_id, request_id, protocol, method, operation, path, is_write, status, duration_ms, caller, is_member, created_at)
     select gen_random_uuid(), $1::uuid, 'r', 'REST', 'GET', 'o', '/', false, 200, 1, 'USER', true, $2::bigint from generate_series(1, 4)`,
    [businessId, now()],
  );

async function seedRefunds({ db: { prisma } }: TestApp, orderId: string): Promise<void> {
  const [attemptId, stamps] = [newId(), { createdAt: now() }];
  const money = { currency: 'USD', paymentId: `pay_${orderId}`, ...stamps };
  await prisma.paymentAttempt.create({
    data: {
      ...{ id: attemptId, reference: `order:${orderId}`, kind: 'order', subjectId: orderId, number: 1 },
      ...{ ...money, amount: 400, captured: 400, state: 'PAID', expiresAt: now(), updatedAt: now() },
    },
  });
  const refunds = four.map(() => ({
    ...money,
    id: newId(),
    attemptId,
    amount: 100,
    status: 'SUCCEEDED' as const,
  }));
  await prisma.refund.createMany({ data: refunds });
}

async function seedImports({ db: { prisma } }: TestApp, businessId: string, userId: string): Promise<string> {
  const operations = four.map(() => ({
    ...{
      id: newId(),
      businessId,
      userId,
      kind: 'IMPORT',
      resource: 'PRODUCTS',
      format: 'CSV',
      state: 'COMPLETED',
    },
    ...{ createdAt: now(), updatedAt: now() },
  }));
  await prisma.bulkOperation.createMany({ data: operations });
  const operationId = operations[0]?.id ?? '';
  const importError = { operationId, code: 'VALIDATION_FAILED', message: 'No.', details: [] };
  await prisma.bulkError.createMany({ data: four.map((line) => ({ ...importError, id: newId(), line })) });
  return operationId;
}
