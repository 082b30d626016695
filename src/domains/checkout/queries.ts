/** Queries of checkout. */
import { builder } from '../../graphql/schema/builder.ts';
import { createResultUnion, errorsAsData } from '../../graphql/schema/error-unions.ts';
import { validatedField } from '../../graphql/schema/validated-resolver.ts';
import { createQuote } from './create-quote.ts';
import { QuoteInput } from './inputs.ts';
import { quoteSchema } from './schemas.ts';
import { QuoteType } from './types.ts';

const quoted = validatedField(quoteSchema, (args, ctx) => createQuote(ctx, args.input));

builder.queryFields((t) => ({
  quote: t.field({
    type: QuoteType,
    description: 'What a cart costs, with tax, shipping and discount. Nothing is written.',
    authScopes: { signedIn: true },
    args: { input: t.arg({ type: QuoteInput, required: true, description: 'The cart.' }) },
    ...quoted,
  }),
  tryQuote: t.field({
    type: createResultUnion('QuoteOutcome', QuoteType),
    description: 'The same as `quote`; a refusal, such as of a promo code, is an answer.',
    authScopes: { signedIn: true },
    args: { input: t.arg({ type: QuoteInput, required: true, description: 'The cart.' }) },
    ...errorsAsData(quoted),
  }),
}));
