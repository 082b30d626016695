/** GraphQL Code Generator: a typed document for every operation in src/documents. Copy this file into your frontend. */
import type { CodegenConfig } from '@graphql-codegen/cli';

const config: CodegenConfig = {
  // A file, or the URL of a running gateway: 'http://localhost:4000/graphql'.
  schema: '../../schema/schema.graphql',
  documents: ['src/documents/*.graphql'],
  generates: {
    'src/generated/': {
      preset: 'client',
      presetConfig: {
        fragmentMasking: false,
        // Writes persisted-documents.json. Put it into the gateway's TRUSTED_DOCUMENTS to send only ids.
        persistedDocuments: { hashAlgorithm: 'sha256', hashPropertyName: 'documentId' },
      },
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
