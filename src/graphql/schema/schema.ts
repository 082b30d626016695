/**
 * The executable GraphQL schema. Importing the generated list of domains adds their types to the builder;
 * then the descriptions get their error codes, and the resolvers are wrapped.
 */
import '../../generated/domains/schema.ts';
import { convertResolverThrowsToRejections } from '../execute/async-throw.ts';
import { enableRootReplay } from '../fast/recorded-root-results.ts';
import { builder } from './builder.ts';
import { appendDetailCodesToDescriptions } from './detail-code-descriptions.ts';

// Not sorted: sorting copies every type at start-up. Only the printed schema is sorted.
export const schema = enableRootReplay(
  convertResolverThrowsToRejections(appendDetailCodesToDescriptions(builder.toSchema({ sortSchema: false }))),
);
