/** Static assets of the HTML pages: stylesheet, icon and the script of the copy buttons. URLs contain a hash of the content. */
import { createHash } from 'node:crypto';

export interface PageAsset {
  path: string;
  href: string;
  type: string;
  text: string;
}

export const createPageAsset = (name: string, type: string, text: string): PageAsset => {
  const version = createHash('sha1').update(text).digest('hex').slice(0, 10);
  const path = `/assets/${name}`;
  return { path, href: `${path}?v=${version}`, type, text };
};

/** Colour variables of all pages, for light and dark mode. */
const palette = `
:root{--ink:#1b2426;--soft:#556266;--paper:#fbfaf7;--card:#fff;--line:#e2ded4;--accent:#0d6b66;--accent-ink:#fff;--code:#f3f1ea;--ok:#176b3a;--note:#7a4b00;--warn:#b3261e;--warn-paper:#fdf0ee;color-scheme:light dark}
@media (prefers-color-scheme:dark){:root{--ink:#e8ecea;--soft:#a3b0b0;--paper:#12181a;--card:#192124;--line:#2c373a;--accent:#67d3c5;--accent-ink:#06201e;--code:#0e1416;--ok:#7ed6a0;--note:#f0c27a;--warn:#ffb4ab;--warn-paper:#3a1a18}}
*{box-sizing:border-box}
html{-webkit-text-size-adjust:100%}
body{margin:0;background:var(--paper);color:var(--ink);font:16px/1.6 system-ui,-apple-system,"Segoe UI",Roboto,"Helvetica Neue",Arial,sans-serif}
`;

const icon = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32"><rect width="32" height="32" rx="8" fill="#12504f"/><circle cx="12.5" cy="16" r="7" fill="none" stroke="#9fe3d6" stroke-width="2.6"/><circle cx="19.5" cy="16" r="7" fill="none" stroke="#ffd08a" stroke-width="2.6"/></svg>`;

