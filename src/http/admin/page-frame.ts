/** Frame of the admin pages: a form for the operator token, which is stored in the tab's sessionStorage, and a script that loads the server-rendered content. */
import { renderPageFrame, safeHtml } from '../pages/html-template-and-page-frame.ts';
import { createPageAsset } from '../pages/page-assets.ts';

export const adminPageScript = createPageAsset(
  'admin.js',
  'text/javascript; charset=utf-8',
  `(() => {
  const key = 'duet:admin';
  const form = document.getElementById('token');
  const field = form.querySelector('input');
  const content = document.getElementById('shown');
  const message = document.getElementById('said');
  const token = () => sessionStorage.getItem(key);
  const wrongToken = 'The token is wrong.';

  function send(init) {
    const headers = { ...init?.headers, authorization: 'Bearer ' + token() };
    return fetch(location.pathname, { ...init, headers });
  }
  function forget(text) {
    sessionStorage.removeItem(key);
    content.replaceChildren();
    form.hidden = false;
    message.textContent = text;
  }
  async function load() {
    if (!token()) return;
    const response = await send({ headers: { accept: 'text/html' } });
    if (response.status === 401) return forget(wrongToken);
    if (!response.ok) { message.textContent = 'The gateway responded with status ' + response.status + '.'; return; }
    // The HTML comes from this server, which escapes all values; the Content-Security-Policy forbids scripts in it.
    content.innerHTML = await response.text();
    form.hidden = true;
  }
  const refresh = () => load().catch(() => { message.textContent = 'The gateway does not respond.'; });
  form.addEventListener('submit', (event) => {
    event.preventDefault();
    sessionStorage.setItem(key, field.value.trim());
    field.value = '';
    message.textContent = '';
    refresh();
  });
  content.addEventListener('click', async (event) => {
    const button = event.target.closest('button[data-action]');
    if (!button) return;
    button.disabled = true;
    const { action, kind, id } = button.dataset;
    const response = await send({
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ action, kind, id }),
    });
    if (response.status === 401) return forget(wrongToken);
    message.textContent = response.ok ? (action === 'retry' ? 'Queued for retry.' : 'Dropped.') : (await response.json()).message;
    await refresh();
  });
  document.getElementById('leave').addEventListener('click', () => forget('The token was removed from this tab.'));
  if (document.body.querySelector('[data-live]')) setInterval(() => { if (!document.hidden) refresh(); }, 5000);
  refresh();
})();
`,
);

export const adminPageStyle = createPageAsset(
  'admin.css',
  'text/css; charset=utf-8',
  `.sheet code{overflow-wrap:anywhere}
.charts{display:grid;gap:1rem;grid-template-columns:repeat(auto-fit,minmax(9rem,1fr));margin:1.4rem 0 0}
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
    { title: `${title} · Duet`, styles: [adminPageStyle.href], scripts: [adminPageScript.href] },
    safeHtml`<div class="sheet"${live && safeHtml` data-live`}><h1>${title}</h1>
<p class="tools"><a href="/admin">Status</a> <a href="/admin/jobs">Failed permanently</a> <button type="button" id="leave">Forget the token</button> <span id="said" role="status"></span></p>
<form id="token"><label>Operator token <input type="password" name="token" autocomplete="off" required></label><button>Show</button></form>
<noscript>This page needs JavaScript. Programs send "Accept: application/json" and "Authorization: Bearer".</noscript>
<div id="shown"></div></div>`,
  );
