/** What somebody does who installed both clients: typed, and run against a gateway. Prints what came of it. */
import * as graphql from 'duet-client-graphql';
import { ListProductsDocument } from 'duet-client-graphql/operations';
import { createClient, DuetError, type Tokens, verifyWebhook } from 'duet-client-rest';

const url = process.env.DUET_URL ?? '';
const path = { businessId: '01900000-0000-7000-8000-00000000000b' };

/** The error that must come. */
const failureOf = async (work: Promise<unknown>): Promise<Error> => {
  const failed = await work.then(
    () => undefined,
    (error: unknown) => error,
  );
  if (failed instanceof Error) return failed;
  throw new Error('It did not fail.');
};

const rest = createClient({ url });
rest.signIn(await rest.api.Login({ body: { provider: 'GUEST' } }));
const tokens = rest.tokens as Tokens;
const shop = graphql.createClient({ url, tokens });

const names: string[] = [];
for await (const { name } of rest.each('ListProducts', { path, query: { limit: 3 } })) names.push(name);
const inGraphql: string[] = [];
for await (const { name } of shop.each(
  ListProductsDocument,
  { ...path, first: 4 },
  ({ products }) => products,
))
  inGraphql.push(name);
const whole = await rest.api.ListProducts({ path, query: { limit: 100 } });

const product = whole.items.find(({ variants }) => (variants[0]?.inventory?.quantity ?? 0) > 5);
const variantId = product?.variants[0]?.id;
if (!product || !variantId) throw new Error('There is nothing to sell.');
const cart = (quantity: number) => ({
  path,
  body: {
    market: 'US',
    shippingMethodId: 'standard',
    items: [{ productId: product.id, variantId, quantity }],
  },
});
const refused = await failureOf(rest.api.Checkout(cart(1_000_000)));
const forbidden = await failureOf(
  shop.run<unknown, object>(
    {
      toString: () =>
        'mutation ($businessId: ID!) { deleteProduct(businessId: $businessId, id: "x") { id } }',
    },
    path,
  ),
);

/** A connection that breaks once: before the request is sent, or after. */
function breaking(before: boolean) {
  const sent: Request[] = [];
  const client = createClient({
    url,
    tokens,
    async fetch(request) {
      sent.push(request.clone());
      const isFirst = sent.length === 1;
      if (isFirst && before) throw new TypeError('broken');
      const response = await fetch(request);
      if (isFirst) throw new TypeError('broken');
      return response;
    },
  });
  return { client, sent };
}
const answer = breaking(false);
const ordered = await answer.client.api.Checkout(cart(1));
const orders = await rest.api.ListOrders({ path });
const question = breaking(true);
await question.client.api.GetProduct({ path: { ...path, id: product.id } });

let told = 0;
const stale = { ...tokens, accessToken: 'stale' };
const onTokens = () => {
  told += 1;
};
const again = createClient({ url, tokens: stale, onTokens });
// All at once: they share one refresh.
const [me] = await Promise.all([again.api.GetMe(), again.api.GetMe(), again.api.GetMe()]);
const meInGraphql = await graphql
  .createClient({ url, tokens: { ...stale, expiresAt: 1 }, onTokens })
  .run<{ me: { id: string } }, object>({ toString: () => '{ me { id } }' }, {});

const over = createClient({ url, tokens: { accessToken: 'stale', refreshToken: 'stale' } });
const ended = await failureOf(over.api.GetMe());

const watch = {
  toString: () => `subscription ($businessId: ID!, $id: ID) {
  stockChanged(businessId: $businessId, productId: $id) { inventory { quantity } } }`,
};
// By its id alone, as a gateway that trusts documents wants it.
const sent: string[] = [];
const trusting = graphql.createClient({
  url,
  tokens,
  trusted: true,
  async fetch(request) {
    sent.push(...Object.keys(await request.clone().json()));
    return fetch(request);
  },
});
const { products: trusted } = await trusting.run(ListProductsDocument, { ...path, first: 2 });

let watched = '';
for await (const event of shop.watch<{ stockChanged: { inventory: { quantity: number } } }, object>(watch, {
  ...path,
  id: product.id,
})) {
  watched = typeof event.stockChanged.inventory.quantity;
  break;
}

// A stream ends with the token that it was opened with.
let opened = 0;
const outliving = graphql.createClient({
  url,
  tokens,
  fetch(request) {
    opened += request.url.endsWith('/graphql') ? 1 : 0;
    if (opened > 1 || request.url.endsWith('/refresh')) return fetch(request);
    const over = '{"errors":[{"message":"Over.","extensions":{"code":"UNAUTHENTICATED"}}]}';
    const stream = { headers: { 'content-type': 'text/event-stream' } };
    return Promise.resolve(new Response(`event: next\ndata: ${over}\n\nevent: complete\ndata:\n\n`, stream));
  },
});
for await (const _ of outliving.watch<object, object>(watch, { ...path, id: product.id })) break;

// A connection that ends together with its event, as when a gateway stops, is opened again.
let reopened = 0;
const ending = graphql.createClient({
  url,
  tokens,
  fetch(request) {
    reopened += 1;
    if (reopened > 1) return fetch(request);
    const event = 'event: next\ndata: {"data":{"stockChanged":null}}\n\n';
    return Promise.resolve(new Response(event, { headers: { 'content-type': 'text/event-stream' } }));
  },
});
const came: unknown[] = [];
for await (const { stockChanged } of ending.watch<{ stockChanged: object | null }, object>(watch, {
  ...path,
  id: product.id,
})) {
  came.push(typeof stockChanged, stockChanged === null);
  if (came.length === 4) break;
}

const halt = new AbortController();
const halted = await failureOf(
  (async () => {
    for await (const _ of shop.watch<object, object>(watch, { ...path, id: product.id }, halt)) halt.abort();
  })(),
);

const { secret, headers, body } = JSON.parse(process.env.WEBHOOK ?? '') as {
  secret: string;
  headers: Record<string, string>;
  body: string;
};
const genuine = await verifyWebhook(secret, headers, body);
// The type says what the data is.
const toldTotal = genuine.type === 'order.created' ? genuine.data.total : undefined;
const forged = await failureOf(
  verifyWebhook(secret, new Headers(headers), body.replace('created', 'deleted')),
);

const isSame = (a: readonly string[], b: readonly string[]) => JSON.stringify(a) === JSON.stringify(b);
console.log(
  JSON.stringify({
    products: {
      onPages: isSame(
        names,
        whole.items.map(({ name }) => name),
      ),
      inRest: isSame(names, inGraphql),
    },
    refused: [
      refused.name,
      refused instanceof DuetError && refused.details[0]?.error,
      refused instanceof DuetError && refused.requestId !== undefined,
    ],
    forbidden: [forbidden.name, forbidden instanceof graphql.DuetError && forbidden.code],
    lostAnswer: {
      requests: answer.sent.length,
      keys: new Set(answer.sent.map(({ headers }) => headers.get('idempotency-key'))).size,
      orders: orders.items.filter(({ id }) => id === ordered.orderId).length,
      ofThisGuest: orders.items.length,
    },
    lostQuestion: { requests: question.sent.length },
    refreshed: {
      isSameGuest: me.id === meInGraphql.me.id,
      told,
    },
    ended: [ended.name, over.tokens ?? null],
    trusted: [sent, trusted.nodes.length],
    watched,
    outlived: opened,
    reopened: [reopened, came],
    halted: halted.name,
    webhook: [genuine.type, toldTotal, forged.name],
  }),
);
process.exit(0);
