/** Assumption about GraphiQL: the place in its minified script that src/vendor/graphiql patches. */
import { js } from '@graphql-yoga/render-graphiql/graphiql';
import { expect, it } from 'vitest';
import { exposeGraphiqlThemeAction } from '../../src/vendor/graphiql/theme-action.ts';
import { seenOnVersions } from './seen-versions.ts';

seenOnVersions('@graphql-yoga/render-graphiql', '5.24');

it('has one place that sets the theme', () => {
  expect(exposeGraphiqlThemeAction(js).split('self.graphiqlActions=this')).toHaveLength(2);
});
