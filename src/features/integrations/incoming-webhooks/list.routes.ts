import {
  categories,
  type Integration,
} from '#features/integrations/webhook-services/declaration.ts'
import { integrations } from '#features/integrations/webhook-services/list.ts'
import { contentText, topicText } from '#features/integrations/webhook-services/rendering.ts'
import { limits } from '#features/organization/realm/limits.ts'
import { endpoint } from '#platform/http/endpoint.ts'
import { RawMembers } from '#platform/http/reply.ts'
import { render } from '#platform/markdown/render.ts'
import type { Lookups } from '#platform/markdown/types.ts'
import * as shape from '#platform/shape.ts'
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

/** The same for everyone, and made on the first request. */
let list: RawMembers | undefined

function listOfIntegrations(): RawMembers {
  const items = integrations.map((service, i) => ({
    ...integrationItems[i],
    url_options: (service.urlOptions ?? []).map(({ isOnByDefault = false, ...option }) => {
      return { ...option, is_on_by_default: isOnByDefault }
    }),
    category: service.category,
    event_header: service.eventHeaders?.[0] ?? null,
    steps: service.steps,
    rendered_steps: service.steps.map((step) => render(step, nothing).html),
    example: exampleOf(service),
  }))
  const members = { categories, integrations: items }
  return new RawMembers(JSON.stringify(members).slice(1, -1))
}

export const getIntegrations = endpoint({
  method: 'get',
  path: '/integrations',
  summary: 'List the services whose webhooks this server accepts, with how to set them up.',
  description: 'Not part of the Zulip API.',
  params: {},
  reply: {
    categories: shape.noted(shape.list(shape.string), 'The categories, in display order.'),
    integrations: shape.list(listedIntegration),
  },
  run: () => (list ??= listOfIntegrations()),
})
