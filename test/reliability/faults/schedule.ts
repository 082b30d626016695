/** What breaks, in an order that follows from a seed: every kind once before any comes again. */
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import type { Dice } from '../../simulation/seeded-random.ts';
import type { FaultProxy } from '../../support/fault-proxy.ts';
import type { Gateway } from '../../support/gateway-process.ts';

/** A gateway, and the ways from it to what it needs. */
export interface Place {
  gateway: Gateway;
  database: FaultProxy;
  mail: FaultProxy;
  limits: FaultProxy | undefined;
}

/** The database as its administrator sees it. */
export interface Database {
  name: string;
  /** For statements about it. */
  adminUrl: string;
}

type Break = (place: Place, dice: Dice, database: Database) => Promise<void>;

async function administer({ adminUrl }: Database, ...statements: string[]): Promise<void> {
  const client = new pg.Client({ connectionString: adminUrl });
  await client.connect();
  try {
    for (const statement of statements) await client.query(statement);
  } finally {
    await client.end();
  }
}

/** Settings of a database count for new connections. */
const endAll = ({ name }: Database) =>
  `select pg_terminate_backend(pid) from pg_stat_activity where datname = '${name}'`;

const forAWhile = (dice: Dice) => sleep(dice.between(150, 600));

const broken = (way: 'database' | 'mail' | 'limits'): Break =>
  async function broken(place, dice) {
    const proxy = place[way];
    if (!proxy) return;
    const how = dice.oneOf<'resetConnections' | 'stall' | 'refuseConnections'>(['resetConnections', 'stall', 'refuseConnections']);
    await proxy[how]();
    await forAWhile(dice);
    await proxy.restore();
  };

const breaks: Readonly<Record<string, Break>> = {
  async cut({ database }, dice) {
    for (let times = dice.between(1, 4); times > 0; times -= 1) {
      database.resetConnections();
      await sleep(dice.between(5, 100));
    }
  },
  async halfOpen({ database }, dice) {
    database.stall();
    await forAWhile(dice);
    // The connections may be as they were, or not.
    if (dice.chance(0.5)) database.resetConnections();
    await database.restore();
  },
  async forget({ database }) {
    database.stallOpenConnections();
  },
  async refuse({ database }, dice) {
    await database.refuseConnections();
    await forAWhile(dice);
    await database.restore();
  },
  async delay({ database }, dice) {
    database.delay(dice.between(5, 80));
    await forAWhile(dice);
    await database.restore();
  },
  async lostCommits({ database }, dice) {
    for (let times = dice.between(1, 3); times > 0; times -= 1)
      await Promise.race([database.dropResponse(/COMMIT/), sleep(400)]);
    await database.restore();
  },
  async lostAnswers({ database }, dice) {
    for (let times = dice.between(1, 5); times > 0; times -= 1)
      await Promise.race([database.dropResponse(/./s), sleep(200)]);
    await database.restore();
  },
  mail: broken('mail'),
  limits: broken('limits'),
  async readOnly(_place, dice, database) {
    const set = (what: string) => administer(database, `alter database ${database.name} ${what}`);
    await set('set default_transaction_read_only = on');
    await administer(database, endAll(database));
    await forAWhile(dice);
    await set('reset default_transaction_read_only');
  },
  async noConnections(_place, dice, database) {
    const limit = (most: number) => `alter database ${database.name} connection limit ${most}`;
    await administer(database, limit(dice.between(0, 4)), endAll(database));
    await forAWhile(dice);
    await administer(database, limit(-1));
  },
};

/** These take their time. */
const ends: Readonly<Record<string, Break>> = {
  async kill({ gateway }, dice) {
    await gateway.kill();
    await sleep(dice.between(0, 200));
    await gateway.restart();
  },
  async stop({ gateway }) {
    const code = await gateway.stop();
    if (code !== 0) throw new Error(`The gateway was asked to stop, and ended with ${code}.`);
    await gateway.restart();
  },
};

/** Breaks one thing after the other for so long, each kind once at least, and notes what it broke, and where. */
export async function breakThings(
  places: readonly Place[],
  database: Database,
  dice: Dice,
  seconds: number,
  done: string[],
): Promise<void> {
  const until = performance.now() + seconds * 1000;
  do {
    const waiting = Object.entries(seconds > 0 ? { ...breaks, ...ends } : breaks);
    while (waiting.length > 0) {
      const [[name, hurt] = ['', async () => {}]] = waiting.splice(dice.between(0, waiting.length - 1), 1);
      const place = dice.pick(places);
      if (!place) return;
      const began = performance.now();
      await hurt(place, dice, database);
      done.push(`${name} ${places.indexOf(place)} (${Math.round(performance.now() - began)} ms)`);
      await sleep(dice.between(0, 200));
    }
  } while (performance.now() < until);
}
