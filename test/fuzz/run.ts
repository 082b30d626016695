/** `npm run fuzz -- --seed N --requests N`: prints each kind of response that the contract does not allow. */
import { parseArgs } from 'node:util';
import { coverageOf, formatCoverage } from './coverage.ts';
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
let [requestCount, renewals] = [0, 0];
const findings = await fuzz({
  seed,
  requests,
  most: Number(values.most),
  tally,
  onRenewed() {
    renewals += 1;
  },
  progress(count) {
    requestCount = count;
    if (process.stderr.isTTY && count % 20 === 0) process.stderr.write(`\r${count} of ${requests} requests`);
  },
});
const coverage = coverageOf(tally);
if (values.tally) {
  console.table(Object.fromEntries([...tally].sort()));
  console.table(coverage);
}
for (const { request, violation: fault } of findings)
  console.log(`seed ${seed}, request ${request}: ${fault.message}\n`);
console.log(formatCoverage(coverage));
const seconds = ((performance.now() - started) / 1000).toFixed(1);
console.log(
  `seed ${seed}: ${requestCount} requests in ${seconds} s, ${renewals} times signed in again, ${findings.length || 'nothing'} found`,
);
process.exitCode = findings.length > 0 ? 1 : 0;
