/** The rules whose tests are tested, each with the quick tests that are to find a fault in it. */
const order = ['test/rules/money.test.ts'];
const shipping = ['test/rules/shipping.test.ts'];
const returns = ['test/rules/returns.test.ts'];
const pricing = ['test/rules/prices.test.ts', 'test/pricing/pricing.test.ts'];
const rights = ['test/rules/rights.test.ts'];
const cost = ['test/rules/cost.test.ts'];
const openapi = ['test/rules/openapi.test.ts'];

export const rules: Readonly<Record<string, readonly string[]>> = {
  // Money
  'src/domains/orders/amount-due.ts': order,
  'src/domains/orders/refund-rules.ts': order,
  'src/domains/orders/totals.ts': order,
  'src/domains/orders/with-money.ts': order,
  'src/domains/payments/rules.ts': ['test/payments/rules.test.ts'],
  'src/domains/pricing/applied.ts': pricing,
  'src/domains/pricing/promo.ts': pricing,
  'src/domains/pricing/rules.ts': pricing,
  'src/domains/pricing/unit-price.ts': ['test/pricing/unit-price.test.ts', 'test/rules/prices.test.ts'],
  'src/lib/money.ts': ['test/lib/money.test.ts'],
  // Stock and goods
  'src/domains/orders/fulfilment-rules.ts': shipping,
  'src/domains/orders/line-stock.ts': returns,
  'src/domains/orders/line-units.ts': shipping,
  'src/domains/orders/progress.ts': shipping,
  'src/domains/orders/return-rules.ts': returns,
  'src/domains/products/rules.ts': ['test/rules/variants.test.ts'],
  // Transitions
  'src/domains/orders/transitions.ts': ['test/rules/histories.test.ts'],
  'src/domains/shared/history.ts': ['test/rules/histories.test.ts'],
  // Permissions and visibility
  'src/auth/holds.ts': rights,
  'src/auth/permissions.ts': rights,
  'src/domains/collections/visibility.ts': rights,
  'src/domains/entries/public-view.ts': rights,
  'src/domains/entries/visibility.ts': rights,
  'src/domains/products/visibility.ts': rights,
  'src/graphql/scopes.ts': rights,
  // Cost
  'src/graphql/cost.ts': cost,
  'src/graphql/introspection-cost.ts': cost,
  'src/graphql/overlap.ts': cost,
  'src/graphql/weight.ts': cost,
  // Idempotency and paging
  'src/idempotency.ts': ['test/rules/idempotency.test.ts'],
  'src/lib/paging.ts': ['test/rules/paging.test.ts'],
  // The printer of OpenAPI
  'scripts/openapi/code-samples.ts': openapi,
  'scripts/openapi/conditions.ts': openapi,
  'scripts/openapi/json-schema.ts': openapi,
  'scripts/openapi/scopes.ts': openapi,
  'scripts/openapi/selection.ts': openapi,
};

/** Of the mutants of each file, at least so many percent must be found. */
export const wantedScore = 90;
