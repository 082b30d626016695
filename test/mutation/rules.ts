/** The rules whose tests are tested, each with the quick tests that are to find a fault in it. */
const order = ['test/rules/money.test.ts'];

export const rules: Readonly<Record<string, readonly string[]>> = {
  // Money
  'src/domains/orders/amount-due.ts': order,
  'src/domains/orders/refund-rules.ts': order,
  'src/domains/orders/totals.ts': order,
  'src/domains/orders/with-money.ts': order,
};

/** Of the mutants of each file, at least so many percent must be found. */
export const wantedScore = 90;