const style = `${palette}a{color:var(--accent)}
a:focus-visible,button:focus-visible,pre:focus-visible{outline:3px solid var(--accent);outline-offset:2px;border-radius:4px}
.skip{position:absolute;left:-999px}.skip:focus{left:1rem;top:.5rem;background:var(--card);padding:.4rem .8rem;z-index:9}
.bar{display:flex;flex-wrap:wrap;gap:.4rem 1.4rem;align-items:center;padding:.8rem clamp(1rem,4vw,2.5rem);border-bottom:1px solid var(--line);background:var(--card)}
.brand{display:inline-flex;overflow-wrap:anywhere;min-height:28px;gap:.6rem;align-items:center;font-weight:650;font-size:1.1rem;color:var(--ink);text-decoration:none}
.bar nav{display:flex;flex-wrap:wrap;gap:.2rem 1.1rem}
.bar nav a{color:var(--soft);text-decoration:none;padding:.2rem 0;border-bottom:2px solid transparent}
.bar nav a:hover{color:var(--ink)}
.bar nav a[aria-current]{color:var(--ink);border-color:var(--accent)}
.foot nav{display:flex;flex-wrap:wrap;gap:.2rem 1.4rem;justify-content:center;padding:1.5rem 1rem 2rem;font-size:.9rem}
.foot a{color:var(--soft)}.foot a:hover{color:var(--ink)}
.session{display:flex;flex-wrap:wrap;gap:.3rem .8rem;align-items:center;margin-left:auto;font-size:.9rem;color:var(--soft)}
.session button{font:inherit;padding:.2rem .7rem;border:1px solid var(--line);border-radius:8px;background:var(--card);color:var(--ink);cursor:pointer}
.session button:hover{border-color:var(--accent)}
.session select{font:inherit;max-width:12rem;padding:.15rem .3rem;border:1px solid var(--line);border-radius:8px;background:var(--card);color:var(--ink)}
.session summary{cursor:pointer;min-height:1.9rem;align-content:center;text-decoration:underline}
.session details[open]{flex-basis:100%}
.session form{display:flex;flex-wrap:wrap;gap:.4rem .6rem;align-items:end;padding:.3rem 0}
.session input{font:inherit;display:block;width:min(20rem,80vw);padding:.25rem .5rem;border:1px solid var(--line);border-radius:8px;background:var(--paper);color:var(--ink)}
.sheet{max-width:68rem;margin:0 auto;padding:clamp(1.2rem,4vw,3rem) clamp(1rem,4vw,2.5rem) 4rem}
.sheet h1{font-size:clamp(1.9rem,5vw,2.8rem);line-height:1.15;letter-spacing:-.02em;margin:.2rem 0 .6rem}
.sheet h2{font-size:1.2rem;margin:2.6rem 0 .8rem}
.lead{font-size:1.12rem;color:var(--soft);max-width:44rem;margin:0}
.cards{display:grid;gap:1rem;grid-template-columns:repeat(auto-fit,minmax(15rem,1fr));margin:2rem 0 0;padding:0;list-style:none}
.cards a{display:block;height:100%;padding:1.1rem 1.2rem;border:1px solid var(--line);border-radius:12px;background:var(--card);color:var(--ink);text-decoration:none}
.cards a:hover{border-color:var(--accent)}
.cards strong{display:block}.cards span{color:var(--soft);font-size:.95rem}
.cards code{color:var(--accent)}
.facts{width:100%;border-collapse:collapse;background:var(--card);border:1px solid var(--line);border-radius:12px;overflow:hidden}
.facts th,.facts td{text-align:left;vertical-align:top;padding:.6rem .9rem;border-top:1px solid var(--line)}
.facts tr:first-child th,.facts tr:first-child td{border-top:0}
.facts td{overflow-wrap:anywhere}
.facts th{font-weight:600;width:9rem}
@media (max-width:34rem){.facts th{width:6rem}.facts th,.facts td{padding:.5rem .6rem}.facts tr:has(.how){display:grid;grid-template-columns:6.5rem 1fr}.facts tr:has(.how) th{width:auto}.facts tr .how{grid-column:1/-1;border-top:0;padding-top:0}}
.facts .how{color:var(--soft)}
.state{font-weight:600;white-space:nowrap}.state.real{color:var(--ok)}.state.embedded{color:var(--note)}
.sheet code,.sheet pre{font-family:ui-monospace,SFMono-Regular,Menlo,Consolas,monospace;font-size:.9em}
.sheet code{background:var(--code);padding:.1em .35em;border-radius:5px}
.voices{display:grid;gap:1rem;grid-template-columns:repeat(auto-fit,minmax(min(26rem,100%),1fr))}
.voice:first-child{grid-column:1/-1}
.voice{border:1px solid var(--line);border-radius:12px;background:var(--card);overflow:hidden;min-width:0}
.voice .name{display:flex;justify-content:space-between;align-items:center;gap:1rem;padding:.5rem .6rem .5rem 1rem;border-bottom:1px solid var(--line)}
.voice h3{margin:0;font-size:1rem}
.sheet pre{margin:0;padding:1rem;height:100%;white-space:pre-wrap;overflow-wrap:anywhere;background:var(--code);line-height:1.55}
.sheet pre code{background:none;padding:0}
details.rendered summary{color:var(--soft);font-size:.875rem;cursor:pointer}
.message{overflow-wrap:anywhere;border:1px solid var(--line);border-radius:12px;background:var(--card);padding:1.1rem 1.2rem;margin:0 0 1rem;max-width:46rem}
.sheet .message h2{margin:0}h1+.message{margin-top:1.4rem}.message p{margin:.2rem 0 0;color:var(--soft);font-size:.875rem}
.sheet .message pre{background:none;font-family:inherit;font-size:1em;padding:.8rem 0;height:auto}
.message iframe{width:100%;height:26rem;margin-top:.6rem;border:1px solid var(--line);border-radius:8px;background:#fff}
.sheet button{font:inherit;font-size:.9rem;padding:.3rem .8rem;border:1px solid var(--line);border-radius:8px;background:var(--card);color:var(--ink);cursor:pointer}
.sheet button:hover{border-color:var(--accent)}
.steps{margin:0 0 1rem;color:var(--soft)}.voices+.steps{margin-top:1.5rem}
`;

/** Copies the text of the element named by `data-copy`. Without scripts the buttons stay hidden. */
const copy = `for (const button of document.querySelectorAll('button[data-copy]')) {
  button.hidden = false;
  const label = button.textContent;
  button.addEventListener('click', async () => {
    const text = document.getElementById(button.dataset.copy).textContent;
    try {
      await navigator.clipboard.writeText(text);
      button.textContent = 'Copied';
    } catch {
      getSelection().selectAllChildren(document.getElementById(button.dataset.copy));
      button.textContent = 'Selected';
    }
    setTimeout(() => { button.textContent = label; }, 1500);
  });
}
`;

export const sharedPageAssets = {
  icon: createPageAsset('duet.svg', 'image/svg+xml', icon),
  style: createPageAsset('duet.css', 'text/css; charset=utf-8', style),
  copy: createPageAsset('copy.js', 'text/javascript; charset=utf-8', copy),
} as const;
