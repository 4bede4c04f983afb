import { findMessage } from '#features/foundation/core/queries.ts'
import { insertDomain, listDomains, updateDomain } from '#features/foundation/domains/queries.ts'
import { limits } from '#features/foundation/realm/limits.ts'
import { topicKey } from '#features/foundation/recipients/topics.rules.ts'
import { upsertProfileValue } from '#features/foundation/users/profile-values.queries.ts'
import { findUser } from '#features/foundation/users/queries.ts'
import { insertAlertWord } from '#features/messaging/alert-words/queries.ts'
import { insertLinkifier, listLinkifiers } from '#features/messaging/linkifiers/queries.ts'
import { reminderContent } from '#features/messaging/reminders/content.queries.ts'
import { insertReminder } from '#features/messaging/reminders/queries.ts'
import type {
  AlertWordItem,
  DomainItem,
  LinkifierItem,
  MutedPersonItem,
  NavigationViewItem,
  PlaygroundItem,
  PresenceItem,
  ProfileFieldItem,
  ProfileValueItem,
  ScheduledItem,
  SnippetItem,
  StatusItem,
  TopicPolicyItem,
} from '#features/organization/imports/stream.ts'
import { insertPlayground } from '#features/organization/playgrounds/queries.ts'
import { insertProfileField } from '#features/people/profile-fields/queries.ts'
import { checkLinkifier } from '#platform/markdown/linkifiers.ts'
import {
  mutedUsers,
  navigationViews,
  presence,
  savedSnippets,
  scheduledMessages,
  userStatuses,
  userTopics,
} from '#platform/store/schema.ts'
import { mendedName } from '#shared/names.ts'
import { bulkInsert } from './bulk.queries.ts'
import { emojiOf } from './emoji.actions.ts'
import type { UniqueNames } from './names.ts'
import type { MarkRecord } from './records.ts'
import { renderFor } from './rendering.actions.ts'
import { cleanText } from './texts.ts'
import { now, timeOf, type Work } from './work.actions.ts'

export function writeLinkifier({ notes, tx }: Work, item: LinkifierItem): void {
  const { pattern, urlTemplate } = item
  const isTaken = listLinkifiers(tx).some((each) => each.pattern === pattern)
  if (isTaken) {
    notes.skipped('linkifiers', 'duplicate', pattern)
    return
  }
  if (checkLinkifier({ pattern, urlTemplate }) !== 'ok') {
    notes.skipped('linkifiers', 'bad-value', pattern)
    return
  }
  insertLinkifier(tx, { pattern, urlTemplate, alternativeUrlTemplates: [] })
  notes.imported('linkifiers')
}

export function writePlayground({ notes, tx }: Work, item: PlaygroundItem): void {
  const { language, name, urlTemplate } = item
  insertPlayground(tx, {
    name: mendedName(name, 40),
    language: mendedName(language, 40),
    urlTemplate,
  })
  notes.imported('playgrounds')
}

export function writeDomain({ notes, tx }: Work, { allowSubdomains, domain }: DomainItem): void {
  if (!/^[a-z0-9-]+(\.[a-z0-9-]+)+$/i.test(domain)) {
    notes.skipped('domains', 'bad-value', domain)
    return
  }
  const wanted = { domain: domain.toLowerCase(), allowSubdomains }
  const known = listDomains(tx).find((each) => each.domain === wanted.domain)
  if (known) {
    notes.skipped('domains', 'duplicate', domain)
    if (!allowSubdomains) updateDomain(tx, wanted)
    return
  }
  insertDomain(tx, wanted)
  notes.imported('domains')
}

/** The kind of a field that names people, and the last kind whose values are Markdown. */
const peopleKind = 6
const lastMarkdownKind = 2

export function writeProfileField(work: Work, item: ProfileFieldItem, names: UniqueNames): void {
  const { fields, notes, tx } = work
  if (fields.has(item.key) || item.kind < 1 || item.kind > 8) {
    notes.skipped('profile fields', 'bad-value', item.key)
    return
  }
  const field = insertProfileField(tx, {
    ...(item.id !== undefined && { id: item.id }),
    name: names.take(item.name, `field ${item.key}`),
    hint: mendedName(item.hint ?? '', 80),
    fieldType: item.kind,
    fieldData: { ...item.data },
    position: fields.size,
    displayInProfileSummary: item.isInSummary ?? false,
    required: item.isRequired ?? false,
    editableByUser: item.isEditable ?? true,
  })
  fields.set(item.key, { id: field.id, kind: item.kind })
  notes.imported('profile fields')
}

export function writeProfileValue(work: Work, item: ProfileValueItem): void {
  const { fields, notes, people, tx } = work
  const field = fields.get(item.field)
  const userId = people.get(item.person)
  if (!field || userId === undefined) {
    notes.skipped('profile fields', 'absent', item.field)
    return
  }
  const { value } = item
  const named =
    typeof value === 'string' ? undefined : value.flatMap((key) => people.get(key) ?? [])
  if ((field.kind === peopleKind) !== (named !== undefined)) {
    notes.skipped('profile fields', 'bad-value', item.field)
    return
  }
  const text = named ? JSON.stringify(named) : cleanText(String(value)).slice(0, 1000)
  const renderedValue = field.kind <= lastMarkdownKind ? renderFor(work, userId, text).html : null
  upsertProfileValue(tx, { userId, fieldId: field.id, value: text, renderedValue })
}

/** Policies by their numbers. */
const policies = { muted: 1, unmuted: 2, followed: 3 } as const
const insertPolicy = bulkInsert(userTopics)

