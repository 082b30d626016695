/** Puts the built server into a few files: loading a thousand modules takes longer than everything else at start-up. */
import { join } from 'node:path';
import { rolldown } from 'rolldown';
import { packageRoot } from '../src/lib/package-root.ts';

/** Left where they are: what brings files of its own or native code, and what few installations load at all. */
const external = [
  /^node:/,
  /^@electric-sql\/pglite/,
  /^@node-rs\//,
  /^@prisma\/(client|schema-engine-wasm)/,
  /^@graphql-yoga\/render-graphiql/,
  /^(ioredis|nodemailer|openid-client|pg-native|pino|pino-pretty|prom-client|stripe|swagger-ui-dist)(\/|$)/,
];

const bundle = await rolldown({
  input: { main: join(packageRoot, 'dist', 'src', 'main.js') },
  platform: 'node',
  external,
  logLevel: 'warn',
});
await bundle.write({
  dir: join(packageRoot, 'dist', 'server'),
  format: 'esm',
  entryFileNames: '[name].js',
  chunkFileNames: '[name]-[hash].js',
});
