/** Files for mutation testing, each with the unit tests that must detect its mutants. */
const order = ['test/rules/order-money.test.ts', 'test/rules/amount-due.test.ts'];
const shipping = ['test/rules/fulfilment.test.ts'];
const returns = ['test/rules/returns.test.ts'];
const pricing = ['test/rules/prices.test.ts', 'test/pricing/pricing.test.ts'];
const permissions = ['test/rules/permissions.test.ts'];
const cost = ['test/rules/query-cost.test.ts'];
const openapi = ['test/rules/openapi.test.ts'];

export const mutatedFiles: Readonly<Record<string, readonly string[]>> = {
  // Money
  'src/domains/orders/payment/amount-due.ts': order,
  'src/domains/orders/refunds/refund-rules.ts': order,
  'src/domains/orders/manage/order-totals.ts': order,
  'src/domains/orders/payment/derive-payment-status.ts': order,
  'src/domains/payments/payment-attempt-state-machine.ts': ['test/payments/state-machine.test.ts'],
  'src/domains/pricing/line-price-breakdown.ts': pricing,
  'src/domains/pricing/promo-code-eligibility.ts': pricing,
  'src/domains/pricing/compute-cart-price.ts': pricing,
  'src/domains/pricing/unit-price.ts': ['test/pricing/unit-price.test.ts', 'test/rules/prices.test.ts'],
  'src/lib/commerce/format-money.ts': ['test/lib/money.test.ts'],
  // Stock and goods
  'src/domains/orders/fulfilment/fulfilment-rules.ts': shipping,
  'src/domains/orders/manage/line-stock-moves.ts': returns,
  'src/domains/orders/fulfilment/quantities-by-line-index.ts': shipping,
  'src/domains/orders/fulfilment/fulfilment-progress-by-line.ts': shipping,
  'src/domains/orders/returns/return-rules.ts': returns,
  'src/domains/products/build-variants.ts': ['test/rules/variants.test.ts'],
  // Transitions
  'src/domains/orders/status-transitions.ts': ['test/rules/status-histories.test.ts'],
  'src/domains/shared/status-history.ts': ['test/rules/status-histories.test.ts'],
  // Permissions and visibility
  'src/auth/permission-condition-sql.ts': permissions,
  'src/auth/permissions-and-default-roles.ts': permissions,
  'src/domains/collections/visibility-sql.ts': permissions,
  'src/domains/entries/visibility-sql.ts': permissions,
  'src/domains/products/read/visibility-sql.ts': permissions,
  'src/graphql/schema/auth-scopes.ts': permissions,
  // Cost
  'src/graphql/limits/query-cost.ts': cost,
  'src/graphql/limits/introspection-cost.ts': cost,
  'src/graphql/limits/overlapping-fields.ts': cost,
  'src/graphql/limits/measure-document.ts': cost,
  // Idempotency and paging
  'src/idempotency.ts': ['test/rules/idempotency.test.ts'],
  'src/lib/paging.ts': ['test/rules/paging.test.ts'],
  // OpenAPI generator
  'scripts/openapi/code-samples.ts': openapi,
  'scripts/openapi/conditional-fields.ts': openapi,
  'scripts/openapi/json-schema.ts': openapi,
  'scripts/openapi/scopes.ts': openapi,
  'src/rest/route-with-parsed-operation.ts': openapi,
};

/** Minimum percentage of detected mutants per file. */
export const minScore = 90;
