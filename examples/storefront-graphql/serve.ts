/** `npm start`: bundles the shop and serves it from its own origin, as one page with its styles and one script. */
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { build } from 'esbuild';

const gateway = process.env.DUET_URL ?? 'http://localhost:4000';
// The default ALLOWED_ORIGINS of the gateway includes http://localhost:5173; add any other origin there.
const port = Number(process.env.PORT ?? 5173);

const fileUrl = (name: string) => new URL(name, import.meta.url);
const { outputFiles } = await build({
  entryPoints: [fileUrl('src/main.ts').pathname],
  bundle: true,
  minify: true,
  format: 'esm',
  target: 'es2022',
  write: false,
});

const settings: Record<string, string> = {
  gateway,
  base: '',
  business: process.env.BUSINESS_ID ?? '01900000-0000-7000-8000-00000000000b',
  documents: process.env.TRUSTED === '1' ? 'trusted' : 'free',
};
const page = readFileSync(fileUrl('page/index.html'), 'utf8').replace(
  /\{(\w+)\}/g,
  (_, name) => settings[name] ?? '',
);

const files: Record<string, [type: string, body: string | Uint8Array]> = {
  '/shop.js': ['text/javascript', outputFiles[0]?.contents ?? ''],
  '/style.css': ['text/css', readFileSync(fileUrl('page/style.css'))],
  '/pages.css': ['text/css', readFileSync(fileUrl('page/pages.css'))],
  '/purchase.css': ['text/css', readFileSync(fileUrl('page/purchase.css'))],
};

// Allows only the shop's own files, connections to the gateway, and images from any host.
const policy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  `connect-src ${gateway}`,
  'img-src * data:',
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');

createServer(({ url = '/' }, response) => {
  // Any other path is a page, which the script renders.
  const [type, body] = files[url] ?? ['text/html; charset=utf-8', page];
  response.writeHead(200, {
    'content-type': type,
    'content-security-policy': policy,
    'x-content-type-options': 'nosniff',
    'referrer-policy': 'no-referrer',
  });
  response.end(body);
}).listen(port, 'localhost', () =>
  console.log(`The shop is at http://localhost:${port}, its gateway at ${gateway}`),
);
