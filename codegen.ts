/** GraphQL Code Generator: typed documents of the stored operations that REST routes run. A template for clients is examples/storefront-graphql/codegen.ts. */
import type { CodegenConfig } from '@graphql-codegen/cli';

const config: CodegenConfig = {
  schema: 'schema/schema.graphql',
  documents: 'src/domains/*/operations.graphql',
  generates: {
    'src/generated/operations.ts': {
      plugins: ['typescript-operations', 'typed-document-node'],
      config: {
        documentMode: 'string',
        useTypeImports: true,
        enumsAsTypes: true,
        scalars: { ID: 'string', Timestamp: 'number', DateTime: 'string', Money: 'number', JSON: 'unknown' },
      },
    },
  },
};

export default config;
