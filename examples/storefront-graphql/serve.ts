/** Serves the shop from an origin of its own: one page, its styles, one script. `npm start` */
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { build } from 'esbuild';

const gateway = process.env.DUET_URL ?? 'http://localhost:4000';
// http://localhost:5173 is allowed by a gateway that is told nothing; others go into its ALLOWED_ORIGINS.
const port = Number(process.env.PORT ?? 5173);

const beside = (name: string) => new URL(name, import.meta.url);
const { outputFiles } = await build({
  entryPoints: [beside('src/main.ts').pathname],
  bundle: true,
  minify: true,
  format: 'esm',
  target: 'es2022',
  write: false,
});

const settings: Record<string, string> = {
  gateway,
  business: process.env.BUSINESS_ID ?? '01900000-0000-7000-8000-00000000000b',
  documents: process.env.TRUSTED === '1' ? 'trusted' : 'free',
};
const page = readFileSync(beside('page/index.html'), 'utf8').replace(
  /\{(\w+)\}/g,
  (_, name) => settings[name] ?? '',
);

const files: Record<string, [type: string, body: string | Uint8Array]> = {
  '/shop.js': ['text/javascript', outputFiles[0]?.contents ?? ''],
  '/style.css': ['text/css', readFileSync(beside('page/style.css'))],
  '/pages.css': ['text/css', readFileSync(beside('page/pages.css'))],
  '/purchase.css': ['text/css', readFileSync(beside('page/purchase.css'))],
};

// Only what the shop needs: its own files, the gateway, and pictures from wherever they are kept.
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
  // Every other address is a page, and the script knows which.
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
