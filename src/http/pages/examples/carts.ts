/** Example operations on the cart of the viewer, for GraphiQL. */
import { buildSeedId, demoShopIdsAndLogins } from '../../../seed/shop-data.ts';
import type { ExampleOperation } from '../example-operation-type.ts';

export const exampleOperations: readonly ExampleOperation[] = [
  {
    query: `# Opens a cart and adds a product. Root fields of a mutation run one after the other.
mutation FillCart($businessId: ID!, $cart: OpenCartInput!, $line: AddCartLineInput!) {
  openCart(businessId: $businessId, input: $cart) {
    cart {
      id
    }
  }
  addCartLine(businessId: $businessId, input: $line) {
    cart {
      lines {
        name
        variantName
        quantity
        totalPriceMoney {
          formatted(locale: "en")
        }
      }
      totalMoney {
        formatted(locale: "en")
      }
      problems {
        field
        message
      }
    }
  }
}
`,
    variables: {
      businessId: demoShopIdsAndLogins.businessId,
      cart: { market: 'US', shippingMethodId: 'standard', email: 'guest@example.com' },
      line: { productId: buildSeedId(3, 11), variantId: buildSeedId(4, 161), quantity: 1 },
    },
  },
  {
    query: `# Places the order of the cart: fill it first, with the tab FillCart. Open checkoutUrl to pay.
mutation CheckOut($businessId: ID!, $input: CheckoutCartInput!) {
  checkoutCart(businessId: $businessId, input: $input) {
    requiresPayment
    checkoutUrl
    order {
      number
      status
      totalMoney {
        formatted(locale: "en")
      }
    }
  }
}
`,
    variables: { businessId: demoShopIdsAndLogins.businessId, input: {} },
  },
];
