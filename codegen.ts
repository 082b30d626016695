/** Typed operations for the REST rows, from the printed schema and the stored operations alone. Clients copy examples/storefront-graphql/codegen.ts. */
import type { CodegenConfig } from '@graphql-codegen/cli';

const config: CodegenConfig = {
  schema: 'schema/schema.graphql',
  documents: ['src/domains/*/operations.graphql', 'src/domains/fragments.graphql'],
  generates: {
    'src/generated/operations.ts': {
      plugins: ['typescript-operations', 'typed-document-node'],
      config: {
        documentMode: 'string',
        useTypeImports: true,
        enumsAsTypes: true,
        scalars: { ID: 'string', Timestamp: 'number', Money: 'number', JSON: 'unknown' },
      },
    },
  },
};

export default config;
