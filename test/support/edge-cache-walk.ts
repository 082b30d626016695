/** Random walk through a shared cache: six viewers read a storefront by REST and by GraphQL, while writers change it and keys are purged. */
import { readFileSync } from 'node:fs';
import { addProduct, createSellingShop } from './shop-fixtures.ts';
import type { Person, TestApp } from './test-app.ts';

export interface EdgeCacheWalkOptions {
  t: TestApp;
  /** URL of the cache, and the token of its purges. */
  url: string;
  purgeToken: string;
  steps: number;
  seed: number;
  /** Documented maximum age of a response, in milliseconds. */
  boundMs: number;
}

export interface EdgeCacheWalkResult {
  /** Responses for another viewer, and responses older than the bound. */
  findings: string[];
  reads: number;
  anonymousReads: number;
  hits: number;
  writes: number;
  purges: number;
}

const documents = Object.entries(
  JSON.parse(readFileSync('schema/documents.json', 'utf8')) as Record<string, string>,
);
/** Path of a GET of a stored query by its id. */
function documentPath(name: string, variables: object): string {
  const [id] = documents.find(([, text]) => text.match(/^query \w+/gm)?.join() === `query ${name}`) ?? [];
  return `/graphql/${id}?variables=${encodeURIComponent(JSON.stringify(variables))}`;
}

/** Ages are whole seconds in Varnish; a busy machine delays both sides. */
const toleranceMs = 1500;
const parallel = 12;

/** Time in which a state was current, in milliseconds: from the first moment it may have been effective to the last one. */
interface Validity {
  since: number;
  until: number;
}