export function writeTopicPolicy(work: Work, item: TopicPolicyItem): void {
  const { channels, notes, people, tx } = work
  const channel = channels.get(item.channel)
  const userId = people.get(item.person)
  if (!channel || userId === undefined) {
    notes.skipped('topic settings', 'absent', item.channel)
    return
  }
  const topic = mendedName(item.topic, limits.topicLength)
  insertPolicy(tx, {
    userId,
    channelId: channel.id,
    topicKey: topicKey(topic),
    topic,
    policy: policies[item.policy],
    lastUpdated: timeOf(item.changed) ?? now(work),
  })
  notes.imported('topic settings')
}

const insertMuted = bulkInsert(mutedUsers)

export function writeMutedPerson(work: Work, item: MutedPersonItem): void {
  const { notes, people, tx } = work
  const [userId, mutedId] = [people.get(item.person), people.get(item.muted)]
  if (userId === undefined || mutedId === undefined) {
    notes.skipped('muted people', 'absent', item.muted)
    return
  }
  insertMuted(tx, { userId, mutedId, mutedAt: timeOf(item.since) ?? now(work) })
  notes.imported('muted people')
}

export function writeAlertWord({ notes, people, tx }: Work, item: AlertWordItem): void {
  const userId = people.get(item.person)
  const word = mendedName(item.word, 100)
  if (userId === undefined || word === '') {
    notes.skipped('alert words', 'absent', item.person)
    return
  }
  insertAlertWord(tx, userId, word)
  notes.imported('alert words')
}

const insertPresence = bulkInsert(presence)

export function writePresence({ last, notes, people, tx }: Work, item: PresenceItem): void {
  const userId = people.get(item.person)
  if (userId === undefined) {
    notes.skipped('presence', 'absent', item.person)
    return
  }
  const [activeAt, idleAt] = [timeOf(item.active) ?? null, timeOf(item.connected) ?? null]
  insertPresence(tx, { userId, activeAt, idleAt, updateId: ++last.presence })
  notes.imported('presence')
}

const insertStatus = bulkInsert(userStatuses)

export function writeStatus(work: Work, item: StatusItem): void {
  const { notes, people, tx } = work
  const userId = people.get(item.person)
  if (userId === undefined) {
    notes.skipped('statuses', 'absent', item.person)
    return
  }
  const emoji = item.emoji && emojiOf(work, item.emoji)
  if (item.emoji && !emoji) notes.changed('statuses', 'bad-emoji', item.person)
  insertStatus(tx, {
    userId,
    statusText: mendedName(item.text, 60),
    emojiName: emoji?.emojiName ?? null,
    emojiCode: emoji?.emojiCode ?? null,
    reactionType: emoji?.reactionType ?? null,
    endsAt: null,
  })
  notes.imported('statuses')
}

const insertSnippet = bulkInsert(savedSnippets)

export function writeSnippet(work: Work, item: SnippetItem): void {
  const { notes, people, tx } = work
  const userId = people.get(item.person)
  if (userId === undefined) {
    notes.skipped('snippets', 'absent', item.person)
    return
  }
  insertSnippet(tx, {
    userId,
    title: mendedName(item.title, limits.snippetTitleLength),
    content: cleanText(item.content).slice(0, limits.messageLength),
    dateCreated: timeOf(item.created) ?? now(work),
  })
  notes.imported('snippets')
}

const insertView = bulkInsert(navigationViews)

export function writeNavigationView({ notes, people, tx }: Work, item: NavigationViewItem): void {
  const userId = people.get(item.person)
  if (userId === undefined) {
    notes.skipped('sidebar views', 'absent', item.person)
    return
  }
  const { fragment, isPinned } = item
  const name = item.name === null ? null : mendedName(item.name, limits.navigationViewNameLength)
  insertView(tx, { userId, fragment, isPinned, name })
  notes.imported('sidebar views')
}

const insertScheduled = bulkInsert(scheduledMessages)

export function writeScheduled(work: Work, item: ScheduledItem): void {
  const { channels, notes, people, source, tx } = work
  const senderId = people.get(item.person)
  const due = timeOf(item.due)
  const channel = 'channel' in item.to ? channels.get(item.to.channel) : undefined
  const to = 'people' in item.to ? item.to.people.flatMap((key) => people.get(key) ?? []) : []
  if (senderId === undefined || due === undefined || (!channel && to.length === 0)) {
    notes.skipped('scheduled messages', 'absent', item.person)
    return
  }
  const content = cleanText(item.content)
  insertScheduled(tx, {
    senderId,
    channelId: channel?.id ?? null,
    to,
    topic: 'topic' in item.to ? mendedName(item.to.topic, limits.topicLength) : '',
    content,
    renderedContent: renderFor(work, senderId, content).html,
    deliverAt: due,
    readBySender: true,
    client: source.title,
    failed: item.failed ?? false,
  })
  notes.imported('scheduled messages')
}

/** Writes a reminder, once its message is there. */
export function writeReminder(
  { notes, realmUrl, tx, ...work }: Work,
  messageId: number,
  { due, note, person }: Extract<MarkRecord, { readonly kind: 'reminder' }>,
): void {
  const user = findUser(tx, person)
  const message = findMessage(tx, messageId)
  if (!user || !message) {
    notes.skipped('reminders', 'absent', String(messageId))
    return
  }
  const content = reminderContent(tx, user, message, note, realmUrl)
  insertReminder(tx, {
    userId: person,
    messageId,
    note,
    content,
    renderedContent: renderFor({ notes, realmUrl, tx, ...work }, undefined, content).html,
    deliverAt: due,
  })
  notes.imported('reminders')
}
