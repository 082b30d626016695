/** Runs custom `gql` documents against a gateway and prints the results as JSON. Also a compile-time test of their types. */
import { createClient } from '@duet-gateway/client-graphql';
import { gql, type ResultOf, type VariablesOf } from '@duet-gateway/client-graphql/gql';
import { LoginDocument } from '@duet-gateway/client-graphql/operations';

const url = process.env.DUET_URL ?? '';
const businessId = '01900000-0000-7000-8000-00000000000b';

const Card = gql('fragment Card on Product { id name }');
const Shelf = gql(
  `query Shelf($businessId: ID!, $first: Int, $after: String) {
    products(businessId: $businessId, first: $first, after: $after) {
      nodes { ...Card slug }
      pageInfo { hasNextPage endCursor }
    }
  }`,
  [Card],
);
const Mine = gql(
  `query Mine($businessId: ID!, $id: ID!) {
    product(businessId: $businessId, id: $id) { ...Card variants { quantity: inventory { quantity } } }
  }`,
  [Card],
);
const Stock = gql(`subscription Stock($businessId: ID!, $id: ID) {
  stockChanged(businessId: $businessId, productId: $id) { inventory { quantity } }
}`);

// Named types of variables and results.
const variables: VariablesOf<typeof Shelf> = { businessId, first: 3, after: undefined };
const heading = ({ product }: ResultOf<typeof Mine>): string | undefined => product?.name.toUpperCase();

const shop = createClient({ url });
const { login } = await shop.run(LoginDocument, { input: { provider: 'GUEST' } });
shop.signIn(login.auth);

const shelf: ResultOf<typeof Card>[] = [];
for await (const { id, name, slug } of shop.each(Shelf, variables, ({ products }) => products))
  shelf.push({ id, name: slug === '' ? '' : name });
const [first] = shelf;
if (!first) throw new Error('The demo shop has no products.');
const mine = await shop.run(Mine, { businessId, id: first.id });
const quantity: number | undefined = mine.product?.variants[0]?.quantity?.quantity;
let watchedQuantity: number | undefined;
for await (const { stockChanged } of shop.watch(Stock, { businessId, id: first.id })) {
  watchedQuantity = stockChanged.inventory?.quantity;
  break;
}

/** Never called: each statement after a comment must be a compile error. */
export async function compileErrors(): Promise<void> {
  // @ts-expect-error The field is not selected.
  mine.product?.slug;
  // @ts-expect-error A variable is missing.
  await shop.run(Mine, { businessId });
  // @ts-expect-error A variable has the wrong type.
  await shop.run(Shelf, { businessId, first: '3' });
  // @ts-expect-error A fragment is missing in the list.
  gql('query ($businessId: ID!, $id: ID!) { product(businessId: $businessId, id: $id) { ...Card } }');
}

console.log(
  JSON.stringify({
    shelf: shelf.length > 3,
    heading: heading(mine) === first.name.toUpperCase(),
    quantity: typeof quantity,
    watched: watchedQuantity === quantity,
  }),
);
process.exit(0);