export async function walkEdgeCache({
  t,
  url,
  purgeToken,
  steps,
  seed,
  boundMs,
}: EdgeCacheWalkOptions): Promise<EdgeCacheWalkResult> {
  const [shop, other, guest, customer, staff] = await Promise.all([
    createSellingShop(t),
    t.shop(),
    t.guest(),
    t.person(),
    t.person(),
  ]);
  await t.addMember(shop, staff, 'EDITOR');
  const viewers: (Person | undefined)[] = [
    undefined,
    undefined,
    undefined,
    guest,
    customer,
    staff,
    shop.admin,
    other.admin,
  ];
  const seesDrafts = (viewer: Person | undefined) => viewer === shop.admin;
  const { businessId } = shop;
  const at = `/v1/businesses/${businessId}`;
  const setPublicRead = (publicRead: boolean) => t.rest('PUT', at, { as: shop.admin, body: { publicRead } });
  await setPublicRead(true);
  const products = await Promise.all(
    ['a', 'b', 'c', 'd'].map((name) => addProduct(t, shop, { name: `${name} 0` })),
  );
  const draft = await addProduct(t, shop, { name: 'secret draft', status: 'DRAFT' });

  let state = seed;
  const random = (below: number) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
  const names = new Map<string, Validity>();
  const currentName = new Map(products.map(({ productId }, index) => [productId, `${'abcd'[index]} 0`]));
  for (const name of currentName.values()) names.set(name, { since: 0, until: Number.POSITIVE_INFINITY });
  /** Intervals in which anonymous viewers may read, from the first moment that it may have been effective. */
  const open: Validity[] = [{ since: 0, until: Number.POSITIVE_INFINITY }];
  const findings: string[] = [];
  let [reads, hits, anonymousReads, writes, purges] = [0, 0, 0, 0, 0];
  const isWriting = new Set<string>();

  async function rename(): Promise<void> {
    const product = products[random(products.length)];
    if (!product || isWriting.has(product.productId)) return;
    isWriting.add(product.productId);
    const previous = currentName.get(product.productId) ?? '';
    const name = `${previous.split(' ')[0]} ${Number(previous.split(' ')[1]) + 1}`;
    names.set(name, { since: Date.now(), until: Number.POSITIVE_INFINITY });
    const { status } = await t.rest('PUT', `${at}/products/${product.productId}`, {
      as: shop.admin,
      body: { name },
    });
    if (status !== 200) findings.push(`a rename was answered with ${status}`);
    const ended = names.get(previous);
    if (ended) ended.until = Date.now();
    currentName.set(product.productId, name);
    writes += 1;
    isWriting.delete(product.productId);
  }

  async function toggle(): Promise<void> {
    if (isWriting.has('shop')) return;
    isWriting.add('shop');
    await setPublicRead(false);
    const last = open.at(-1);
    if (last) last.until = Date.now();
    await new Promise((resolve) => setTimeout(resolve, 200));
    open.push({ since: Date.now(), until: Number.POSITIVE_INFINITY });
    await setPublicRead(true);
    writes += 2;
    isWriting.delete('shop');
  }

  /** Of any caller, and of one without the token, which Varnish rejects. */
  async function purge(): Promise<void> {
    const keys = [businessId, `${businessId}.products`, products[random(products.length)]?.productId ?? ''];
    const isAllowed = random(2) === 0;
    const { status } = await fetch(url, {
      method: 'PURGE',
      headers: {
        'xkey-purge': keys[random(keys.length)] ?? '',
        ...(isAllowed ? { authorization: `Bearer ${purgeToken}` } : {}),
      },
    });
    if ((status === 200) !== isAllowed) findings.push(`a purge was answered with ${status}`);
    purges += 1;
  }

  const paths = () => {
    const id = products[random(products.length)]?.productId;
    return [
      `${at}/products/${id}`,
      `${at}/products/${id}`,
      `${at}/products?limit=20`,
      at,
      `${at}/products/${draft.productId}`,
      documentPath('GetProduct', { businessId, id }),
      documentPath('GetProduct', { businessId, id: draft.productId }),
      documentPath('ListProducts', { businessId, first: 20 }),
    ];
  };

  async function read(): Promise<void> {
    const viewer = viewers[random(viewers.length)];
    const all = paths();
    const path = all[random(all.length)] ?? at;
    const startedAt = Date.now();
    const response = await fetch(`${url}${path}`, {
      headers: {
        // Statuses as in REST.
        accept: path.startsWith('/graphql') ? 'application/graphql-response+json' : '*/*',
        ...(viewer ? { authorization: `Bearer ${viewer.token}` } : {}),
      },
    });
    const text = await response.text();
    const isHit = response.headers.get('x-cache') === 'hit';
    reads += 1;
    if (!viewer) anonymousReads += 1;
    if (isHit) hits += 1;
    const report = (problem: string) =>
      findings.push(
        `${problem}: ${path} as ${viewer ? viewers.indexOf(viewer) : 'anonymous'} ${response.status} ${text.slice(0, 80)}`,
      );
    if (viewer && isHit) report('a stored response for a viewer with a token');
    if (text.includes('secret draft') && !seesDrafts(viewer) && viewer !== staff) report('a draft');
    if (seesDrafts(viewer) && path.endsWith(draft.productId) && response.status !== 200)
      report('an admin does not see the draft');
    const oldest = startedAt - (viewer ? 0 : boundMs + toleranceMs);
    if (!viewer && response.status === 200 && !open.some(({ until }) => until >= oldest))
      report('a response after publicRead has ended');
    for (const [, name = ''] of text.matchAll(/"name":"([abcd] \d+)"/g)) {
      const shown = names.get(name);
      if (!shown || shown.until < oldest || shown.since > Date.now()) report('an old response');
    }
  }

  let step = 0;
  await Promise.all(
    Array.from({ length: parallel }, async () => {
      while (step < steps) {
        step += 1;
        const choice = random(1000);
        if (choice < 2) await toggle();
        else if (choice < 20) await rename();
        else if (choice < 25) await purge();
        else await read();
      }
    }),
  );
  return { findings, reads, anonymousReads, hits, writes, purges };
}
