/** What somebody does with documents of their own: typed by what they select. Prints what came of it. */
import { createClient } from 'duet-client-graphql';
import { gql, type ResultOf, type VariablesOf } from 'duet-client-graphql/gql';
import { LoginDocument } from 'duet-client-graphql/operations';

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

// Types have names where they are needed.
const wanted: VariablesOf<typeof Shelf> = { businessId, first: 3, after: undefined };
const heading = ({ product }: ResultOf<typeof Mine>): string | undefined => product?.name.toUpperCase();

const shop = createClient({ url });
const { login } = await shop.run(LoginDocument, { input: { provider: 'GUEST' } });
shop.signIn(login.auth);

const shelf: ResultOf<typeof Card>[] = [];
for await (const { id, name, slug } of shop.each(Shelf, wanted, ({ products }) => products))
  shelf.push({ id, name: slug === '' ? '' : name });
const [first] = shelf;
if (!first) throw new Error('There is nothing on the shelf.');
const mine = await shop.run(Mine, { businessId, id: first.id });
const counted: number | undefined = mine.product?.variants[0]?.quantity?.quantity;
let watched: number | undefined;
for await (const { stockChanged } of shop.watch(Stock, { businessId, id: first.id })) {
  watched = stockChanged.inventory?.quantity;
  break;
}

/** Never called: each line below such a comment must not compile. */
export async function wrong(): Promise<void> {
  // @ts-expect-error A field that was not selected.
  mine.product?.slug;
  // @ts-expect-error A variable is missing.
  await shop.run(Mine, { businessId });
  // @ts-expect-error A variable of another type.
  await shop.run(Shelf, { businessId, first: '3' });
  // @ts-expect-error A fragment that was not given.
  gql('query ($businessId: ID!, $id: ID!) { product(businessId: $businessId, id: $id) { ...Card } }');
}

console.log(
  JSON.stringify({
    shelf: shelf.length > 3,
    heading: heading(mine) === first.name.toUpperCase(),
    counted: typeof counted,
    watched: watched === counted,
  }),
);
process.exit(0);
