/** Uses both installed clients against a gateway and prints the results as JSON: paging, errors, retries, token refresh, subscriptions, webhooks. */
import * as graphql from '@duet-gateway/client-graphql';
import { ListProductsDocument } from '@duet-gateway/client-graphql/operations';
import { createClient, DuetError, type Tokens, verifyWebhook } from '@duet-gateway/client-rest';

const url = process.env.DUET_URL ?? '';
const path = { businessId: '01900000-0000-7000-8000-00000000000b' };

/** Error of a call that must fail. */
const errorOf = async (call: Promise<unknown>): Promise<Error> => {
  const error = await call.then(
    () => undefined,
    (error: unknown) => error,
  );
  if (error instanceof Error) return error;
  throw new Error('The call did not fail.');
};

const rest = createClient({ url });
rest.signIn(await rest.api.Login({ body: { provider: 'GUEST' } }));
const tokens = rest.tokens as Tokens;
const shop = graphql.createClient({ url, tokens });

const restNames: string[] = [];
for await (const { name } of rest.each('ListProducts', { path, query: { limit: 3 } })) restNames.push(name);
const graphqlNames: string[] = [];
for await (const { name } of shop.each(
  ListProductsDocument,
  { ...path, first: 4 },
  ({ products }) => products,
))
  graphqlNames.push(name);
const firstPage = await rest.api.ListProducts({ path, query: { limit: 100 } });

const product = firstPage.items.find(({ variants }) => (variants[0]?.inventory?.quantity ?? 0) > 5);
const variantId = product?.variants[0]?.id;
if (!product || !variantId) throw new Error('The demo shop has no product in stock.');
const cart = (quantity: number) => ({
  path,
  body: {
    market: 'US',
    shippingMethodId: 'standard',
    items: [{ productId: product.id, variantId, quantity }],
  },
});
const outOfStock = await errorOf(rest.api.Checkout(cart(1_000_000)));
const forbidden = await errorOf(
  shop.run<unknown, object>(
    {
      toString: () =>
        'mutation ($businessId: ID!) { deleteProduct(businessId: $businessId, id: "x") { deletedId } }',
    },
    path,
  ),
);

/** Client whose connection breaks once: before the first request is sent, or after. */
function createBrokenClient(beforeSending: boolean) {
  const requests: Request[] = [];
  const client = createClient({
    url,
    tokens,
    async fetch(request) {
      requests.push(request.clone());
      const isFirst = requests.length === 1;
      if (isFirst && beforeSending) throw new TypeError('broken');
      const response = await fetch(request);
      if (isFirst) throw new TypeError('broken');
      return response;
    },
  });
  return { client, requests };
}
const lostResponse = createBrokenClient(false);
const order = await lostResponse.client.api.Checkout(cart(1));
const orders = await rest.api.ListOrders({ path });
const lostRequest = createBrokenClient(true);
await lostRequest.client.api.GetProduct({ path: { ...path, id: product.id } });

let refreshes = 0;
const staleTokens = { ...tokens, accessToken: 'stale' };
const onTokens = () => {
  refreshes += 1;
};
const stale = createClient({ url, tokens: staleTokens, onTokens });
// Concurrent requests share one refresh.
const [me] = await Promise.all([stale.api.GetMe(), stale.api.GetMe(), stale.api.GetMe()]);
const meInGraphql = await graphql
  .createClient({ url, tokens: { ...staleTokens, expiresAt: 1 }, onTokens })
  .run<{ me: { id: string } }, object>({ toString: () => '{ me { id } }' }, {});

const ended = createClient({ url, tokens: { accessToken: 'stale', refreshToken: 'stale' } });
const endedError = await errorOf(ended.api.GetMe());

const watch = {
  toString: () => `subscription ($businessId: ID!, $id: ID) {
  stockChanged(businessId: $businessId, productId: $id) { inventory { quantity } } }`,
};
// Sends only the id of the document.
const trustedKeys: string[] = [];
const trusting = graphql.createClient({
  url,
  tokens,
  trusted: true,
  async fetch(request) {
    trustedKeys.push(...Object.keys(await request.clone().json()));
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

// A stream ends when the token that it was opened with expires; the client refreshes and reconnects.
let openedStreams = 0;
const expiring = graphql.createClient({
  url,
  tokens,
  fetch(request) {
    openedStreams += request.url.endsWith('/graphql') ? 1 : 0;
    if (openedStreams > 1 || request.url.endsWith('/refresh')) return fetch(request);
    const expired = '{"errors":[{"message":"Over.","extensions":{"code":"UNAUTHENTICATED"}}]}';
    const stream = { headers: { 'content-type': 'text/event-stream' } };
    return Promise.resolve(
      new Response(`event: next\ndata: ${expired}\n\nevent: complete\ndata:\n\n`, stream),
    );
  },
});
for await (const _ of expiring.watch<object, object>(watch, { ...path, id: product.id })) break;

// The client reconnects when a connection ends right after an event, as when a gateway stops.
let connections = 0;
const stopping = graphql.createClient({
  url,
  tokens,
  fetch(request) {
    connections += 1;
    if (connections > 1) return fetch(request);
    const event = 'event: next\ndata: {"data":{"stockChanged":null}}\n\n';
    return Promise.resolve(new Response(event, { headers: { 'content-type': 'text/event-stream' } }));
  },
});
const events: unknown[] = [];
for await (const { stockChanged } of stopping.watch<{ stockChanged: object | null }, object>(watch, {
  ...path,
  id: product.id,
})) {
  events.push(typeof stockChanged, stockChanged === null);
  if (events.length === 4) break;
}

const abort = new AbortController();
const aborted = await errorOf(
  (async () => {
    for await (const _ of shop.watch<object, object>(watch, { ...path, id: product.id }, abort))
      abort.abort();
  })(),
);

const { secret, headers, body } = JSON.parse(process.env.WEBHOOK ?? '') as {
  secret: string;
  headers: Record<string, string>;
  body: string;
};
const message = await verifyWebhook(secret, headers, body);
// `type` discriminates the type of `data`.
const orderTotal = message.type === 'order.created' ? message.data.total : undefined;
const forged = await errorOf(verifyWebhook(secret, new Headers(headers), body.replace('created', 'deleted')));

const isSame = (a: readonly string[], b: readonly string[]) => JSON.stringify(a) === JSON.stringify(b);
console.log(
  JSON.stringify({
    products: {
      onPages: isSame(
        restNames,
        firstPage.items.map(({ name }) => name),
      ),
      inGraphql: isSame(restNames, graphqlNames),
    },
    outOfStock: [
      outOfStock.name,
      outOfStock instanceof DuetError && outOfStock.details[0]?.error,
      outOfStock instanceof DuetError && outOfStock.requestId !== undefined,
    ],
    forbidden: [forbidden.name, forbidden instanceof graphql.DuetError && forbidden.code],
    lostResponse: {
      requests: lostResponse.requests.length,
      keys: new Set(lostResponse.requests.map(({ headers }) => headers.get('idempotency-key'))).size,
      orders: orders.items.filter(({ id }) => id === order.orderId).length,
      ofThisGuest: orders.items.length,
    },
    lostRequest: { requests: lostRequest.requests.length },
    refreshed: {
      isSameGuest: me.id === meInGraphql.me.id,
      refreshes,
    },
    ended: [endedError.name, ended.tokens ?? null],
    trusted: [trustedKeys, trusted.nodes.length],
    watched,
    openedStreams,
    reconnected: [connections, events],
    aborted: aborted.name,
    webhook: [message.type, orderTotal, forged.name],
  }),
);
process.exit(0);
