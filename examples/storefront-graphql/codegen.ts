/** Copy this file: it turns every operation in src/documents into a typed document. */
import type { CodegenConfig } from '@graphql-codegen/cli';

const config: CodegenConfig = {
  // A file, or the address of a running gateway: 'http://localhost:4000/graphql'.
  schema: '../../schema/schema.graphql',
  documents: ['src/documents/*.graphql'],
  generates: {
    'src/generated/': {
      preset: 'client',
      presetConfig: {
        fragmentMasking: false,
        // Writes persisted-documents.json: hand it to the gateway in TRUSTED_DOCUMENTS, and send ids only.
        persistedDocuments: { hashAlgorithm: 'sha256', hashPropertyName: 'documentId' },
      },
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
