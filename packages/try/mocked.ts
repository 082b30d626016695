/** Uses both clients with their mocks, without a gateway, and prints the results as JSON. */
import * as graphql from '@duet-gateway/client-graphql';
import * as graphqlMocks from '@duet-gateway/client-graphql/mocks';
import { GetProductDocument, ListProductsDocument } from '@duet-gateway/client-graphql/operations';
import { createClient, DuetError, type OperationName } from '@duet-gateway/client-rest';
import * as mocks from '@duet-gateway/client-rest/mocks';
import { setupServer } from 'msw/node';

const url = 'https://shop.example:8443';
const path = { businessId: 'b', id: 'p' };
const server = setupServer(...mocks.handlers(url), ...graphqlMocks.handlers(url));
server.listen({ onUnhandledRequest: 'error' });

const trusted = graphql.createClient({ url, trusted: true });
/** Class, message and detail codes of the error of a call that must fail. */
const errorOf = async (call: Promise<unknown>): Promise<unknown> =>
  call.then(
    () => 'The call did not fail.',
    (error: unknown) =>
      error instanceof DuetError || error instanceof graphql.DuetError
        ? [error.name, error.message, error.details.map((detail) => detail.error)]
        : String(error),
  );

const rest = createClient({ url });
const shop = graphql.createClient({ url, tokens: { accessToken: 'old', refreshToken: 'r', expiresAt: 1 } });

// Every route gets the path parameters of all routes.
const allParameters = {
  ...{ businessId: 'b', id: 'i', code: 'US', lineId: 'l', endpointId: 'e', collectionId: 'c' },
  ...{ userId: 'u', refundId: 'r', fulfilmentId: 'f', entryType: 'ORDER' },
};
let routes = 0;
for (const [name, call] of Object.entries(rest.api) as [OperationName, (request: object) => unknown][]) {
  const response = await call({ path: allParameters });
  if (JSON.stringify(response) !== JSON.stringify(mocks.answers[name]))
    throw new Error(`${name} got the response of another route.`);
  routes += 1;
}

rest.signIn(await rest.api.Login({ body: { provider: 'GUEST' } }));
const restNames: string[] = [];
for await (const { name } of rest.each('ListProducts', { path })) restNames.push(name);
const graphqlNames: string[] = [];
for await (const { name } of shop.each(ListProductsDocument, path, ({ products }) => products))
  graphqlNames.push(name);

const custom: graphql.Document<{ me: { name: string } }, { loud: boolean }> = {
  toString: () => 'query Custom { me { name } }',
};
const stock: graphql.Document<{ stockChanged: { id: string } }, object> = {
  toString: () => 'subscription Stock { stockChanged(businessId: "b") { id } }',
};
const unknownRequests = [
  await errorOf(
    fetch(`${url}/v1/nowhere`).then(async (response) => Promise.reject((await response.json()).message)),
  ),
  await errorOf(shop.run(custom, { loud: true })),
];
const details = [{ field: 'items.0', error: 'OUT_OF_STOCK', message: 'None left.' }] as const;
server.use(
  mocks.answering(url, 'GetProduct', { ...mocks.answers.GetProduct, name: 'Kettle' }),
  mocks.refusing(url, 'Checkout', { code: 'VALIDATION_FAILED', message: 'None left.', details }),
  graphqlMocks.answering(url, custom, ({ loud }) => ({ me: { name: loud ? 'ADA' : 'Ada' } })),
  graphqlMocks.answering(url, stock, { stockChanged: { id: 'v' } }),
  graphqlMocks.refusing(url, GetProductDocument, { code: 'NOT_FOUND', message: 'No such product.' }),
);
const events: string[] = [];
for await (const { stockChanged } of shop.watch(stock, {})) events.push(stockChanged.id);

console.log(
  JSON.stringify({
    routes: routes === Object.keys(mocks.answers).length,
    operations: Object.keys(graphqlMocks.answers).length,
    restNames,
    graphqlNames,
    tokens: [typeof rest.tokens?.accessToken, shop.tokens?.accessToken !== 'old'],
    unknownRequests,
    changed: (await rest.api.GetProduct({ path })).name,
    restError: await errorOf(rest.api.Checkout({ path, body: { market: 'US', items: [] } })),
    custom: await shop.run(custom, { loud: true }),
    graphqlError: await errorOf(shop.run(GetProductDocument, path)),
    events,
    trusted: (await trusted.run(ListProductsDocument, path)).products.nodes.length,
    trustedError: await errorOf(trusted.run(GetProductDocument, path)),
  }),
);
server.close();
