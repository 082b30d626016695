/** Plugin for GraphQL Code Generator: writes the content types of a business, the same file as `duet types`. */
import { type ContentSource, fetchCollections } from '../../../src/cli/content-types/fetch-collections.ts';
import { formatContentTypes } from '../../../src/cli/content-types/format-content-types.ts';

export interface ContentPluginConfig extends ContentSource {
  /** Package of the GraphQL client. Default: `@duet-gateway/client-graphql`. */
  clientPackage?: string;
}

/** Throws an error that names a missing option. */
export function validate(_schema: unknown, _documents: unknown, config: Partial<ContentPluginConfig>): void {
  for (const name of ['url', 'business'] as const)
    if (!config[name]) throw new Error(`The content plugin needs the option ${name}.`);
}

export async function plugin(
  _schema: unknown,
  _documents: unknown,
  { url, business, token, clientPackage }: ContentPluginConfig,
): Promise<string> {
  return formatContentTypes(await fetchCollections({ url, business, token }), { clientPackage });
}
