/**
 * A random walk through Varnish: no viewer gets a response for another viewer, and no response is older than the documented bound.
 * `EDGE_WALK=<steps>` sets the length and prints the hit rate; by default the walk takes about ten seconds.
 */
import { expect, it } from 'vitest';
import { testApp } from '../support/app.ts';
import { listen } from '../support/browser.ts';
import { dailySeed } from '../support/daily-seed.ts';
import { walkEdgeCache } from '../support/edge-cache-walk.ts';
import { freePort } from '../support/gateway-process.ts';
import { startVarnish, varnishVersion } from '../support/varnish.ts';

const [maxAge, stale] = [2, 1];
const steps = Number(process.env.EDGE_WALK ?? 1000);

it.skipIf(!varnishVersion())(
  "never serves another viewer's response, nor an old one (skipped without varnish and varnish-modules)",
  { timeout: 60_000 + steps * 30 },
  async () => {
    const port = await freePort();
    const t = await testApp({
      RATE_LIMIT: 'off',
      EDGE_CACHE_SECONDS: String(maxAge),
      EDGE_CACHE_STALE_SECONDS: String(stale),
      CACHE_PURGE_URL: `http://127.0.0.1:${port}`,
      CACHE_PURGE_TOKEN: 'walk',
    });
    const varnish = await startVarnish(port, await listen(t), 'walk');
    await t.app.start();
    try {
      const boundMs = (maxAge + stale) * 1000;
      const result = await walkEdgeCache({
        t,
        url: varnish.url,
        purgeToken: 'walk',
        steps,
        seed: Number(process.env.EDGE_WALK_SEED ?? dailySeed),
        boundMs,
      });
      expect(result.findings.slice(0, 5)).toEqual([]);
      expect(result.hits).toBeGreaterThan(result.anonymousReads / 5);
      if (process.env.EDGE_WALK) console.log(result, result.hits / result.anonymousReads);
    } finally {
      await t.app.stop();
      await varnish.stop();
    }
  },
);
