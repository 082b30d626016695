/**
 * The executable GraphQL schema. Importing the generated list of domains adds their types to the builder;
 * then payloads get `errors`, amounts and times typed fields, descriptions their error codes, and the resolvers are wrapped.
 */
import '../../generated/domains/schema.ts';
import { specifiedDirectives } from 'graphql';
import { assertPothosExtensions } from '../../vendor/pothos/field-extensions.ts';
import { convertResolverThrowsToRejections } from '../execute/convert-throws-to-rejections.ts';
import { incrementalDirectives } from '../execute/incremental/defer-and-stream-directives.ts';
import { addMoneyAndTimeFields } from './add-money-and-time-fields.ts';
import { addPayloadErrors } from './add-payload-errors.ts';
import { appendDetailCodesToDescriptions } from './append-detail-codes-to-descriptions.ts';
import { builder } from './builder.ts';
import { markGraphqlDeprecations } from './deprecations.ts';
import { orderRequiredArgumentsFirst } from './required-arguments-first.ts';

// Not sorted: sorting copies every type at start-up. Only the printed schema is sorted.
const builtSchema = builder.toSchema({
  sortSchema: false,
  directives: [...specifiedDirectives, ...incrementalDirectives],
});
assertPothosExtensions(builtSchema);

export const schema = convertResolverThrowsToRejections(
  appendDetailCodesToDescriptions(
    markGraphqlDeprecations(
      addMoneyAndTimeFields(addPayloadErrors(orderRequiredArgumentsFirst(builtSchema))),
    ),
  ),
);
