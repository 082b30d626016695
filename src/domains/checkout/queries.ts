/** Queries of checkout. */
import { builder } from '../../graphql/builder.ts';
import { checked } from '../../graphql/checked.ts';
import { quoteCheck } from './checks.ts';
import { QuoteInput } from './inputs.ts';
import { quote } from './quote.ts';
import { QuoteType } from './types.ts';

builder.queryFields((t) => ({
  quote: t.field({
    type: QuoteType,
    description: 'What a cart costs, with tax, shipping and discount. Nothing is written.',
    authScopes: { signedIn: true },
    args: { input: t.arg({ type: QuoteInput, required: true, description: 'The cart.' }) },
    ...checked(quoteCheck, (args, ctx) => quote(ctx, args.input)),
  }),
}));
