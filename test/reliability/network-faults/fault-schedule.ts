/** Schedule of injected faults, in an order derived from a seed: every kind occurs once before any repeats. */
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import type { Dice } from '../../simulation/seeded-random.ts';
import type { FaultProxy } from '../../support/fault-proxy.ts';
import type { Gateway } from '../../support/gateway-process.ts';

/** A gateway and the fault proxies between it and its servers. */
export interface GatewayLinks {
  gateway: Gateway;
  database: FaultProxy;
  mail: FaultProxy;
  limits: FaultProxy | undefined;
}

/** Database of the gateways, for administration. */
export interface Database {
  name: string;
  /** URL of the maintenance database. */
  adminUrl: string;
}

type InjectFault = (links: GatewayLinks, dice: Dice, database: Database) => Promise<void>;

async function administer({ adminUrl }: Database, ...statements: string[]): Promise<void> {
  const client = new pg.Client({ connectionString: adminUrl });
  await client.connect();
  try {
    for (const statement of statements) await client.query(statement);
  } finally {
    await client.end();
  }
}

/** Terminates all connections: settings of a database apply to new connections only. */
const terminateConnections = ({ name }: Database) =>
  `select pg_terminate_backend(pid) from pg_stat_activity where datname = '${name}'`;

const pause = (dice: Dice) => sleep(dice.between(150, 600));

const breakLink = (link: 'database' | 'mail' | 'limits'): InjectFault =>
  async function breakLink(links, dice) {
    const proxy = links[link];
    if (!proxy) return;
    const fault = dice.oneOf<'resetConnections' | 'stall' | 'refuseConnections'>([
      'resetConnections',
      'stall',
      'refuseConnections',
    ]);
    await proxy[fault]();
    await pause(dice);
    await proxy.restore();
  };

const faults: Readonly<Record<string, InjectFault>> = {
  async cut({ database }, dice) {
    for (let times = dice.between(1, 4); times > 0; times -= 1) {
      database.resetConnections();
      await sleep(dice.between(5, 100));
    }
  },
  async halfOpen({ database }, dice) {
    database.stall();
    await pause(dice);
    // The stalled connections either continue or are reset.
    if (dice.chance(0.5)) database.resetConnections();
    await database.restore();
  },
  async forget({ database }) {
    database.stallOpenConnections();
  },
  async refuse({ database }, dice) {
    await database.refuseConnections();
    await pause(dice);
    await database.restore();
  },
  async delay({ database }, dice) {
    database.delay(dice.between(5, 80));
    await pause(dice);
    await database.restore();
  },
  async lostCommits({ database }, dice) {
    for (let times = dice.between(1, 3); times > 0; times -= 1)
      await Promise.race([database.dropResponse(/COMMIT/), sleep(400)]);
    await database.restore();
  },
  async lostResponses({ database }, dice) {
    for (let times = dice.between(1, 5); times > 0; times -= 1)
      await Promise.race([database.dropResponse(/./s), sleep(200)]);
    await database.restore();
  },
  mail: breakLink('mail'),
  limits: breakLink('limits'),
  async readOnly(_links, dice, database) {
    const alter = (action: string) => administer(database, `alter database ${database.name} ${action}`);
    await alter('set default_transaction_read_only = on');
    await administer(database, terminateConnections(database));
    await pause(dice);
    await alter('reset default_transaction_read_only');
  },
  async noConnections(_links, dice, database) {
    const limit = (max: number) => `alter database ${database.name} connection limit ${max}`;
    await administer(database, limit(dice.between(0, 4)), terminateConnections(database));
    await pause(dice);
    await administer(database, limit(-1));
  },
};

/** Faults that take seconds each. */
const slowFaults: Readonly<Record<string, InjectFault>> = {
  async kill({ gateway }, dice) {
    await gateway.kill();
    await sleep(dice.between(0, 200));
    await gateway.restart();
  },
  async stop({ gateway }) {
    const code = await gateway.stop();
    if (code !== 0) throw new Error(`The gateway exited with ${code} after SIGTERM.`);
    await gateway.restart();
  },
};

/** Injects faults one after the other for `seconds`, each kind at least once, and logs them in `injected`. */
export async function injectFaults(
  gatewayLinks: readonly GatewayLinks[],
  database: Database,
  dice: Dice,
  seconds: number,
  injected: string[],
): Promise<void> {
  const endAt = performance.now() + seconds * 1000;
  do {
    const remaining = Object.entries(seconds > 0 ? { ...faults, ...slowFaults } : faults);
    while (remaining.length > 0) {
      const [[name, inject] = ['', async () => {}]] = remaining.splice(
        dice.between(0, remaining.length - 1),
        1,
      );
      const links = dice.pick(gatewayLinks);
      if (!links) return;
      const startedAt = performance.now();
      await inject(links, dice, database);
      injected.push(
        `${name} ${gatewayLinks.indexOf(links)} (${Math.round(performance.now() - startedAt)} ms)`,
      );
      await sleep(dice.between(0, 200));
    }
  } while (performance.now() < endAt);
}
