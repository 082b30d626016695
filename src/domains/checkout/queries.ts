/** Queries of checkout. */
import { builder } from '../../graphql/builder.ts';
import { checked } from '../../graphql/checked.ts';
import { orRefusal, outcomeOf } from '../../graphql/refusal.ts';
import { quoteCheck } from './checks.ts';
import { QuoteInput } from './inputs.ts';
import { quote } from './quote.ts';
import { QuoteType } from './types.ts';

const quoted = checked(quoteCheck, (args, ctx) => quote(ctx, args.input));

builder.queryFields((t) => ({
  quote: t.field({
    type: QuoteType,
    description: 'What a cart costs, with tax, shipping and discount. Nothing is written.',
    authScopes: { signedIn: true },
    args: { input: t.arg({ type: QuoteInput, required: true, description: 'The cart.' }) },
    ...quoted,
  }),
  tryQuote: t.field({
    type: outcomeOf('QuoteOutcome', QuoteType),
    description: 'The same as `quote`; a refusal, such as of a promo code, is an answer.',
    authScopes: { signedIn: true },
    args: { input: t.arg({ type: QuoteInput, required: true, description: 'The cart.' }) },
    ...orRefusal(quoted),
  }),
}));
