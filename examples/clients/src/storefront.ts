/** The steps that every client takes, and the settings from the environment. */

export interface Storefront {
  /** Signs in with email and password. Later steps send the token. */
  signIn(email: string, password: string): Promise<void>;
  /** Names of the products of two pages, read from the cache of the client where it has one. */
  listProducts(pageSize: number): Promise<string[]>;
  product(id: string): Promise<{ id: string; name: string; variantId: string }>;
  /** Error codes of an order that the shop cannot deliver. */
  buy(line: CartLine): Promise<string[]>;
  /** First event of the stock of a product. */
  watchStock(productId: string): Promise<number>;
  close(): Promise<void> | void;
}

export interface CartLine {
  productId: string;
  variantId: string;
  quantity: number;
}

export const gatewayUrl = process.env.DUET_URL ?? 'http://localhost:4000';
export const graphqlUrl = `${gatewayUrl}/graphql`;
export const socketUrl = graphqlUrl.replace(/^http/, 'ws');
export const businessId = process.env.BUSINESS_ID ?? '01900000-0000-7000-8000-00000000000b';

export const delivery = { market: 'US', shippingMethodId: 'standard' };

/** Headers of the signed-in user. */
export interface Session {
  token: string | undefined;
}

export const authorizationHeader = ({ token }: Session): Record<string, string> =>
  token === undefined ? {} : { authorization: `Bearer ${token}` };

export function required<Value>(value: Value | null | undefined): Value {
  if (value === null || value === undefined) throw new Error('The response lacks a value.');
  return value;
}
