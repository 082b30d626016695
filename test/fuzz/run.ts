/** `npm run fuzz -- --seed N --requests N`: prints each kind of response that the contract does not allow. */
import { parseArgs } from 'node:util';
import { fuzz } from './fuzz.ts';

const { values } = parseArgs({
  options: {
    seed: { type: 'string', default: String(Date.now() % 1_000_000) },
    requests: { type: 'string', default: '2000' },
    most: { type: 'string', default: '20' },
    tally: { type: 'boolean', default: false },
  },
});

const [seed, requests] = [Number(values.seed), Number(values.requests)];
const started = performance.now();
const tally = new Map<string, number>();
let requestCount = 0;
const findings = await fuzz({
  seed,
  requests,
  most: Number(values.most),
  tally,
  progress(count) {
    requestCount = count;
    if (process.stderr.isTTY && count % 20 === 0) process.stderr.write(`\r${count} of ${requests} requests`);
  },
});
if (values.tally) console.table(Object.fromEntries([...tally].sort()));
for (const { request, violation: fault } of findings)
  console.log(`seed ${seed}, request ${request}: ${fault.message}\n`);
const seconds = ((performance.now() - started) / 1000).toFixed(1);
console.log(`seed ${seed}: ${requestCount} requests in ${seconds} s, ${findings.length || 'nothing'} found`);
process.exitCode = findings.length > 0 ? 1 : 0;
