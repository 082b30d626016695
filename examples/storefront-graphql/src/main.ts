/** A visitor of the demo shop: signs in as a guest, looks around, and looks closer. */
import { createClient } from './client';
import { graphql } from './generated';

const SignInAsGuest = graphql(`
  mutation SignInAsGuest {
    login(input: { provider: "GUEST" }) {
      auth {
        accessToken
      }
    }
  }
`);

const Catalogue = graphql(`
  query Catalogue($businessId: ID!, $after: String) {
    products(businessId: $businessId, first: 5, after: $after) {
      totalCount
      nodes {
        id
        name
        variants {
          id
          name
          pricing {
            markets {
              marketId
              price
              currency
            }
          }
        }
      }
      pageInfo {
        hasNextPage
        endCursor
      }
    }
  }
`);

const OneProduct = graphql(`
  query OneProduct($businessId: ID!, $id: ID!) {
    product(businessId: $businessId, id: $id) {
      name
      description
      variants {
        sku
        inventory {
          tracked
          quantity
        }
      }
    }
  }
`);

const businessId = process.env.BUSINESS_ID ?? '01900000-0000-7000-8000-00000000000b';
const client = createClient(process.env.DUET_URL ?? 'http://localhost:4000', {
  trusted: process.env.TRUSTED === '1',
});

const { login } = await client.run(SignInAsGuest, {});
client.signIn(login.auth.accessToken);

const { products } = await client.run(Catalogue, { businessId });
console.log(`${products.totalCount} products`);
for (const { name, variants } of products.nodes) {
  const price = variants[0]?.pricing.markets[0];
  console.log(`- ${name}${price ? `, ${(price.price / 100).toFixed(2)} ${price.currency}` : ''}`);
}

const first = products.nodes[0];
if (first) {
  const { product } = await client.run(OneProduct, { businessId, id: first.id });
  console.log(`${product?.name}: ${product?.variants.length} variants`);
}
