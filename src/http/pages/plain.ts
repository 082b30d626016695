/** The look of the gateway's own pages. */
import { escapeHtml } from '../../lib/html.ts';
import { type HttpResponse, html } from '../message.ts';

const style = `
:root{color-scheme:light dark;--ink:#18181b;--soft:#52525b;--line:#d4d4d8;--paper:#fff;--ground:#f4f4f5}
@media(prefers-color-scheme:dark){:root{--ink:#fafafa;--soft:#a1a1aa;--line:#3f3f46;--paper:#18181b;--ground:#09090b}}
*{box-sizing:border-box}body{margin:0;padding:2rem 1rem;background:var(--ground);color:var(--ink);font:16px/1.5 system-ui,sans-serif}
main{max-width:44rem;margin:0 auto}h1{font-size:1.4rem;margin:0 0 1rem}h2{font-size:1.05rem;margin:0}
.card{background:var(--paper);border:1px solid var(--line);border-radius:.5rem;padding:1.25rem;margin:0 0 1rem}
.soft{color:var(--soft);font-size:.875rem}pre{white-space:pre-wrap;overflow-wrap:anywhere;font:inherit;margin:.75rem 0}
a{color:inherit}label{display:block;margin:0 0 .25rem}input{width:100%;padding:.6rem;border:1px solid var(--line);border-radius:.375rem;font:inherit;background:transparent;color:inherit}
button{margin-top:1rem;padding:.6rem 1.1rem;border:0;border-radius:.375rem;background:var(--ink);color:var(--paper);font:inherit;cursor:pointer}
button:disabled{opacity:.5}iframe{width:100%;height:26rem;border:1px solid var(--line);border-radius:.375rem;background:#fff}
`;

export interface PageOptions {
  title: string;
  body: string;
  /** A script of ours and the nonce that lets it run. */
  script?: { nonce: string; source: string };
}

/** Nothing is loaded from anywhere, nothing is remembered, and no address that may hold a token leaves the page. */
export function page({ title, body, script }: PageOptions): HttpResponse {
  const allowed = script ? `script-src 'nonce-${script.nonce}'; connect-src 'self'; ` : '';
  const text = `<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1"><title>${escapeHtml(title)}</title><style>${style}</style></head>
<body><main><h1>${escapeHtml(title)}</h1>
${body}
</main>${script ? `<script nonce="${script.nonce}">${script.source}</script>` : ''}</body>
</html>
`;
  return html(200, text, {
    'content-security-policy': `default-src 'none'; style-src 'unsafe-inline'; ${allowed}base-uri 'none'; form-action 'none'; frame-ancestors 'none'`,
    'cache-control': 'no-store',
    'referrer-policy': 'no-referrer',
    'x-content-type-options': 'nosniff',
  });
}
