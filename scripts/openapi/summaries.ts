/** What operations are called in the list of the reference, where the words of their names do not say it. */
const summaries: Readonly<Record<string, string>> = {
  ChangePlan: 'Change the plan of a subscription',
  ChangePassword: 'Change the password',
  Checkout: 'Check out',
  CheckoutCart: 'Check out a cart',
  DeleteCart: 'Delete my cart',
  DeleteMe: 'Delete my account',
  ExportMe: 'Export my data',
  ForgotPassword: 'Ask for a link to a new password',
  GenerateBlocks: 'Write blocks from a prompt',
  GetLoginUrl: 'Get the address to sign in at',
  GetMe: 'Get my account',
  ListSessions: 'List my sessions',
  ProductFacets: 'Count products by facet',
  ProductHighlights: 'Show where a search found products',
  Quote: 'Quote a price',
  Refresh: 'Refresh an access token',
  ResetForgottenPassword: 'Set a new password by a link',
  RevokeAllSessions: 'Revoke all my sessions',
  RevokeSession: 'Revoke one of my sessions',
  SendEntry: 'Send an entry to subscribers',
  SetEntryStatuses: 'Publish or withdraw many entries',
  Subscribe: 'Subscribe to a newsletter',
  Suggest: 'Suggest as one types',
  TemplateVariables: 'List template variables',
  Unsubscribe: 'Unsubscribe from a newsletter',
  UpdateCart: 'Update my cart',
  UpdateMe: 'Update my account',
};

/** Otherwise `ListShippingMethods` reads "List shipping methods". */
export function summaryOf(operation: string): string {
  const words = operation.replace(/([a-z0-9])([A-Z])/g, '$1 $2').toLowerCase();
  return summaries[operation] ?? words.charAt(0).toUpperCase() + words.slice(1);
}

/** Of operations that ask a root field for one part of its answer: what that part is. */
const ofParts: Readonly<Record<string, string>> = {
  ProductFacets:
    'How many of all products that are found have which category, attribute and price, and are in stock: `facets` of `products` in GraphQL.',
  ProductHighlights:
    'The pieces of text in which the search found each product of a page, in the same order: `highlights` of `products` in GraphQL.',
};

export const descriptionOf = (operation: string, ofField: string | undefined): string | undefined =>
  ofParts[operation] ?? ofField;
