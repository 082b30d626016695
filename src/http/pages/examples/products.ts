/** Example operations on products, for GraphiQL. */
import { demoShopIdsAndLogins } from '../../../seed/shop-data.ts';
import type { ExampleOperation } from '../example-operation-type.ts';

export const exampleOperations: readonly ExampleOperation[] = [
  {
    query: `# Products of the shop, with prices and stock.
# The page adds a token: run it as it is.
query Products($businessId: ID!) {
  products(businessId: $businessId, first: 5) {
    totalCount
    nodes {
      name
      slug
      variants {
        name
        pricing {
          markets {
            market
            priceMoney {
              formatted
            }
          }
        }
        inventory {
          tracked
          quantity
        }
      }
    }
    pageInfo {
      hasNextPage
      endCursor
    }
  }
}
`,
    variables: { businessId: demoShopIdsAndLogins.businessId },
  },
  {
    query: `# One product, by its slug.
query OneProduct($businessId: ID!, $slug: ID!) {
  product(businessId: $businessId, id: $slug) {
    id
    name
    description
    status
  }
}
`,
    variables: { businessId: demoShopIdsAndLogins.businessId, slug: 'house-espresso-no-4' },
  },
  {
    query: `# The stock of one product: the current value, then every change. Buy one to see an event.
subscription Stock($businessId: ID!, $slug: ID!) {
  stockChanged(businessId: $businessId, productId: $slug) {
    variantId
    sku
    inventory {
      quantity
      isLow
    }
  }
}
`,
    variables: { businessId: demoShopIdsAndLogins.businessId, slug: 'house-espresso-no-4' },
  },
  {
    query: `# Creates a product. Requires the permission PRODUCTS_WRITE: sign in first.
mutation NewProduct($businessId: ID!, $input: CreateProductInput!) {
  createProduct(businessId: $businessId, input: $input) {
    product {
      id
      slug
      version
    }
  }
}
`,
    variables: {
      businessId: demoShopIdsAndLogins.businessId,
      input: { name: 'Teapot', status: 'DRAFT', variants: [{ name: 'Small', sku: 'TEA-POT-S' }] },
    },
  },
];
