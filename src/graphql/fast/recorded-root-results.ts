/** PERF: records the results of root fields, so that an operation can be completed a second time without running them again. */
import type { GraphQLSchema } from 'graphql';

type Outcome = { value: unknown } | { error: unknown };

/** Root value of an operation that may be completed twice: the recorded results by response key. */
export class RecordedRootResults {
  readonly #outcomes = new Map<string | number, Outcome>();

  resolveOnce(key: string | number, run: () => unknown): unknown {
    const outcome = this.#outcomes.get(key) ?? settle(run);
    this.#outcomes.set(key, outcome);
    if ('error' in outcome) throw outcome.error;
    return outcome.value;
  }
}

function settle(run: () => unknown): Outcome {
  try {
    return { value: run() };
  } catch (error) {
    return { error };
  }
}

/** Schemas whose root fields are wrapped. */
const replayedSchemas = new WeakSet<GraphQLSchema>();

/** Wraps the resolvers of root fields: with `RecordedRootResults` as root value they record and reuse their results. */
export function enableReplayOfRootResults(schema: GraphQLSchema): GraphQLSchema {
  if (replayedSchemas.has(schema)) return schema;
  replayedSchemas.add(schema);
  for (const type of [schema.getQueryType(), schema.getMutationType()]) {
    for (const field of Object.values(type?.getFields() ?? {})) {
      const { resolve } = field;
      if (!resolve) continue;
      field.resolve = (root, args, ctx, info) =>
        root instanceof RecordedRootResults
          ? root.resolveOnce(info.path.key, () => resolve(undefined, args, ctx, info))
          : resolve(root, args, ctx, info);
    }
  }
  return schema;
}
