import { alertWordEventShapes } from '#alert-words/shapes.ts'
import { attachmentEventShapes } from '#attachments/shapes.ts'
import { botEventShapes } from '#bots/shapes.ts'
import { channelFolderEventShapes } from '#channel-folders/shapes.ts'
import { channelEventShapes } from '#channels/shapes.ts'
import { domainEventShapes } from '#domains/shapes.ts'
import { draftEventShapes } from '#drafts/shapes.ts'
import { emojiEventShapes } from '#emoji/shapes.ts'
import { exportConsentEventShapes } from '#exports/shapes.ts'
import { groupEventShapes } from '#groups/shapes.ts'
import { inviteEventShapes } from '#invites/shapes.ts'
import { linkifierEventShapes } from '#linkifiers/shapes.ts'
import { messageEventShapes } from '#messages/shapes.ts'
import { mutedUserEventShapes } from '#muted-users/shapes.ts'
import { navigationViewEventShapes } from '#navigation-views/shapes.ts'
import { playgroundEventShapes } from '#playgrounds/shapes.ts'
import { profileFieldEventShapes } from '#profile-fields/shapes.ts'
import { pushEventShapes } from '#push/shapes.ts'
import { realmEventShapes } from '#realm/shapes.ts'
import { reminderEventShapes } from '#reminders/shapes.ts'
import { savedSnippetEventShapes } from '#saved-snippets/shapes.ts'
import { scheduledMessageEventShapes } from '#scheduled-messages/shapes.ts'
import { either, event, integer, maybe, noted, type Shape, string, textOf, titled } from '#shape.ts'
import { subscriptionEventShapes } from '#subscriptions/shapes.ts'
import { userTopicEventShapes } from '#user-topics/shapes.ts'
import { presenceEventShapes } from '#users/presence/shapes.ts'
import { userEventShapes } from '#users/shapes.ts'
import { userStatusEventShapes } from '#users/status/shapes.ts'
import { stateParts } from './state-parts.ts'

/** Every event that a queue can hold, by `type` and `op`. */
export const eventShape = titled(
  'Event',
  either(
    event('HeartbeatEvent', 'heartbeat', {}),
    ...messageEventShapes,
    ...draftEventShapes,
    ...savedSnippetEventShapes,
    ...scheduledMessageEventShapes,
    ...reminderEventShapes,
    ...attachmentEventShapes,
    ...exportConsentEventShapes,
    ...inviteEventShapes,
    ...pushEventShapes,
    ...channelEventShapes,
    ...subscriptionEventShapes,
    ...userTopicEventShapes,
    ...channelFolderEventShapes,
    ...userEventShapes,
    ...userStatusEventShapes,
    ...presenceEventShapes,
    ...mutedUserEventShapes,
    ...alertWordEventShapes,
    ...navigationViewEventShapes,
    ...groupEventShapes,
    ...realmEventShapes,
    ...profileFieldEventShapes,
    ...playgroundEventShapes,
    ...linkifierEventShapes,
    ...domainEventShapes,
    ...emojiEventShapes,
    ...botEventShapes,
  ),
)

/** The reply of `POST /register`: what each part of the state brings, to whoever asks for it. */
export const registerMembers = {
  queue_id: string,
  last_event_id: noted(integer, 'To be sent with the first `GET /events`.'),
  idle_queue_timeout_secs: noted(integer, 'How long the queue is kept while nobody polls.'),
  event_queue_longpoll_timeout_seconds: noted(
    integer,
    'How long a poll may take; longer than the time between heartbeats.',
  ),
  ...Object.fromEntries(
    stateParts.flatMap(({ types, shape }) =>
      Object.entries(shape).map(([name, member]) => [name, askedFor(types, member)]),
    ),
  ),
}

function askedFor(types: readonly string[], member: Shape): Shape {
  if (types.length === 0) return member
  const when = `With \`${types.join('` or `')}\`.`
  const text = textOf(member)
  return maybe(noted(member, text === undefined ? when : `${when} ${text}`))
}
