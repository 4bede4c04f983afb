import type { Role } from '#client/state/model.ts'

/** The draft of an invitation. */
export interface InviteDraft {
  readonly by: 'link' | 'mail'
  /** As typed or pasted. */
  readonly addresses: string
  /** Minutes; null: never; `own`: the number and unit below. */
  readonly expires: number | null | 'own'
  readonly ownCount: string
  /** In minutes. */
  readonly ownUnit: number
  readonly role: Role
  readonly joinsDefaults: boolean
  readonly channelIds: readonly number[]
  readonly groupIds: readonly number[]
  /** Instead of the organization's welcome text; empty for that one. */
  readonly welcome: string
  readonly tellsInviter: boolean
}

/** In minutes. */
export const hour = 60
export const day = 24 * hour
export const week = 7 * day

/** When an invitation can end, in minutes; null for never. */
export const usualExpiries: readonly (number | null)[] = [day, 3 * day, 10 * day, 30 * day, null]

export const emptyInvite: InviteDraft = {
  by: 'link',
  addresses: '',
  expires: 10 * day,
  ownCount: '2',
  ownUnit: week,
  role: 400,
  joinsDefaults: true,
  channelIds: [],
  groupIds: [],
  welcome: '',
  tellsInviter: true,
}

/** How long it is valid, in minutes; null: forever; undefined: not a number. */
export function minutesOf({ expires, ownCount, ownUnit }: InviteDraft): number | null | undefined {
  if (expires !== 'own') return expires
  const minutes = Math.round(Number(ownCount.replace(',', '.')) * ownUnit)
  return ownCount.trim() !== '' && minutes >= 1 ? minutes : undefined
}

/**
 * The addresses in a text, each once, also from `Name <name@example.com>`. Parts without an address
 * are sent unchanged, and the server reports the problem.
 */
export function addressesIn(text: string): string[] {
  const found =
    text.match(/(?<![^\s<>,;"])[^\s<>,;"]+@[^\s<>,;"]+/g) ?? text.split(/[\s,;]+/).filter(Boolean)
  return [...new Set(found)]
}

/** The parameters of both kinds of invitation. */
export function inviteParams(draft: InviteDraft, isAdmin: boolean) {
  return {
    invite_expires_in_minutes: minutesOf(draft),
    invite_as: draft.role,
    stream_ids: draft.channelIds,
    group_ids: draft.groupIds,
    include_realm_default_subscriptions: draft.joinsDefaults,
    ...(isAdmin &&
      draft.welcome.trim() !== '' && { welcome_message_custom_text: draft.welcome.trim() }),
  }
}

/** An address that got no invitation, and why, in the server's words. */
export interface Uninvited {
  readonly address: string
  readonly reason: string
}

/** @param errors of a reply `INVITATION_FAILED` */
export function uninvitedOf(errors: unknown): Uninvited[] {
  if (!Array.isArray(errors)) return []
  return errors
    .filter(Array.isArray)
    .map(([address, reason]) => ({ address: String(address), reason: String(reason) }))
}
