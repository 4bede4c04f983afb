import {
  integration,
  type Note,
  unsupported,
} from '#features/integrations/webhook-services/declaration.ts'
import type { Fields } from '#features/integrations/webhook-services/fields.ts'
import {
  bullet,
  code,
  inline,
  lines,
  quoting,
} from '#features/integrations/webhook-services/format.ts'
import { fromHtml } from '#features/integrations/webhook-services/html.ts'
import { hmacHeader } from '#features/integrations/webhook-services/signatures.ts'
import { chosen } from '#features/integrations/webhook-services/signs.ts'
import { steps } from '#features/integrations/webhook-services/steps.ts'
import { sentText } from '#translations/translate.ts'

const kinds: Readonly<Record<string, string>> = { user: 'User', lead: 'Lead', visitor: 'Visitor' }

/** A person by their kind, with the best name that is known. */
function person(item: Fields): { topic: string; name: string } {
  const kind = chosen(kinds, item.maybeText('type') ?? 'user') ?? 'Contact'
  const name = item.firstText('name', 'pseudonym', 'email') ?? 'unknown'
  return { topic: `${kind}: ${name}`, name: inline(name) }
}

/** Verbs for events of a person. */
const personWords: Readonly<Record<string, string>> = {
  'user.created': 'was created',
  'user.deleted': 'was deleted',
  'user.unsubscribed': 'unsubscribed from emails',
  'user.email.updated': 'has another email address',
  'contact.created': 'was created',
  'contact.added_email': 'added an email address',
  'contact.signed_up': 'signed up',
  'visitor.signed_up': 'signed up',
}

const conversationWords: Readonly<Record<string, string>> = {
  'conversation.admin.assigned': 'assigned the conversation with',
  'conversation.admin.closed': 'closed the conversation with',
  'conversation.admin.noted': 'noted about the conversation with',
  'conversation.admin.opened': 'reopened the conversation with',
  'conversation.admin.replied': 'replied to',
  'conversation.admin.single.created': 'began a conversation with',
  'conversation.admin.snoozed': 'snoozed the conversation with',
  'conversation.admin.unsnoozed': 'unsnoozed the conversation with',
  'conversation.user.created': 'began a conversation',
  'conversation.user.replied': 'replied',
}

function conversation(item: Fields, event: string, words: string): Note {
  const { topic, name } = person(item.object('user'))
  const part =
    item.maybeObject('conversation_parts.conversation_parts.0') ??
    item.maybeObject('conversation_message')
  const author = inline(
    part?.firstText('author.name') ?? item.firstText('assignee.name') ?? 'Somebody',
  )
  const assignee = part?.firstText('assigned_to.name') ?? item.firstText('assignee.name')
  const to = event.endsWith('.assigned') && assignee !== undefined ? ` to ${inline(assignee)}` : ''
  const line = event.startsWith('conversation.user')
    ? `${name} ${words}`
    : `${author} ${words} ${name}${to}`
  return { topic, content: quoting(line, fromHtml(part?.maybeText('body') ?? '')) }
}

function said(item: Fields, event: string): Note | undefined {
  if (event === 'company.created') {
    const name = inline(item.text('name'))
    const users = item.maybeText('user_count')
    return {
      topic: 'Companies',
      content: lines(
        `The company **${name}** was created.`,
        users && `\n${bullet('Users', inline(users))}`,
      ),
    }
  }
  if (event === 'event.created') {
    const email = item.someText('email')
    const of = email === undefined ? '' : ` by ${inline(email)}`
    return { topic: 'Events', content: `New event ${code(item.text('event_name'))}${of}.` }
  }
  const tag = /^(user|contact)\.tag\.(created|deleted)$/.exec(event)
  if (tag) {
    const about = person(item.object(tag[1] ?? ''))
    const verb = tag[2] === 'created' ? 'was tagged' : 'lost the tag'
    return { topic: about.topic, content: `${about.name} ${verb} ${code(item.text('tag.name'))}.` }
  }
  const talk = Object.hasOwn(conversationWords, event) ? conversationWords[event] : undefined
  if (talk !== undefined) return conversation(item, event, talk)
  const words = Object.hasOwn(personWords, event) ? personWords[event] : undefined
  if (words === undefined) return undefined
  const about = person(item)
  const email = item.someText('email')
  const address = email === undefined || event.endsWith('deleted') ? '' : ` (${inline(email)})`
  return { topic: about.topic, content: `${about.name}${address} ${words}.` }
}

/** @source Intercom Developers, "Webhook topics" */
export const intercom = integration({
  name: 'intercom',
  displayName: 'Intercom',
  category: 'Support',
  eventTypes: [
    ...['company.created', 'event.created', 'user.tag.created', 'user.tag.deleted'],
    ...['contact.tag.created', 'contact.tag.deleted'],
    ...Object.keys(personWords),
    ...Object.keys(conversationWords),
  ],
  signature: hmacHeader(sentText('Client secret of the app'), 'x-hub-signature', {
    prefix: 'sha1=',
    hash: 'sha1',
  }),
  steps: steps([
    'Open your app in the **Developer Hub**, and there **Webhooks**.',
    'Paste `{url}` as **Endpoint URL**, choose the topics, and save.',
  ]),
  example: {
    body: {
      type: 'notification_event',
      topic: 'user.created',
      data: { item: { type: 'user', name: 'Ada', email: 'ada@example.com' } },
    },
    topic: 'User: Ada',
  },
  render({ payload }) {
    const event = payload.text('topic')
    if (event === 'ping') return undefined
    const known = said(payload.object('data.item'), event)
    return known === undefined ? unsupported(event) : { ...known, events: [event] }
  },
})
