/** Stylesheet of the workbench: tabs, the list of requests, and cards instead of tables on a phone. */
export const workbenchStyle = `.workbench [hidden]{display:none!important}
.workbench :is(input,select,textarea){font:inherit;font-size:.95rem;font-weight:400;padding:.4rem .6rem;border:1px solid var(--soft);border-radius:8px;background:var(--card);color:var(--ink);min-width:0}
.workbench :is(input,select,textarea,summary,[tabindex]):focus-visible{outline:3px solid var(--accent);outline-offset:2px}
.workbench label{font-size:.9rem;font-weight:600}
.workbench .main{background:var(--accent);border-color:var(--accent);color:var(--accent-ink);font-weight:600;padding:.45rem 1.1rem}
.workbench button:disabled{opacity:.6;cursor:progress}
.workbench h2{margin:1.8rem 0 .7rem}.workbench h3{font-size:1rem;margin:1.2rem 0 .5rem}
.hint,.empty{color:var(--soft);font-size:.92rem}.hint{margin:.4rem 0 0}
.empty{border:1px dashed var(--line);border-radius:12px;padding:1rem 1.2rem;margin:.8rem 0}
.ways{display:grid;gap:1rem;grid-template-columns:repeat(auto-fit,minmax(min(18rem,100%),1fr))}
.ways form{display:grid;gap:.7rem;align-content:start;justify-items:start;padding:1.1rem 1.2rem;border:1px solid var(--line);border-radius:12px;background:var(--card)}
.ways h3{margin:0}.ways label{display:grid;gap:.2rem;width:100%}.ways input{width:100%;background:var(--paper)}
#said{min-height:1.6em;margin:.8rem 0 .6rem;font-weight:600}
.tools{display:flex;flex-wrap:wrap;gap:.6rem 1rem;align-items:center;justify-content:space-between}
.business{display:flex;flex-wrap:wrap;gap:.5rem;align-items:center;min-width:0}.business select{max-width:100%}
.tabs{display:flex;gap:.2rem;margin:1.2rem 0 0;border-bottom:1px solid var(--line);overflow-x:auto;overscroll-behavior-x:contain}
.tabs a{padding:.5rem .8rem;color:var(--soft);text-decoration:none;border-bottom:3px solid transparent;white-space:nowrap}
.tabs a:hover{color:var(--ink)}.tabs a[aria-current]{color:var(--ink);border-color:var(--accent);font-weight:600}
.filters{display:grid;gap:.6rem;grid-template-columns:repeat(auto-fill,minmax(9.5rem,1fr));margin:1.2rem 0}
.filters label{display:grid;gap:.2rem;min-width:0}.filters :is(input,select){width:100%}
.calls,.groups{list-style:none;margin:0 0 1rem;padding:0;border:1px solid var(--line);border-radius:12px;background:var(--card);overflow:hidden}
.calls>li+li,.groups>li+li{border-top:1px solid var(--line)}
.sheet .call,.delivery{display:grid;grid-template-columns:10.5rem minmax(0,1fr) minmax(0,9rem) 4.5rem 8.5rem;gap:.2rem .9rem;align-items:baseline;width:100%;padding:.6rem .9rem;border:0;border-radius:0;background:none;text-align:left;font-size:.92rem}
.delivery{grid-template-columns:7rem minmax(0,1fr) minmax(0,11rem) 8.5rem auto}.delivery .hint{grid-column:1/-1;margin:0;overflow-wrap:anywhere}
.sheet .call:hover,.sheet .call[aria-expanded=true]{background:var(--code)}
.call:focus-visible{outline-offset:-3px}
.outcome{font-weight:650;font-size:.82rem;overflow-wrap:anywhere}
.good{color:var(--ok)}.bad{color:var(--warn)}
.operation{font-family:ui-monospace,SFMono-Regular,Menlo,Consolas,monospace;font-size:.86rem;overflow-wrap:anywhere}
.who,.took,.when{color:var(--soft);overflow-wrap:anywhere}.took,.when{text-align:right;font-variant-numeric:tabular-nums;white-space:nowrap}
.details{padding:.4rem .9rem 1.2rem;border-top:1px solid var(--line)}
.problem{border:1px solid var(--warn);background:var(--warn-paper);border-radius:10px;padding:.7rem 1rem;margin:.8rem 0;overflow-wrap:anywhere}
.problem p{margin:0}.problem ul{margin:.4rem 0 0;padding-left:1.2rem}.problem code{background:none;padding:0}.problem .advice{margin-top:.5rem}
.facts-list{display:grid;grid-template-columns:max-content minmax(0,1fr);gap:.25rem 1.2rem;margin:.8rem 0;font-size:.92rem}
.facts-list dt{color:var(--soft)}.facts-list dd{margin:0;overflow-wrap:anywhere}
.choices{display:flex;flex-wrap:wrap;gap:.4rem;margin:.6rem 0 0}.choices [aria-pressed=true]{border-color:var(--accent);box-shadow:inset 0 0 0 1px var(--accent)}
.answer:not(:empty){margin-top:.7rem}.answer p{margin:.2rem 0}
.block{position:relative;margin:.5rem 0}.sheet .block pre{max-height:24rem;overflow:auto;height:auto;padding-right:5.2rem;border:1px solid var(--line);border-radius:10px;font-size:.86rem}
.sheet .block button{position:absolute;top:.45rem;right:.45rem;font-size:.8rem;padding:.15rem .6rem}
.replay{display:grid;gap:.6rem}.replay .line{display:flex;gap:.6rem;align-items:center}.replay .line input{flex:1}
.replay :is(input[name],textarea){font-family:ui-monospace,SFMono-Regular,Menlo,Consolas,monospace;font-size:.86rem;width:100%}
.replay .method{font-weight:650;font-size:.86rem}.replay .confirm{font-weight:400}
.groups>li{padding:.9rem 1.1rem}.groups p{margin:.3rem 0 0;overflow-wrap:anywhere}.groups .title{margin:0}
.rows{width:100%;border-collapse:collapse;background:var(--card);border:1px solid var(--line);font-size:.92rem}
.rows :is(th,td){text-align:left;vertical-align:top;padding:.5rem .8rem;border-top:1px solid var(--line);overflow-wrap:anywhere}
.rows thead th{border-top:0;color:var(--soft);font-weight:600;white-space:nowrap}
meter{width:min(30rem,100%);height:1.2rem}
@media (max-width:48rem){
.sheet .call{grid-template-columns:minmax(0,1fr) auto}.call .operation{grid-column:1/-1;order:2}.call .outcome{order:0}.call .when{order:1}.call .who{order:3}.call .took{order:4}
.delivery{grid-template-columns:minmax(0,1fr) auto}.delivery .operation,.delivery .who{grid-column:1/-1}
.rows thead{position:absolute;left:-9999px}.rows :is(tr,td){display:block}.rows tr+tr{border-top:1px solid var(--line)}.rows tr{padding:.5rem .2rem}
.rows td{border:0;padding:.1rem .8rem}.rows td::before{content:attr(data-label) ": ";color:var(--soft)}
.filters{grid-template-columns:1fr 1fr}
.facts-list{grid-template-columns:1fr;gap:0}.facts-list dd{margin-bottom:.5rem}
}
`;
