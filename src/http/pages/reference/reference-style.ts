/** Stylesheet of the REST reference: navigation, description and form, side by side on wide screens. */
export const referenceStyle = `.reference{display:grid;grid-template-columns:minmax(0,1fr)}
.reference h1{font-size:1.7rem;line-height:1.2;margin:0 0 .5rem}.reference h2{font-size:1.05rem;margin:0}
.reference code,.reference pre,.reference textarea{font-family:ui-monospace,SFMono-Regular,Menlo,Consolas,monospace;font-size:.875rem}
.reference code{overflow-wrap:anywhere}
.reference a:focus-visible,.reference summary:focus-visible,.reference pre:focus-visible,.reference input:focus-visible,.reference select:focus-visible,.reference textarea:focus-visible{outline:3px solid var(--accent);outline-offset:1px}
#menu{padding:.8rem clamp(1rem,4vw,1.5rem);border-bottom:1px solid var(--line)}
#menu>summary{font-weight:600;cursor:pointer}
#menu .group{margin:1.1rem 0 0}#menu h2{font-size:.8rem;letter-spacing:.04em;text-transform:uppercase;color:var(--soft)}
#menu ul{list-style:none;margin:.2rem 0 0;padding:0}
#menu li a{display:flex;justify-content:space-between;align-items:center;gap:.6rem;padding:.22rem .5rem;border-radius:6px;color:var(--ink);text-decoration:none;font-size:.92rem}
#menu li a:hover{background:var(--code)}#menu li a[aria-current]{background:var(--accent);color:var(--accent-ink)}#menu li a[aria-current] .method{color:inherit}
.method{font:600 .72rem/1.4 ui-monospace,Menlo,Consolas,monospace}
.get{color:#1f5f99}.post{color:var(--ok)}.put,.patch{color:var(--note)}.delete{color:var(--warn)}.event{color:#6b3fa0}
@media (prefers-color-scheme:dark){.get{color:#8cc4f5}.event{color:#cfb0f5}}
.control{display:grid;gap:.15rem;margin:0 0 .6rem}.control label,.search label{font-size:.85rem;font-weight:600}
.search{display:grid;gap:.15rem;margin-top:.6rem}
.reference input,.reference select,.reference textarea{font-size:.875rem;padding:.35rem .5rem;border:1px solid var(--soft);border-radius:6px;background:var(--paper);color:var(--ink);width:100%}
.about,.doing{min-width:0}.head-of,.facts-of,.doing{padding:1.4rem clamp(1rem,4vw,2rem);min-width:0}.head-of+.facts-of{padding-top:0}
.facts-of>section{margin-top:2rem}.address{margin:.2rem 0 1rem}.facts-of .lead,.head-of .lead{font-size:1rem}
.language{display:flex;gap:.4rem;align-items:center;font-size:.85rem}.language select{width:auto}.code pre{margin-bottom:.5rem}
.fields{list-style:none;margin:.5rem 0 0;padding:0}.fields>li{padding:.6rem 0;border-top:1px solid var(--line)}
.fields p{margin:.1rem 0;color:var(--soft);font-size:.95rem}.fields .fields{padding-left:.9rem;border-left:2px solid var(--line)}
.name{display:flex;flex-wrap:wrap;gap:.1rem .7rem;align-items:baseline}.type{color:var(--soft);font-size:.85rem}
.needed{color:var(--warn);font-size:.8rem}.old{color:var(--note);font-size:.85rem}.good{color:var(--ok)}.bad{color:var(--warn)}
.values code{background:var(--code);padding:0 .3rem;border-radius:4px}
.reference summary{cursor:pointer;color:var(--accent);font-size:.875rem;margin:.2rem 0}
.box{border:1px solid var(--line);border-radius:12px;background:var(--card);padding:1rem;margin:0 0 1rem}.box h2{margin:0 0 .6rem}
.title{display:flex;justify-content:space-between;align-items:start}
.box pre{margin:0;padding:.8rem;max-height:24rem;overflow:auto;background:var(--code);border-radius:8px;white-space:pre-wrap;overflow-wrap:anywhere}
.reference button{font:inherit;font-size:.85rem;padding:.25rem .8rem;border:1px solid var(--line);border-radius:8px;background:var(--card);color:var(--ink);cursor:pointer}
.reference button.main{background:var(--accent);border-color:var(--accent);color:var(--accent-ink);font-weight:600}
.twin{margin:0 0 .5rem;font-size:.9rem}
.send{display:flex;gap:.8rem;align-items:center;margin:.4rem 0;color:var(--soft);font-size:.85rem}
.steps{margin:.2rem 0 .8rem;padding-left:1.4rem;font-size:.85rem;overflow-wrap:anywhere}.steps div{overflow:hidden;text-overflow:ellipsis;white-space:nowrap}
.reference [hidden]{display:none}
@media (max-width:75.99rem){#operation{display:flex;flex-direction:column}.about,.doing{display:contents}.doing>.box{margin-inline:clamp(1rem,4vw,2rem);order:4}
.head-of{order:1;padding-bottom:.6rem}.doing>.try{order:2}.facts-of{order:3}}
@media (min-width:60rem){.reference{grid-template-columns:17rem minmax(0,1fr)}
#menu{position:sticky;top:0;height:100vh;overflow:auto;border-bottom:0;border-right:1px solid var(--line)}#menu>summary{display:none}}
@media (min-width:76rem){#operation{display:grid;grid-template-columns:minmax(0,1fr) minmax(0,28rem)}.doing{position:sticky;top:0;max-height:100vh;overflow:auto}}
`;
