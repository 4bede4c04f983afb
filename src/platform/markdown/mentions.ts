import { addOnce, type Context } from './context.ts'
import { escapeAttribute, escapeHtml } from './escape.ts'
import type { Found } from './inline.ts'
import type { MentionedUser } from './types.ts'

const person = /@(_?)\*\*([^*\n]+)\*\*/y
const group = /@(_?)\*([^*\n]+)\*/y
const wildcards = new Set(['all', 'everyone', 'channel', 'stream'])

/** Whether a mention or channel link may start here: at the start, or after a space or these. */
export function startsWord(source: string, at: number): boolean {
  return at === 0 || /[\s'"(,:<{[*~]/.test(source[at - 1] ?? '')
}

/**
 * A mention of a user, a group, or everyone in the channel or topic. It is silent after `@_`, in
 * quotes, and for deactivated users and groups. Unknown names are not mentions.
 *
 * @source Zulip API, "Message formatting"
 */
export function mentionAt(source: string, at: number, context: Context): Found | undefined {
  if (!startsWord(source, at)) return undefined
  const [match, underscore, name = ''] = matchAt(person, source, at) ?? []
  if (match !== undefined) {
    const html = personHtml(name, underscore === '_' || context.quoted, context)
    return html && { end: at + match.length, render: html }
  }
  const [groupMatch, groupUnderscore, groupName = ''] = matchAt(group, source, at) ?? []
  if (groupMatch === undefined) return undefined
  const html = groupHtml(groupName, groupUnderscore === '_' || context.quoted, context)
  return html && { end: at + groupMatch.length, render: html }
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

/** Resolves `Name`, `Name|31` or `|31`. If users share a name, the first active one wins. */
function userOf(name: string, context: Context): MentionedUser | undefined {
  const [, called = '', id] = /^(.*)\|(\d{1,15})$/.exec(name) ?? []
  if (id !== undefined) {
    const user = context.lookups.userById(Number(id))
    const same = called === '' || user?.fullName.toLowerCase() === called.toLowerCase()
    if (user && same) return user
  }
  const named = context.lookups.usersByName(name)
  return named.find((user) => user.isActive) ?? named[0]
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
