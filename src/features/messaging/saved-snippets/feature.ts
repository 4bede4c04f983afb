import { feature } from '#platform/feature.ts'
import { snippetQuota } from './quotas.ts'
import * as routes from './routes.ts'
import { savedSnippetEventShapes } from './shapes.ts'
import { savedSnippetsState } from './state.ts'

export const savedSnippets = feature({
  routes: { 'Drafts and snippets': [routes] },
  state: [savedSnippetsState],
  events: savedSnippetEventShapes,
  quotas: [snippetQuota],
})
