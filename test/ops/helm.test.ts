/** The Helm chart: its values match their schema, and the manifests are valid Kubernetes objects that fit the gateway. */
import { readFileSync } from 'node:fs';
import { parseEnv } from 'node:util';
import { Ajv } from 'ajv';
import { Deployment } from 'kubernetes-models/apps/v1';
import { HorizontalPodAutoscaler } from 'kubernetes-models/autoscaling/v2';
import { Job } from 'kubernetes-models/batch/v1';
import { Ingress } from 'kubernetes-models/networking.k8s.io/v1';
import { PodDisruptionBudget } from 'kubernetes-models/policy/v1';
import { ConfigMap, Service } from 'kubernetes-models/v1';
import { expect, it } from 'vitest';
import { parse, parseAllDocuments } from 'yaml';
import { readConfig } from '../../src/config.ts';
import { environmentSchema } from '../../src/environment-schema.ts';
import { packageVersion } from '../../src/lib/package-info.ts';
import { dockerfileText, readDockerfile } from '../support/container-image.ts';
import { readDocument } from '../support/documents.ts';
import { renderChart } from '../support/helm-chart.ts';
import { codeBlocks } from '../support/run-document.ts';

const chart = 'ops/helm/duet';
const readYaml = (file: string) => parse(readFileSync(`${chart}/${file}`, 'utf8'));
const chartInfo = readYaml('Chart.yaml');
const defaults = readYaml('values.yaml');
const schema = JSON.parse(readFileSync(`${chart}/values.schema.json`, 'utf8'));
const isValid = new Ajv({ allowUnionTypes: true }).compile(schema);

const models = [ConfigMap, Deployment, HorizontalPodAutoscaler, Ingress, Job, PodDisruptionBudget, Service];

interface Manifest {
  apiVersion: string;
  kind: string;
  metadata: { name: string; labels: Record<string, string>; annotations?: Record<string, string> };
  data?: Record<string, string>;
  // biome-ignore lint/suspicious/noExplicitAny: each kind has another type; the tests check the values.
  spec: any;
}

const required = { existingSecret: 'duet-secrets', config: { PUBLIC_URL: 'https://api.shop.example' } };
const everything = {
  ...required,
  imagePullSecrets: [{ name: 'registry' }],
  ingress: {
    enabled: true,
    className: 'nginx',
    annotations: { a: 'b' },
    host: 'api.shop.example',
    tlsSecret: 'tls',
  },
  autoscaling: { enabled: true },
  serviceMonitor: { enabled: true, labels: { release: 'prometheus' } },
  data: { existingClaim: 'files' },
  serviceAccount: { name: 'gateway' },
  podAnnotations: { 'example.com/team': 'shop' },
  nodeSelector: { disk: 'ssd' },
  tolerations: [{ key: 'shop', operator: 'Exists' }],
  affinity: { nodeAffinity: {} },
};

/** Merges values like Helm: objects by key, everything else is replaced. */
function mergeValues(base: unknown, changes: unknown): unknown {
  const isObject = (value: unknown): value is Record<string, unknown> =>
    typeof value === 'object' && value !== null && !Array.isArray(value);
  if (!isObject(base) || !isObject(changes)) return changes;
  const merged = Object.entries(changes).map(([name, value]) => [name, mergeValues(base[name], value)]);
  return { ...base, ...Object.fromEntries(merged) };
}

function render(changes: object, release = 'shop'): Record<string, string> {
  const values = mergeValues(defaults, changes);
  isValid(values);
  expect(isValid.errors).toBeNull();
  return renderChart(chart, {
    Chart: { Name: chartInfo.name, Version: chartInfo.version, AppVersion: chartInfo.appVersion },
    Release: { Name: release, Namespace: 'web', Service: 'Helm' },
    Values: values,
  });
}

