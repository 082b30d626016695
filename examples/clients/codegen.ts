/** GraphQL Code Generator with its client preset: `graphql()` returns a typed document for Apollo Client and other clients. */
import type { CodegenConfig } from '@graphql-codegen/cli';

const config: CodegenConfig = {
  schema: '../../schema/schema.graphql',
  documents: ['src/codegen-documents.ts'],
  generates: {
    'src/generated/codegen/': {
      preset: 'client',
      presetConfig: { fragmentMasking: false },
      config: {
        useTypeImports: true,
        enumsAsTypes: true,
        scalars: { ID: 'string', Timestamp: 'number', DateTime: 'string', Money: 'number', JSON: 'unknown' },
      },
    },
  },
};

export default config;
