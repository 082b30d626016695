/** Stylesheet of the guide: menu, text and outline, next to each other on wide screens. */
export const guideStyle = `.guide{display:grid;grid-template-columns:minmax(0,1fr)}
.guide [hidden]{display:none}
.guide code,.guide pre{font-family:ui-monospace,SFMono-Regular,Menlo,Consolas,monospace;font-size:.875em}
.guide summary{cursor:pointer}.guide a:focus-visible,.guide summary:focus-visible,.guide input:focus-visible,.guide [tabindex]:focus-visible{outline:3px solid var(--accent);outline-offset:1px}
#menu{padding:.8rem clamp(1rem,4vw,1.5rem);border-bottom:1px solid var(--line)}
#menu>summary,.outline summary{font-weight:600}
#menu .search{display:grid;gap:.15rem;margin-top:.6rem}#menu label{font-size:.85rem;font-weight:600}
#menu input{font-size:.95rem;padding:.4rem .5rem;border:1px solid var(--soft);border-radius:6px;background:var(--paper);color:var(--ink);width:100%}
#menu .group{margin:1.1rem 0 0}#menu h2{font-size:.8rem;letter-spacing:.04em;text-transform:uppercase;color:var(--soft);margin:0}
#menu ul,#results,.outline ul{list-style:none;margin:.2rem 0 0;padding:0}
#contents a{display:block;padding:.22rem .5rem;border-radius:6px;color:var(--ink);text-decoration:none;font-size:.92rem}
#contents a:hover,#results a:hover{background:var(--code)}#contents a[aria-current]{background:var(--accent);color:var(--accent-ink)}
#found{margin:.6rem 0 0;font-size:.85rem;color:var(--soft)}#found:empty{display:none}
#results a{display:block;padding:.5rem;border-radius:6px;color:var(--ink);text-decoration:none;border-bottom:1px solid var(--line);overflow-wrap:anywhere}
#results strong{display:block;font-size:.92rem}#results span{font-size:.85rem;color:var(--soft)}#results mark{background:none;color:var(--accent);font-weight:600}
#page{padding:1.4rem clamp(1rem,4vw,2.5rem) 4rem;min-width:0;max-width:56rem;overflow-wrap:break-word}
#page h1{font-size:clamp(1.7rem,4vw,2.2rem);line-height:1.2;letter-spacing:-.01em;margin:0 0 .8rem}
#page h2{font-size:1.35rem;line-height:1.3;margin:2.6rem 0 .6rem;padding-top:1.1rem;border-top:1px solid var(--line)}
#page h3{font-size:1.1rem;margin:1.8rem 0 .4rem}
#page [id]{scroll-margin-top:1rem}
.kind{margin:0;font-size:.8rem;letter-spacing:.04em;text-transform:uppercase;color:var(--soft)}
.anchor{color:var(--soft);text-decoration:none;font-weight:400}@media (hover:hover){.anchor{opacity:0}:hover>.anchor,.anchor:focus{opacity:1}}
#page p,#page li{max-width:46rem}#page li{margin:.25rem 0}#page ul,#page ol{padding-left:1.3rem}
#page :not(pre)>code{background:var(--code);padding:.1em .35em;border-radius:5px;overflow-wrap:anywhere}
.code{position:relative;margin:1rem 0}
.code pre{margin:0;padding:.9rem 1rem;overflow:auto;background:var(--code);border:1px solid var(--line);border-radius:10px;line-height:1.5;white-space:pre-wrap;overflow-wrap:anywhere}
.code button{position:absolute;top:.45rem;right:.45rem;font:inherit;font-size:.8rem;padding:.15rem .6rem;border:1px solid var(--line);border-radius:8px;background:var(--card);color:var(--ink);cursor:pointer}
.code button:hover{border-color:var(--accent)}.code button:not([hidden])+pre{padding-top:2.3rem}
.table{overflow-x:auto;margin:1rem 0;border:1px solid var(--line);border-radius:10px;background:var(--card)}
.table table{border-collapse:collapse;width:100%;font-size:.93rem}
.table th,.table td{text-align:left;vertical-align:top;padding:.45rem .7rem;border-top:1px solid var(--line);min-width:7rem}
.table tr:first-child th{border-top:0}
.outline{padding:0 clamp(1rem,4vw,2.5rem);order:-1;margin-top:1rem;font-size:.9rem}
.outline a{display:block;padding:.15rem 0;color:var(--soft);text-decoration:none}.outline a:hover{color:var(--ink)}
@media (min-width:60rem){.guide{grid-template-columns:17rem minmax(0,1fr)}
#menu{position:sticky;top:0;height:100vh;overflow:auto;border-bottom:0;border-right:1px solid var(--line)}#menu>summary{display:none}
.guide>nav:first-child{grid-row:1/3}.outline{order:0;grid-column:2;grid-row:1}#page{grid-column:2;grid-row:2}}
@media (max-width:60rem){.guide>nav:first-child{order:-2}}
@media (min-width:80rem){.guide{grid-template-columns:17rem minmax(0,1fr) 15rem}
.guide>nav:first-child{grid-row:1}#page{grid-row:1}.outline{grid-column:3;grid-row:1;position:sticky;top:0;max-height:100vh;overflow:auto;padding:1.4rem 1rem;margin:0}.outline summary{list-style:none}}
`;