const manifestsOf = (changes: object, release?: string): Map<string, Manifest> =>
  new Map(
    Object.entries(render(changes, release))
      .filter(([file]) => file.endsWith('.yaml'))
      .flatMap(([, text]) => parseAllDocuments(text))
      .map((document) => {
        expect(document.errors).toEqual([]);
        return document.toJS() as Manifest | null;
      })
      .filter((manifest) => manifest !== null)
      .map((manifest) => [manifest.kind, manifest]),
  );

function manifest(changes: object, kind: string): Manifest {
  const found = manifestsOf(changes).get(kind);
  if (!found) throw new Error(`There is no ${kind}.`);
  return found;
}

/** Copy that records the paths of properties which were never read. Validators read every property that Kubernetes has. */
function trackReads<T extends object>(value: T, path: string, unread: Set<string>): T {
  const copy: Record<string, unknown> = {};
  for (const [name, child] of Object.entries(value)) {
    const childPath = `${path}.${name}`;
    const tracked = child && typeof child === 'object' ? trackReads(child, childPath, unread) : child;
    unread.add(childPath);
    Object.defineProperty(copy, name, {
      enumerable: true,
      get: () => {
        unread.delete(childPath);
        return tracked;
      },
    });
  }
  return (Array.isArray(value) ? Object.assign([], copy) : copy) as T;
}

it.each([
  ['default values', required, ['ConfigMap', 'Deployment', 'Job', 'PodDisruptionBudget', 'Service']],
  [
    'every option',
    everything,
    [
      'ConfigMap',
      'Deployment',
      'HorizontalPodAutoscaler',
      'Ingress',
      'Job',
      'PodDisruptionBudget',
      'Service',
      'ServiceMonitor',
    ],
  ],
])('renders valid objects without unknown fields: %s', (_, values, kinds) => {
  const manifests = manifestsOf(values);
  expect([...manifests.keys()].sort()).toEqual(kinds);
  for (const { apiVersion, kind, ...rest } of manifests.values()) {
    // A resource of the Prometheus Operator, which the schemas of Kubernetes do not have.
    if (kind === 'ServiceMonitor') continue;
    const Model = models.find((model) => model.kind === kind && model.apiVersion === apiVersion);
    if (!Model) throw new Error(`Kubernetes has no ${kind} in ${apiVersion}.`);
    const unread = new Set<string>();
    const { spec, data, metadata } = rest;
    const body = { metadata, ...(spec ? { spec } : {}), ...(data ? { data } : {}) };
    new Model(trackReads(body, kind, unread) as never).validate();
    expect([...unread]).toEqual([]);
  }
});

it('selects the pods of the gateway, not those of the migration', () => {
  const { labels } = manifest(required, 'Deployment').spec.template.metadata;
  const jobLabels = manifest(required, 'Job').spec.template.metadata.labels;
  const selectors = [
    manifest(required, 'Service').spec.selector,
    manifest(required, 'Deployment').spec.selector.matchLabels,
    manifest(required, 'PodDisruptionBudget').spec.selector.matchLabels,
  ];
  for (const selector of selectors) {
    expect(labels).toMatchObject(selector);
    expect(jobLabels).not.toMatchObject(selector);
  }
  const monitor = manifest(everything, 'ServiceMonitor').spec;
  expect(manifest(everything, 'Service').metadata.labels).toMatchObject(monitor.selector.matchLabels);
  expect(manifest(everything, 'Service').spec.ports.map(({ name }: { name: string }) => name)).toContain(
    monitor.endpoints[0].port,
  );
});

it('runs the image without privileges on a read-only file system, with time for the shutdown', () => {
  for (const kind of ['Deployment', 'Job']) {
    const pod = manifest(required, kind).spec.template.spec;
    const [container] = pod.containers;
    expect(container.image).toBe(`duet:${packageVersion}`);
    expect(pod.securityContext).toMatchObject({ runAsNonRoot: true, runAsUser: 1000 });
    expect(container.securityContext).toMatchObject({
      readOnlyRootFilesystem: true,
      allowPrivilegeEscalation: false,
    });
    expect(container.volumeMounts.map(({ mountPath }: { mountPath: string }) => mountPath)).toEqual([
      '/data',
      '/tmp',
    ]);
  }
  const pod = manifest(required, 'Deployment').spec.template.spec;
  expect(pod.terminationGracePeriodSeconds).toBeGreaterThan(10);
  const { livenessProbe, readinessProbe } = pod.containers[0];
  expect([livenessProbe.httpGet.path, readinessProbe.httpGet.path]).toEqual([
    '/health/live',
    '/health/ready',
  ]);
});

