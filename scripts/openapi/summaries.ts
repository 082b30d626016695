/** Summaries of operations, which are their titles in API references. */
const summaries: Readonly<Record<string, string>> = {
  ChangePlan: 'Change the plan of a subscription',
  ChangePassword: 'Change the password',
  Checkout: 'Check out',
  CheckoutCart: 'Check out a cart',
  DeleteCart: 'Delete my cart',
  DeleteMe: 'Delete my account',
  ExportMe: 'Export my data',
  ForgotPassword: 'Request a password reset link',
  ResendConfirmation: 'Send the confirmation link again',
  ListMyOrders: 'List orders of the viewer',
  GenerateBlocks: 'Generate blocks from a prompt',
  GetLoginUrl: 'Get the sign-in URL of an identity provider',
  GetMe: 'Get my account',
  InviteMember: 'Invite a person by mail',
  ListSessions: 'List my sessions',
  ProductFacets: 'Count products by facet',
  ProductHighlights: 'Get the matched text of found products',
  Quote: 'Create a quote',
  Refresh: 'Refresh an access token',
  ResetForgottenPassword: 'Set a new password with a reset token',
  RevokeAllSessions: 'Revoke all my sessions',
  RevokeSession: 'Revoke one of my sessions',
  SendEntry: 'Send an entry to subscribers',
  SetEntryStatuses: 'Publish or withdraw many entries',
  Subscribe: 'Subscribe to a newsletter',
  Suggest: 'Suggest search terms',
  TemplateVariables: 'List template variables',
  Unsubscribe: 'Unsubscribe from a newsletter',
  UpdateCart: 'Update my cart',
  UpdateMe: 'Update my account',
};

/** Default: `ListShippingMethods` becomes "List shipping methods". */
export function summaryOf(operation: string): string {
  const words = operation.replace(/([a-z0-9])([A-Z])/g, '$1 $2').toLowerCase();
  return summaries[operation] ?? words.charAt(0).toUpperCase() + words.slice(1);
}

/** Descriptions of operations that select one part of a root field. */
const partDescriptions: Readonly<Record<string, string>> = {
  ProductFacets:
    'Number of matching products by category, attribute, price range and stock: `facets` of `products` in GraphQL.',
  ProductHighlights:
    'Text fragments that matched the search, for each product of a page in the same order: `highlights` of `products` in GraphQL.',
};

export const descriptionOf = (operation: string, fieldDescription: string | undefined): string | undefined =>
  partDescriptions[operation] ?? fieldDescription;
