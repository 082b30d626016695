/** The colours of every page, by day and by night. */
export const palette = `
:root{--ink:#1b2426;--soft:#556266;--paper:#fbfaf7;--card:#fff;--line:#e2ded4;--accent:#0d6b66;--accent-ink:#fff;--code:#f3f1ea;--ok:#176b3a;--note:#7a4b00;--warn:#b3261e;--warn-paper:#fdf0ee;color-scheme:light dark}
@media (prefers-color-scheme:dark){:root{--ink:#e8ecea;--soft:#a3b0b0;--paper:#12181a;--card:#192124;--line:#2c373a;--accent:#67d3c5;--accent-ink:#06201e;--code:#0e1416;--ok:#7ed6a0;--note:#f0c27a;--warn:#ffb4ab;--warn-paper:#3a1a18}}
*{box-sizing:border-box}
html{-webkit-text-size-adjust:100%}
body{margin:0;background:var(--paper);color:var(--ink);font:16px/1.6 system-ui,-apple-system,"Segoe UI",Roboto,"Helvetica Neue",Arial,sans-serif}
`;
