/** GraphQL queries `quote`, `quoteCheckout` and `tryQuote`. */
import { builder } from '../../graphql/schema/builder.ts';
import { createResultUnion, errorsAsData } from '../../graphql/schema/error-enums-and-result-unions.ts';
import { inputArg } from '../../graphql/schema/field-tables.ts';
import { validatedField } from '../../graphql/schema/validated-resolver.ts';
import { createQuote } from './create-quote.ts';
import { QuoteInput } from './inputs.ts';
import { quoteSchema } from './schemas.ts';
import { QuoteGraphqlType, QuotePayload } from './types.ts';

const quoteResolver = validatedField(quoteSchema, (ctx, args) => createQuote(ctx, args.input));

builder.queryFields((t) => ({
  quote: t.field({
    type: QuoteGraphqlType,
    description: 'Prices a cart, with tax, shipping and discount. Writes nothing.',
    authScopes: { signedIn: true },
    args: { ...inputArg(QuoteInput, 'The cart.') },
    ...quoteResolver,
  }),
  quoteCheckout: t.field({
    type: QuotePayload,
    description:
      'Like `quote`, with `errors` for expected errors, such as an invalid promo code, as in the payload of a mutation.',
    authScopes: { signedIn: true },
    args: { ...inputArg(QuoteInput, 'The cart.') },
    ...validatedField(quoteSchema, async (ctx, args) => ({ quote: await createQuote(ctx, args.input) })),
  }),
  tryQuote: t.field({
    type: createResultUnion('QuoteOutcome', QuoteGraphqlType),
    description:
      'Like `quote`, but returns expected failures, such as an invalid promo code, as data instead of errors.',
    authScopes: { signedIn: true },
    args: { ...inputArg(QuoteInput, 'The cart.') },
    ...errorsAsData(quoteResolver),
  }),
}));
