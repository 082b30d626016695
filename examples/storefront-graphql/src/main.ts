/** A visitor of the demo shop: signs in as a guest, looks around, looks closer, asks for a price and buys. */
import { createClient } from 'duet-client-graphql';
import { graphql } from './generated';

const SignInAsGuest = graphql(`
  mutation SignInAsGuest {
    login(input: { provider: "GUEST" }) {
      auth {
        accessToken
        refreshToken
        expiresAt
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

const PriceOfCart = graphql(`
  query PriceOfCart($cart: QuoteInput!) {
    quote(input: $cart) {
      id
      subtotal
      tax
      shipping
      total
      currency
    }
  }
`);

const Buy = graphql(`
  mutation Buy($businessId: ID!, $cart: CheckoutInput!) {
    tryCheckout(businessId: $businessId, input: $cart) {
      __typename
      ... on CheckoutPayload {
        orderId
        checkoutUrl
        status
      }
      ... on Refusal {
        message
        details {
          field
          error
        }
      }
    }
  }
`);

const businessId = process.env.BUSINESS_ID ?? '01900000-0000-7000-8000-00000000000b';
const client = createClient({
  url: process.env.DUET_URL ?? 'http://localhost:4000',
  trusted: process.env.TRUSTED === '1',
});

const { login } = await client.run(SignInAsGuest, {});
client.signIn(login.auth);

const { products } = await client.run(Catalogue, { businessId });
console.log(`${products.totalCount} products`);
for (const { name, variants } of products.nodes) {
  const price = variants[0]?.pricing.markets[0];
  console.log(`- ${name}${price ? `, ${(price.price / 100).toFixed(2)} ${price.currency}` : ''}`);
}

const first = products.nodes[0];
const variant = first?.variants[0];
if (!first || !variant) throw new Error('The shop has nothing to sell.');
const { product } = await client.run(OneProduct, { businessId, id: first.id });
console.log(`${product?.name}: ${product?.variants.length} variants`);

const items = [{ productId: first.id, variantId: variant.id, quantity: 1 }];
const delivery = { market: 'US', shippingMethodId: 'standard' };
const { quote } = await client.run(PriceOfCart, { cart: { businessId, ...delivery, lines: items } });
console.log(`One of them costs ${(quote.total / 100).toFixed(2)} ${quote.currency}, delivered`);

// The quote locks its prices for a quarter of an hour; the key makes a retry safe.
const cart = { ...delivery, items, quote: quote.id };
const buy = async (more: { promoCode?: string }): Promise<string> => {
  const variables = { businessId, cart: { ...cart, ...more } };
  const { tryCheckout } = await client.run(Buy, variables, { idempotencyKey: true });
  if (tryCheckout.__typename === 'Refusal')
    return tryCheckout.details.some(({ error }) => error === 'QUOTE_MISMATCH')
      ? 'The quote is for another cart'
      : tryCheckout.message;
  return tryCheckout.checkoutUrl
    ? `Pay at ${tryCheckout.checkoutUrl}`
    : `Order ${tryCheckout.orderId} is ${tryCheckout.status}`;
};
console.log(await buy({ promoCode: 'NO-SUCH-CODE' }));
console.log(await buy({}));
