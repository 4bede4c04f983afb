import * as v from 'valibot'
import { addressQuota, mailQuota } from '#features/foundation/mail/quotas.ts'
import { limits } from '#features/foundation/realm/limits.ts'
import { type Role, roles } from '#features/foundation/users/queries.ts'
import { endpoint } from '#platform/http/endpoint.ts'
import {
  bool,
  described,
  int,
  ints,
  isInt,
  json,
  oneOfInts,
  optional,
  text,
  withDefault,
  wordOrNull,
} from '#platform/http/params.ts'
import { limitsText } from '#platform/quotas/room.ts'
import * as shape from '#platform/shape.ts'
import { sentSentence } from '#translations/translate.ts'
import * as actions from './actions.ts'
import { inviteJson, inviteShape, joinUrl } from './json.ts'
import { invitationMailQuota, invitationQuota } from './quotas.ts'

/** The most channels or groups in one invitation. */
const mostNamed = 1000
/** A thousand years. */
const mostMinutes = 525_960_000

const minutes = v.pipe(isInt, v.minValue(1), v.maxValue(mostMinutes))
/** The parameters of both kinds of invitation. */
const invitation = {
  invite_expires_in_minutes: optional(json(v.nullable(minutes))),
  invite_as: withDefault(oneOfInts(Object.values(roles)), roles.member),
  group_ids: withDefault(ints(mostNamed), []),
  include_realm_default_subscriptions: withDefault(bool(), false),
  welcome_message_custom_text: withDefault(wordOrNull(limits.welcomeTextLength), null),
}

interface InvitationParams {
  invite_expires_in_minutes: number | null | undefined
  invite_as: Role
  stream_ids: number[]
  group_ids: number[]
  include_realm_default_subscriptions: boolean
  welcome_message_custom_text: string | null
}

function asked(
  p: InvitationParams,
  usualMinutes: number,
): Omit<actions.RequestedInvitation, 'tellInviter'> {
  const { invite_expires_in_minutes: validMinutes = usualMinutes } = p
  return {
    validMinutes,
    role: p.invite_as,
    channelIds: p.stream_ids,
    groupIds: p.group_ids,
    joinDefaultChannels: p.include_realm_default_subscriptions,
    welcomeText: p.welcome_message_custom_text,
  }
}

/** @source Zulip API, "Create a reusable invitation link" */
export const createInviteLink = endpoint({
  method: 'post',
  path: '/invites/multiuse',
  summary: 'Create a reusable invitation link.',
  description: limitsText(invitationQuota),
  params: { ...invitation, stream_ids: withDefault(ints(mostNamed), []) },
  reply: { invite_link: shape.string },
  async run(caller, p, { server, origin }) {
    const wanted = { ...asked(p, server.config.invitationMinutes), tellInviter: false }
    const link = await caller.store.write((tx) => actions.createLink(tx, caller, wanted))
    return { invite_link: joinUrl(origin, link.key) }
  },
})

/** A name in quotation marks, which may hold commas, before an address. Nobody's is longer. */
const quotedName = /"(?:[^"\\\n]|\\.){0,200}"(?=\s{0,20}<)/g

/** The addresses in a list as people copy it: `Ada Example <ada@example.com>, bob@example.com`. */
function addressesOf(list: string): string[] {
  return list
    .replace(quotedName, '')
    .split(/[,;\r\n]+/)
    .flatMap((part) => /<([^<>]*)>/.exec(part)?.[1]?.trim() ?? part.split(/\s+/))
    .filter(Boolean)
}

/** @source Zulip API, "Send invitations" */
export const sendInvites = endpoint({
  method: 'post',
  path: '/invites',
  summary: 'Send invitations by mail.',
  description: `Needs a mail server; without one, create a reusable link instead. ${limitsText(invitationMailQuota, invitationQuota, mailQuota, addressQuota)}`,
  errors: ['INVITATION_FAILED'],
  params: {
    ...invitation,
    invitee_emails: described(
      text(50_000),
      'Separated by commas, semicolons, blanks or line breaks; also as `Name <address>`.',
    ),
    stream_ids: ints(mostNamed),
    notify_referrer_on_join: withDefault(bool(), true),
  },
  reply: {},
  async run(caller, p, { server }) {
    const emails = addressesOf(p.invitee_emails)
    const wanted = {
      ...asked(p, server.config.invitationMinutes),
      tellInviter: p.notify_referrer_on_join,
    }
    const { sent, uninvited } = await caller.store.writeLong((tx) =>
      actions.inviteByMail(tx, caller, emails, wanted),
    )
    if (uninvited.length === 0) return
    // The sent invitations stay valid although the reply is an error.
    throw actions.invitationFailed(
      sent > 0
        ? sentSentence('These addresses could not be invited; all others were.')
        : sentSentence('None of these addresses could be invited.'),
      uninvited,
      { sent_invitations: sent > 0 },
    )
  },
})

/** @source Zulip API, "Get all invitations" */
export const getInvites = endpoint({
  method: 'get',
  path: '/invites',
  summary: 'List the valid invitations that the caller can revoke.',
  params: {},
  reply: { invites: shape.list(inviteShape) },
  run: ({ store, user }, _p, { origin }) => ({
    invites: actions.listManageable(store, user).map((one) => inviteJson(one, origin)),
  }),
})

const byId = { invite_id: int() }

/** @source Zulip API, "Revoke a reusable invitation link" */
export const revokeInviteLink = endpoint({
  method: 'delete',
  path: '/invites/multiuse/:invite_id{-?[0-9]+}',
  summary: 'Revoke a reusable link.',
  params: byId,
  reply: {},
  run: (caller, p) =>
    caller.store.write((tx) => actions.revokeInvitation(tx, caller, p.invite_id, true)),
})

/** @source Zulip API, "Revoke an email invitation" */
export const revokeInvite = endpoint({
  method: 'delete',
  path: '/invites/:invite_id{-?[0-9]+}',
  summary: 'Revoke an invitation that was sent by mail.',
  params: byId,
  reply: {},
  run: (caller, p) =>
    caller.store.write((tx) => actions.revokeInvitation(tx, caller, p.invite_id, false)),
})

/** @source Zulip API, "Resend an email invitation" */
export const resendInvite = endpoint({
  method: 'post',
  path: '/invites/:invite_id{-?[0-9]+}/resend',
  summary: 'Send the mail of an invitation again.',
  params: byId,
  errors: ['INVITATION_FAILED'],
  reply: {},
  run: (caller, p) => caller.store.write((tx) => actions.resendInvitation(tx, caller, p.invite_id)),
})
