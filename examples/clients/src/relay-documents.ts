/** Documents of the Relay compiler, which writes src/generated/relay. With its Babel plugin, `graphql` returns the generated modules. */
import { graphql } from 'relay-runtime';

export const documents = () => [
  graphql`
    mutation relayDocumentsSignInMutation($input: LoginInput!) {
      login(input: $input) { auth { accessToken } }
    }
  `,
  graphql`
    query relayDocumentsListQuery($businessId: ID!, $first: Int!, $after: String) {
      ...relayDocuments_products @arguments(businessId: $businessId, first: $first, after: $after)
    }
  `,
  graphql`
    fragment relayDocuments_products on Query
    @argumentDefinitions(businessId: { type: "ID!" }, first: { type: "Int!" }, after: { type: "String" })
    @refetchable(queryName: "relayDocumentsMoreQuery") {
      products(businessId: $businessId, first: $first, after: $after, sort: NAME)
        @stream_connection(key: "relayDocuments_products", filters: ["businessId"], initial_count: 1) {
        edges { node { id name } }
      }
    }
  `,
  graphql`
    query relayDocumentsProductQuery($businessId: ID!, $id: ID!) {
      product(businessId: $businessId, id: $id) { id name variants { id } }
    }
  `,
  graphql`
    mutation relayDocumentsBuyMutation($businessId: ID!, $input: CheckoutInput!) {
      checkout(businessId: $businessId, input: $input) {
        errors { code field message }
        result { orderId checkoutUrl }
      }
    }
  `,
  graphql`
    subscription relayDocumentsStockSubscription($businessId: ID!, $productId: ID!) {
      stockChanged(businessId: $businessId, productId: $productId) { variantId inventory { quantity } }
    }
  `,
];
