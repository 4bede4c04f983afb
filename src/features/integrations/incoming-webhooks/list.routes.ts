import { limits } from '#features/foundation/realm/limits.ts'
import { userLanguage } from '#features/foundation/users/language.queries.ts'
import {
  categories,
  type Integration,
} from '#features/integrations/webhook-services/declaration.ts'
import { integrations } from '#features/integrations/webhook-services/list.ts'
import { contentText, topicText } from '#features/integrations/webhook-services/rendering.ts'
import { endpoint } from '#platform/http/endpoint.ts'
import { RawMembers } from '#platform/http/reply.ts'
import { render } from '#platform/markdown/render.ts'
import type { Lookups } from '#platform/markdown/types.ts'
import * as shape from '#platform/shape.ts'
import { sentenceIn, type Translator } from '#translations/translate.ts'
import { exampleNotes } from './examples.ts'
import { listedIntegration } from './shapes.ts'
import { integrationItems } from './state.ts'

/** Examples and steps contain no data of an organization. */
const nothing: Lookups = {
  usersByName: () => [],
  userById: () => undefined,
  groupByName: () => undefined,
  channelByName: () => undefined,
  newestInTopic: () => undefined,
  customEmoji: () => undefined,
  linkifiers: [],
  emptyTopicDisplayName: '',
  defaultCodeLanguage: '',
  realmUrl: '',
  translateEmoticons: false,
  previewsEnabled: false,
}

function exampleOf(service: Integration) {
  const { headers = {}, body } = service.example
  const [note] = exampleNotes(service)
  const content = contentText(note?.content ?? '', limits.messageLength)
  return {
    headers,
    body: JSON.stringify(body),
    topic: topicText(note?.topic ?? '', limits.topicLength),
    content,
    rendered_content: render(content, nothing).html,
  }
}

function stepsOf(service: Integration, language: Translator) {
  const steps = service.steps.map((step) => sentenceIn(language, step))
  return { steps, rendered_steps: steps.map((step) => render(step, nothing).html) }
}

/** Lists by their language, each made on its first request. */
const lists = new WeakMap<Translator, RawMembers>()

function listOfIntegrations(language: Translator): RawMembers {
  const known = lists.get(language)
  if (known) return known
  const items = integrations.map((service, i) => ({
    ...integrationItems[i],
    url_options: (service.urlOptions ?? []).map(({ isOnByDefault = false, ...option }) => {
      return { ...option, is_on_by_default: isOnByDefault }
    }),
    category: service.category,
    event_header: service.eventHeaders?.[0] ?? null,
    ...stepsOf(service, language),
    example: exampleOf(service),
  }))
  const members = { categories, integrations: items }
  const list = new RawMembers(JSON.stringify(members).slice(1, -1))
  lists.set(language, list)
  return list
}

export const getIntegrations = endpoint({
  method: 'get',
  path: '/integrations',
  summary: 'List the services whose webhooks this server accepts, with how to set them up.',
  description: "The steps are in the caller's language. Not part of the Zulip API.",
  params: {},
  reply: {
    categories: shape.noted(shape.list(shape.string), 'The categories, in display order.'),
    integrations: shape.list(listedIntegration),
  },
  run: ({ store, user }) => listOfIntegrations(userLanguage(store, user)),
})
