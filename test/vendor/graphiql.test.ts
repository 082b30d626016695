/** Assumption about GraphiQL: the places in its minified script that src/vendor/graphiql patches. */
import { js } from '@graphql-yoga/render-graphiql/graphiql';
import { expect, it } from 'vitest';
import { patchGraphiqlScript } from '../../src/vendor/graphiql/patch-script.ts';
import { seenOnVersions } from './seen-versions.ts';

seenOnVersions('@graphql-yoga/render-graphiql', '5.24');

it('has one place that sets the theme', () => {
  expect(patchGraphiqlScript(js).split('self.graphiqlActions=this')).toHaveLength(2);
});

it('has one place that lists the plugins, and a history plugin', () => {
  expect(patchGraphiqlScript(js).match(/plugins:\[\w+,\w+\],schemaDescription:/g)).toHaveLength(1);
});
