import { integration, unsupported } from '#features/integrations/webhook-services/declaration.ts'
import { code, link, urlPart } from '#features/integrations/webhook-services/format.ts'
import { hmacHeader } from '#features/integrations/webhook-services/signatures.ts'
import { chosen } from '#features/integrations/webhook-services/signs.ts'
import { steps } from '#features/integrations/webhook-services/steps.ts'
import { sentText } from '#translations/translate.ts'

const kinds: Readonly<Record<string, string>> = {
  page: 'page',
  comment: 'comment',
  data_source: 'data source',
  database: 'database',
}

const verbs: Readonly<Record<string, string>> = {
  created: 'created',
  content_updated: 'edited',
  properties_updated: 'given other properties',
  schema_updated: 'given another schema',
  updated: 'changed',
  moved: 'moved',
  deleted: 'deleted',
  undeleted: 'restored',
  locked: 'locked',
  unlocked: 'unlocked',
}

/**
 * Notion sends no titles. Its first request contains the token with which it signs the others, and
 * which someone has to enter there.
 *
 * @source Notion Developers, "Webhooks"
 */
export const notion = integration({
  name: 'notion',
  displayName: 'Notion',
  category: 'Project management',
  eventTypes: [
    'verification',
    ...[
      'created',
      'content_updated',
      'properties_updated',
      'moved',
      'deleted',
      'undeleted',
      'locked',
      'unlocked',
    ].map((verb) => `page.${verb}`),
    ...['created', 'updated', 'deleted'].map((verb) => `comment.${verb}`),
    ...['data_source', 'database'].flatMap((kind) =>
      ['created', 'content_updated', 'moved', 'deleted', 'undeleted', 'schema_updated'].map(
        (verb) => `${kind}.${verb}`,
      ),
    ),
  ],
  signature: hmacHeader(sentText('Verification token of the webhook'), 'x-notion-signature', {
    prefix: 'sha256=',
  }),
  steps: steps([
    'Open your connection at `https://www.notion.so/profile/integrations`, and press **Create a subscription** under **Webhooks**.',
    'Paste `{url}` as **Webhook URL**, and choose the events.',
    'The bot sends you the verification token, which you enter in Notion.',
  ]),
  example: {
    body: {
      type: 'page.created',
      timestamp: '2026-11-02T08:30:00.000Z',
      entity: { id: '153104cd-477e-809d-8dc4-ff2d96ae3090', type: 'page' },
      authors: [{ id: 'c7c11cca-1d73-471d-9b6e-bdef51470190', type: 'person' }],
    },
    topic: 'Notion page',
  },
  render({ payload }) {
    const token = payload.someText('verification_token')
    if (token !== undefined) {
      return {
        topic: 'Notion',
        content: `The verification token of Notion's webhook is ${code(token)}. Enter it in Notion; as the secret of this bot, it lets the bot check signatures.`,
        events: ['verification'],
        isForOwner: true,
      }
    }
    const type = payload.text('type')
    const [kind = '', event = ''] = type.split('.', 2)
    const [what, verb] = [chosen(kinds, kind), chosen(verbs, event)]
    if (what === undefined || verb === undefined) return unsupported(type)
    const id = payload.text('entity.id').replaceAll('-', '')
    const target = link(`A ${what}`, `https://www.notion.so/${urlPart(id)}`)
    const authors = payload.maybeList('authors').length
    const by = authors === 0 ? '' : authors === 1 ? ' by one person' : ` by ${authors} people`
    return { topic: `Notion ${what}`, content: `${target} was ${verb}${by}.`, events: [type] }
  },
})
