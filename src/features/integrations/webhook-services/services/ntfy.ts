import { integration } from '#features/integrations/webhook-services/declaration.ts'
import { inline, link, paragraphs } from '#features/integrations/webhook-services/format.ts'
import { signs } from '#features/integrations/webhook-services/signs.ts'
import { steps } from '#features/integrations/webhook-services/steps.ts'
import { emojiByName } from '#platform/emoji-data/unicode.ts'

/** The priority, from 1 to 5, from which a message is shown as an alert. */
const highPriority = 4

const priorityWords: Readonly<Record<string, number>> = {
  min: 1,
  low: 2,
  default: 3,
  high: 4,
  max: 5,
  urgent: 5,
}

/** @source ntfy documentation, "Publishing" (read on 2026-11-24) */
export const ntfy = integration({
  name: 'ntfy',
  displayName: 'ntfy',
  category: 'Any service',
  eventTypes: null,
  takesText: true,
  steps: steps([
    'Let programs that publish to ntfy post to `{url}` instead: as JSON, or a text with the headers `Title`, `Priority`, `Tags` and `Click`.',
  ]),
  example: {
    body: {
      topic: 'garden',
      title: 'Greenhouse',
      message: 'The window is open.',
      tags: ['warning'],
      priority: 4,
      click: 'https://garden.example.com/window',
    },
    topic: 'Greenhouse',
  },
  render({ payload, header }) {
    const isText = typeof payload.value === 'string'
    const at = (member: string, name: string) =>
      isText ? (header(name) ?? header(`x-${name}`)) : payload.someText(member)
    const topic = at('title', 'title') ?? at('topic', 'topic') ?? 'ntfy'
    // As ntfy does for empty messages.
    const message = (isText ? String(payload.value) : payload.someText('message')) || 'triggered'
    const given = at('priority', 'priority') ?? '3'
    const priority = priorityWords[given.toLowerCase()] ?? Number(given)
    const tags = isText ? (at('tags', 'tags') ?? '').split(',') : payload.texts('tags')
    const emoji = tags
      .slice(0, 10)
      .map((tag) => tag.trim())
      .filter((tag) => emojiByName(tag) !== undefined)
      .map((tag) => `:${tag}:`)
    const isMarkdown = isText
      ? /^(1|yes|true)$/i.test(at('markdown', 'markdown') ?? '')
      : payload.flag('markdown')
    const text = isMarkdown ? message : inline(message, 4000)
    const isHigh = priority >= highPriority
    const [click, attached] = [at('click', 'click'), at('attach', 'attach')]
    const actions = payload
      .maybeList('actions')
      // The others call an address that is not meant for people, or act on a phone.
      .filter((action) => action.maybeText('action') === 'view')
      .slice(0, 10)
      .map((action) => link(action.maybeText('label') ?? 'Open', action.maybeText('url')))
    const line = [
      isHigh && signs.alert,
      ...emoji,
      isHigh && text && !isMarkdown ? `**${text}**` : text,
    ]
    return {
      topic,
      content: paragraphs(
        line.filter(Boolean).join(' '),
        [click && link('Open', click), attached && link('Attachment', attached), ...actions]
          .filter(Boolean)
          .join(' | '),
      ),
    }
  },
})
