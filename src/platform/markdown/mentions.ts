import { startsReference } from './boundaries.ts'
import { addOnce, type Context, mayName } from './context.ts'
import { escapeAttribute, escapeHtml } from './escape.ts'
import type { MarkdownConstruct } from './found.ts'
import type { MentionedUser } from './types.ts'

const person = /@(_?)\*\*([^*\n]+)\*\*/y
const group = /@(_?)\*([^*\n]+)\*/y
const wildcards = new Set(['all', 'everyone', 'channel', 'stream'])

/**
 * A mention of a user, a group, or everyone in the channel or topic. It is silent after `@_`, in
 * quotes, and for deactivated users and groups. Unknown names are not mentions, and neither are those
 * beyond `namingLimits`.
 *
 * @source Zulip API, "Message formatting"
 */
export function mentionAt(
  source: string,
  at: number,
  context: Context,
): MarkdownConstruct | undefined {
  if (context.namesLeft === 0 || !startsReference(source, at)) return undefined
  const [match, underscore, name = ''] = matchAt(person, source, at) ?? []
  if (match !== undefined) {
    const html = personHtml(name, underscore === '_' || context.quoted, context)
    return html && mayName(context) ? { end: at + match.length, render: html } : undefined
  }
  const [groupMatch, groupUnderscore, groupName = ''] = matchAt(group, source, at) ?? []
  if (groupMatch === undefined) return undefined
  const html = groupHtml(groupName, groupUnderscore === '_' || context.quoted, context)
  return html && mayName(context) ? { end: at + groupMatch.length, render: html } : undefined
}

function matchAt(pattern: RegExp, source: string, at: number): RegExpExecArray | null {
  pattern.lastIndex = at
  return pattern.exec(source)
}

function personHtml(name: string, silent: boolean, context: Context): (() => string) | undefined {
  if (wildcards.has(name)) {
    return () => {
      if (!silent) context.mentions.channelWildcard = true
      return mentionHtml(
        'user-mention channel-wildcard-mention',
        ' data-user-id="*"',
        name,
        silent,
        context,
      )
    }
  }
  if (name === 'topic') {
    return () => {
      if (!silent) context.mentions.topicWildcard = true
      return mentionHtml('topic-mention', '', name, silent, context)
    }
  }
  const user = userOf(name, context)
  if (!user) return undefined
  return () => {
    const quiet = silent || !user.isActive
    if (!quiet) addOnce(context.mentions.userIds, user.id)
    return mentionHtml('user-mention', ` data-user-id="${user.id}"`, user.fullName, quiet, context)
  }
}

/**
 * Resolves `Name`, `Name|31` or `|31`. If users share a name, the first active one wins. With an ID,
 * the name may be an earlier one, of when the text was written, but not that of others.
 */
function userOf(name: string, context: Context): MentionedUser | undefined {
  const { userById, usersByName } = context.lookups
  const named = usersByName(name)
  if (named.length > 0) return named.find((user) => user.isActive) ?? named[0]
  const [, called = '', id] = /^(.*)\|(\d{1,15})$/.exec(name) ?? []
  const user = id === undefined ? undefined : userById(Number(id))
  if (!user) return undefined
  const others = called === '' ? [] : usersByName(called)
  return others.length === 0 || others.some((other) => other.id === user.id) ? user : undefined
}

function groupHtml(name: string, silent: boolean, context: Context): (() => string) | undefined {
  const named = context.lookups.groupByName(name)
  if (!named) return undefined
  const quiet = silent || named.deactivated
  if (!quiet && !named.mentionable) {
    const { refusedGroups } = context.mentions
    if (!refusedGroups.some((group) => group.id === named.id)) refusedGroups.push(named)
    return undefined
  }
  return () => {
    if (!quiet) addOnce(context.mentions.groupIds, named.id)
    const attributes = ` data-user-group-id="${named.id}"`
    return mentionHtml('user-group-mention', attributes, named.displayName, quiet, context)
  }
}

function mentionHtml(
  kind: string,
  attributes: string,
  name: string,
  silent: boolean,
  context: Context,
): string {
  const shown = silent ? name : `@${name}`
  context.text.push(shown)
  const classes = silent ? `${kind} silent` : kind
  return `<span class="${escapeAttribute(classes)}"${attributes}>${escapeHtml(shown)}</span>`
}
