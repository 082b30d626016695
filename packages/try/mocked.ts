/** What somebody's tests do who have no gateway: both clients in front of their mocks. Prints what came of it. */
import * as graphql from 'duet-client-graphql';
import * as graphqlMocks from 'duet-client-graphql/mocks';
import { GetProductDocument, ListProductsDocument } from 'duet-client-graphql/operations';
import { createClient, DuetError, type OperationName } from 'duet-client-rest';
import * as mocks from 'duet-client-rest/mocks';
import { setupServer } from 'msw/node';

const url = 'https://shop.example:8443';
const path = { businessId: 'b', id: 'p' };
const server = setupServer(...mocks.handlers(url), ...graphqlMocks.handlers(url));
server.listen({ onUnhandledRequest: 'error' });

const trusting = graphql.createClient({ url, trusted: true });
const told = async (work: Promise<unknown>): Promise<unknown> =>
  work.then(
    () => 'It did not fail.',
    (error: unknown) =>
      error instanceof DuetError || error instanceof graphql.DuetError
        ? [error.name, error.message, error.details.map((detail) => detail.error)]
        : String(error),
  );

const rest = createClient({ url });
const shop = graphql.createClient({ url, tokens: { accessToken: 'old', refreshToken: 'r', expiresAt: 1 } });

// Each row is asked with every parameter that any of them has.
const everything = {
  ...{ businessId: 'b', id: 'i', code: 'US', lineId: 'l', endpointId: 'e', collectionId: 'c' },
  ...{ userId: 'u', refundId: 'r', fulfilmentId: 'f', entryType: 'ORDER' },
};
let rows = 0;
for (const [name, call] of Object.entries(rest.api) as [OperationName, (request: object) => unknown][]) {
  const answer = await call({ path: everything });
  if (JSON.stringify(answer) !== JSON.stringify(mocks.answers[name])) throw new Error(`${name} got another.`);
  rows += 1;
}

rest.signIn(await rest.api.Login({ body: { provider: 'GUEST' } }));
const listed: string[] = [];
for await (const { name } of rest.each('ListProducts', { path })) listed.push(name);
const inGraphql: string[] = [];
for await (const { name } of shop.each(ListProductsDocument, path, ({ products }) => products))
  inGraphql.push(name);

const own: graphql.Document<{ me: { name: string } }, { loud: boolean }> = {
  toString: () => 'query Own { me { name } }',
};
const watched: graphql.Document<{ stockChanged: { id: string } }, object> = {
  toString: () => 'subscription Stock { stockChanged(businessId: "b") { id } }',
};
const unknown = [
  await told(
    fetch(`${url}/v1/nowhere`).then(async (answer) => Promise.reject((await answer.json()).message)),
  ),
  await told(shop.run(own, { loud: true })),
];
const details = [{ field: 'items.0', error: 'OUT_OF_STOCK', message: 'None left.' }] as const;
server.use(
  mocks.answering(url, 'GetProduct', { ...mocks.answers.GetProduct, name: 'Kettle' }),
  mocks.refusing(url, 'Checkout', { code: 'VALIDATION_FAILED', message: 'None left.', details }),
  graphqlMocks.answering(url, own, ({ loud }) => ({ me: { name: loud ? 'ADA' : 'Ada' } })),
  graphqlMocks.answering(url, watched, { stockChanged: { id: 'v' } }),
  graphqlMocks.refusing(url, GetProductDocument, { code: 'NOT_FOUND', message: 'No such product.' }),
);
const seen: string[] = [];
for await (const { stockChanged } of shop.watch(watched, {})) seen.push(stockChanged.id);

console.log(
  JSON.stringify({
    rows: rows === Object.keys(mocks.answers).length,
    operations: Object.keys(graphqlMocks.answers).length,
    listed,
    inGraphql,
    tokens: [typeof rest.tokens?.accessToken, shop.tokens?.accessToken !== 'old'],
    unknown,
    changed: (await rest.api.GetProduct({ path })).name,
    refused: await told(rest.api.Checkout({ path, body: { market: 'US', items: [] } })),
    own: await shop.run(own, { loud: true }),
    refusedInGraphql: await told(shop.run(GetProductDocument, path)),
    seen,
    trusted: (await trusting.run(ListProductsDocument, path)).products.nodes.length,
    refusedTrusted: await told(trusting.run(GetProductDocument, path)),
  }),
);
server.close();
