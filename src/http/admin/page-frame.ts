/** The frame of the operator's pages: it asks for the token, keeps it in the tab, and shows what the server rendered for it. */

import { ownFile } from '../pages/assets.ts';
import { markup, renderPageFrame } from '../pages/html.ts';

export const adminScript = ownFile(
  'admin.js',
  'text/javascript; charset=utf-8',
  `(() => {
  const key = 'duet:admin';
  const form = document.getElementById('token');
  const field = form.querySelector('input');
  const place = document.getElementById('shown');
  const said = document.getElementById('said');
  const token = () => sessionStorage.getItem(key);
  const refused = 'This token is not the one.';

  function ask(init) {
    const headers = { ...init?.headers, authorization: 'Bearer ' + token() };
    return fetch(location.pathname, { ...init, headers });
  }
  function forget(text) {
    sessionStorage.removeItem(key);
    place.replaceChildren();
    form.hidden = false;
    said.textContent = text;
  }
  async function show() {
    if (!token()) return;
    const response = await ask({ headers: { accept: 'text/html' } });
    if (response.status === 401) return forget(refused);
    if (!response.ok) { said.textContent = 'The gateway answered ' + response.status + '.'; return; }
    // Rendered by our own server, with everything escaped; the policy lets no script in it run.
    place.innerHTML = await response.text();
    form.hidden = true;
  }
  const shown = () => show().catch(() => { said.textContent = 'The gateway does not answer.'; });
  form.addEventListener('submit', (event) => {
    event.preventDefault();
    sessionStorage.setItem(key, field.value.trim());
    field.value = '';
    said.textContent = '';
    shown();
  });
  place.addEventListener('click', async (event) => {
    const button = event.target.closest('button[data-action]');
    if (!button) return;
    button.disabled = true;
    const { action, kind, id } = button.dataset;
    const response = await ask({
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ action, kind, id }),
    });
    if (response.status === 401) return forget(refused);
    said.textContent = response.ok ? (action === 'retry' ? 'It is tried again.' : 'It is dropped.') : (await response.json()).message;
    await shown();
  });
  document.getElementById('leave').addEventListener('click', () => forget('The token is forgotten.'));
  if (document.body.querySelector('[data-live]')) setInterval(() => { if (!document.hidden) shown(); }, 5000);
  shown();
})();
`,
);

export const adminStyle = ownFile(
  'admin.css',
  'text/css; charset=utf-8',
  `.charts{display:grid;gap:1rem;grid-template-columns:repeat(auto-fit,minmax(9rem,1fr));margin:1.4rem 0 0}
.chart{margin:0;padding:.8rem 1rem;border:1px solid var(--line);border-radius:12px;background:var(--card)}
.chart figcaption,.chart .most{color:var(--soft);font-size:.875rem;margin:0}
.chart .now{font-size:1.4rem;font-weight:650;margin:0;font-variant-numeric:tabular-nums}
.chart svg{display:block;width:100%;height:3.5rem}.chart polyline{stroke:var(--accent);stroke-width:2;vector-effect:non-scaling-stroke}
.wide{overflow-x:auto;border:1px solid var(--line);border-radius:12px;background:var(--card)}
.wide:focus-visible{outline:3px solid var(--accent);outline-offset:2px}
.wide table{border-collapse:collapse;width:100%;font-size:.92rem}
.wide th,.wide td{text-align:left;vertical-align:top;padding:.45rem .8rem;border-top:1px solid var(--line);overflow-wrap:break-word;min-width:4.5rem}
.wide td:first-child{min-width:11rem;overflow-wrap:anywhere}
#shown .lead{margin-bottom:1.2rem}
.wide th{border-top:0;color:var(--soft);font-weight:600;white-space:nowrap}
.tools{display:flex;flex-wrap:wrap;gap:.4rem 1.2rem;align-items:baseline}
#token{display:flex;flex-wrap:wrap;gap:.6rem;align-items:end;margin:1.4rem 0}#token[hidden]{display:none}
#token label{display:grid;gap:.2rem}
#token input{font:inherit;padding:.4rem .7rem;border:1px solid var(--line);border-radius:8px;background:var(--card);color:var(--ink)}
#token input:focus-visible{outline:3px solid var(--accent);outline-offset:2px}
`,
);

export const renderAdminFrame = (title: string, { live }: { live: boolean }): string =>
  renderPageFrame(
    { title: `${title} · Duet`, styles: [adminStyle.href], scripts: [adminScript.href] },
    markup`<div class="sheet"${live && markup` data-live`}><h1>${title}</h1>
<p class="tools"><a href="/admin">Status</a> <a href="/admin/jobs">Failed for good</a> <button type="button" id="leave">Forget the token</button> <span id="said" role="status"></span></p>
<form id="token"><label>Operator's token <input type="password" name="token" autocomplete="off" required></label><button>Show</button></form>
<noscript>This page needs scripts. Programs ask with "Accept: application/json" and "Authorization: Bearer".</noscript>
<div id="shown"></div></div>`,
  );
