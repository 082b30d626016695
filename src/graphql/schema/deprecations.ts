/** Deprecated schema coordinates with reason, deprecation date and sunset date. */
import { type GraphQLSchema, isInputObjectType, isObjectType } from 'graphql';

export interface Deprecation {
  /** Date of the deprecation, `YYYY-MM-DD`. */
  since: string;
  /** Date from which it may stop working, `YYYY-MM-DD`; absent until decided. */
  sunset?: string;
  /** Replacement; `deprecationReason` has it with the date. */
  reason: string;
}

const oneOfRefund: Deprecation = { since: '2026-11-15', reason: 'Use `of`, which takes exactly one form.' };
const oneOfDiscount: Deprecation = {
  since: '2026-11-15',
  reason: 'Use `discount`, which takes exactly one form.',
};
const oneOfOwner: Deprecation = { since: '2026-11-15', reason: 'Use `ownedBy`, or `collectionId`.' };

const onlyOneType: Deprecation = { since: '2026-11-18', reason: 'All lines sell variants of products.' };

const errorsOf = (mutation: string): Deprecation => ({
  since: '2026-11-18',
  reason: `Use \`${mutation}\` and select \`errors\`.`,
});

const secondName = (name: string): Deprecation => ({ since: '2026-11-18', reason: `Use \`${name}\`.` });

/** In GraphQL only, by schema coordinate: these names stay in REST, or never were in it. */
const graphqlDeprecations = {
  'CartLineInput.type': onlyOneType,
  'CheckoutPayload.status': { since: '2026-11-18', reason: 'Use `requiresPayment`.' },
  'OrderLine.type': onlyOneType,
  'OrderLineInput.type': onlyOneType,
  'CheckoutCartInput.payBy': secondName('paymentMethod'),
  'CheckoutInput.items': secondName('lines'),
  'CheckoutInput.payBy': secondName('paymentMethod'),
  'Collection.isNewsletter': secondName('kind'),
  'CreateWebhookEndpointInput.events': secondName('topics'),
  'LoginInput.signInWith': secondName('provider'),
  'MarketPrice.marketId': secondName('market'),
  'Mutation.tryAdjustStock': errorsOf('adjustStock'),
  'Mutation.tryCheckout': errorsOf('checkout'),
  'Mutation.tryCheckoutCart': errorsOf('checkoutCart'),
  'Mutation.tryLogin': errorsOf('login'),
  'Mutation.tryRegister': errorsOf('register'),
  'Order.paidBy': secondName('paymentMethod'),
  'Order.paymentStatus': secondName('paymentStatuses'),
  'ProductFilter.attributes': { since: '2026-11-19', reason: 'Use `selectedOptions`.' },
  'PlanPrice.interval': secondName('every'),
  'PlanPriceInput.interval': secondName('every'),
  'Query.orders.paymentStatus': secondName('filter'),
  'Query.orders.status': secondName('filter'),
  'Query.orders.statuses': secondName('filter'),
  'Query.products.query': secondName('search'),
  'Query.users.query': secondName('search'),
  'Query.tryQuote': errorsOf('quoteCheckout'),
  'QuoteInput.payBy': secondName('paymentMethod'),
  'SecurityEvent.signedInWith': secondName('provider'),
  'ShippingPrice.marketId': secondName('market'),
  'UpdateWebhookEndpointInput.events': secondName('topics'),
  'WebhookEndpoint.events': secondName('topics'),
} as const satisfies Readonly<Record<string, Deprecation>>;

/** In both protocols, by schema coordinate. Fields of the documented REST contract are never deprecated. */
export const deprecations = {
  'CreateEntryInput.owner': oneOfOwner,
  'CreatePromoCodeInput.amount': oneOfDiscount,
  'CreatePromoCodeInput.bps': oneOfDiscount,
  'CreatePromoCodeInput.currency': oneOfDiscount,
  'CreatePromoCodeInput.type': oneOfDiscount,
  'RefundInput.amount': oneOfRefund,
  'RefundInput.lines': oneOfRefund,
  'UpdateEntryInput.owner': oneOfOwner,
  'UpdatePromoCodeInput.amount': oneOfDiscount,
  'UpdatePromoCodeInput.bps': oneOfDiscount,
  'UpdatePromoCodeInput.currency': oneOfDiscount,
  'UpdatePromoCodeInput.type': oneOfDiscount,
} as const satisfies Readonly<Record<string, Deprecation>>;

type DeprecatedCoordinate = keyof typeof deprecations;

/** All deprecations of the GraphQL schema. */
export const schemaDeprecations: Readonly<Record<string, Deprecation>> = {
  ...deprecations,
  ...graphqlDeprecations,
};

/** Whether a coordinate is deprecated in REST, too. */
export const isDeprecatedCoordinate = (coordinate: string): boolean =>
  Object.hasOwn(deprecations, coordinate);

/** Marks the coordinates that are deprecated in GraphQL only. Those of both protocols are marked where they are declared. */
export function markGraphqlDeprecations(schema: GraphQLSchema): GraphQLSchema {
  for (const [coordinate, deprecation] of Object.entries<Deprecation>(graphqlDeprecations)) {
    const [typeName = '', fieldName = '', argName] = coordinate.split('.');
    const type = schema.getType(typeName);
    const field = isObjectType(type) || isInputObjectType(type) ? type.getFields()[fieldName] : undefined;
    const element =
      argName === undefined || !field || !('args' in field)
        ? field
        : field.args.find(({ name }) => name === argName);
    if (!element) throw new Error(`There is no ${coordinate} to deprecate.`);
    element.deprecationReason = deprecationReason(deprecation);
  }
  return schema;
}

/** `contract:diff` reads the date from here. */
export const deprecationReason = ({ reason, since, sunset }: Deprecation): string =>
  `${reason} Deprecated since ${since}${sunset ? `, removed from ${sunset} on` : ''}.`;

/** Field option that marks a field as deprecated. */
export const deprecatedField = (coordinate: DeprecatedCoordinate) => ({
  deprecationReason: deprecationReason(deprecations[coordinate]),
});