it('migrates before installation and upgrade, with the configuration of the gateway', () => {
  const job = manifest(required, 'Job');
  expect(job.metadata.annotations?.['helm.sh/hook']).toBe('pre-install,pre-upgrade');
  const [container] = job.spec.template.spec.containers;
  const env = container.env.map(({ name, value }: { name: string; value: string }) => [name, value]);
  expect(Object.fromEntries(env)).toEqual(manifest(required, 'ConfigMap').data);
  expect([container.args, container.envFrom]).toEqual([
    ['migrate'],
    [{ secretRef: { name: 'duet-secrets' } }],
  ]);
});

it('passes valid environment variables only', () => {
  const { data = {} } = manifest(required, 'ConfigMap');
  expect(Object.keys(data).filter((name) => !(name in environmentSchema.shape))).toEqual([]);
  expect(environmentSchema.safeParse(data).success).toBe(true);
});

it('rejects values that are missing, misspelt or fixed by the image', () => {
  expect(() => render({})).toThrow('config.PUBLIC_URL');
  expect(() => render({ config: required.config })).toThrow('existingSecret');
  expect(() => render({ ...required, ingress: { enabled: true } })).toThrow('ingress.host');
  for (const wrong of [
    { replica: 3 },
    { config: { PORT: '80' } },
    { terminationGracePeriodSeconds: 5 },
    { service: { port: '80' } },
  ])
    expect(isValid(mergeValues(defaults, wrong))).toBe(false);
});

it('has the version of the package', () => {
  expect([chartInfo.version, chartInfo.appVersion]).toEqual([packageVersion, packageVersion]);
});

it('installs with the files and commands of the tutorial', () => {
  const blocks = codeBlocks(readDocument('docs/tutorials/kubernetes.md'));
  const fileOf = (name: string) => blocks.find(({ note }) => note === name)?.lines.join('\n') ?? '';
  const values = parse(fileOf('values.yaml'));
  const manifests = manifestsOf(values, 'duet');
  const pods = manifests.get('Deployment')?.spec.template;
  const secrets = parseEnv(fileOf('gateway.env'));
  const config = readConfig({
    ...readDockerfile(dockerfileText()).env,
    ...manifests.get('ConfigMap')?.data,
    ...secrets,
  });
  expect(config).toMatchObject({ production: true, sandbox: false, publicUrl: values.config.PUBLIC_URL });
  expect(pods.spec.containers[0].envFrom).toContainEqual({ secretRef: { name: values.existingSecret } });
  // Names in the commands.
  const commands = blocks.filter(({ language }) => language === 'console').flatMap(({ lines }) => lines);
  const names = [...manifests].map(([kind, { metadata }]) => `${kind.toLowerCase()}/${metadata.name}`);
  const used = commands.join('\n').match(/\b(?:job|deploy)\/\S+/g) ?? [];
  expect(used.length).toBeGreaterThan(2);
  for (const name of used) expect(names).toContain(name.replace(/^deploy\//, 'deployment/'));
  const [, label = '', value] = /--selector (\S+)=(\S+)/.exec(commands.join('\n')) ?? [];
  expect(pods.metadata.labels[label]).toBe(value);
  for (const [, path = ''] of commands.join('\n').matchAll(/--set (\S+)=/g))
    expect(isValid(mergeValues(defaults, mergeValues(values, setValue(path))))).toBe(true);
});

/** The value of `--set a.b=…`. */
const setValue = (path: string): object =>
  path.split('.').reduceRight<unknown>((value, name) => ({ [name]: value }), 'text') as object;
