/** Documents of GraphQL Code Generator, which `src/apollo.ts` and `src/fetch.ts` send. */
import { graphql } from './generated/codegen/gql.ts';

export const SignIn = graphql(`
  mutation SignIn($input: LoginInput!) {
    login(input: $input) { auth { accessToken } }
  }
`);

export const ProductList = graphql(`
  query ProductList($businessId: ID!, $first: Int!, $after: String) {
    products(businessId: $businessId, first: $first, after: $after, sort: NAME) {
      edges { node { id name } }
      pageInfo { endCursor hasNextPage }
    }
  }
`);

export const OneProduct = graphql(`
  query OneProduct($businessId: ID!, $id: ID!) {
    product(businessId: $businessId, id: $id) { id name variants { id } }
  }
`);

export const Buy = graphql(`
  mutation Buy($businessId: ID!, $input: CheckoutInput!) {
    checkout(businessId: $businessId, input: $input) {
      errors { code field message }
      result { orderId checkoutUrl }
    }
  }
`);

export const Stock = graphql(`
  subscription Stock($businessId: ID!, $productId: ID!) {
    stockChanged(businessId: $businessId, productId: $productId) { variantId inventory { quantity } }
  }
`);
