import { endpoint } from '#platform/http/endpoint.ts'
import { bool, described, withDefault, word } from '#platform/http/params.ts'
import { limitsText } from '#platform/quotas/room.ts'
import * as shape from '#platform/shape.ts'
import { createGroupsRoom, createMeeting, createRoom } from './actions.ts'
import { longestMeetingName } from './bigbluebutton.ts'
import { longestRoomName } from './nextcloud-talk.ts'
import { callRate } from './quotas.ts'
import { createZoomMeeting } from './zoom.actions.ts'

const needed =
  'The operator has to configure the provider, and the organization has to choose it as its `video_chat_provider`.'

/** @source Zulip API, "Create BigBlueButton video call" */
export const createBigBlueButtonCall = endpoint({
  method: 'get',
  path: '/calls/bigbluebutton/create',
  summary: 'Create a link to a new BigBlueButton meeting.',
  description: `${needed} The link works for people who are logged in to the organization in their browser; the caller moderates the meeting.`,
  params: {
    meeting_name: described(word(longestMeetingName), 'The title of the meeting.'),
    voice_only: withDefault(described(bool(), 'Whether the meeting is voice only.'), false),
  },
  reply: { url: shape.noted(shape.string, "A path and query, below the organization's URL.") },
  run: (caller, p) => ({
    url: createMeeting(caller, { name: p.meeting_name, isVoiceOnly: p.voice_only }),
  }),
})

/** @source Zulip API, "Create a Nextcloud Talk video call" (feature level 465) */
export const createNextcloudTalkCall = endpoint({
  method: 'post',
  path: '/calls/nextcloud_talk/create',
  summary: 'Create a public room in Nextcloud Talk.',
  description: `${needed} ${limitsText(callRate)}`,
  params: { room_name: described(word(longestRoomName), 'The name of the room.') },
  errors: ['RATE_LIMIT_HIT'],
  reply: { url: shape.noted(shape.string, 'Anyone who has the link can enter.') },
  run: async (caller, p) => ({ url: await createRoom(caller, p.room_name) }),
})

/** @source Zulip API, routed there and undocumented */
export const createZoomCall = endpoint({
  method: 'post',
  path: '/calls/zoom/create',
  summary: 'Make a Zoom meeting.',
  description: `${needed} Where the operator uses an app that people connect with, the meeting is in the caller's own Zoom account: \`has_zoom_token\` of \`POST /register\` says whether it is connected, which begins at \`/calls/zoom/register\` in a browser. With a server-to-server app, it belongs to the Zoom user with the caller's address. ${limitsText(callRate)}`,
  params: {
    is_video_call: withDefault(described(bool(), 'Whether cameras are on at first.'), true),
  },
  errors: ['INVALID_ZOOM_TOKEN', 'UNKNOWN_ZOOM_USER', 'RATE_LIMIT_HIT'],
  reply: { url: shape.noted(shape.string, 'Whoever has it can join.') },
  run: async (caller, p) => ({ url: await createZoomMeeting(caller, p.is_video_call) }),
})

/** @source Zulip API, "Create Constructor Groups video call" (feature level 460) */
export const createConstructorGroupsCall = endpoint({
  method: 'post',
  path: '/calls/constructorgroups/create',
  summary: 'Make a room in Constructor Groups.',
  description: `${needed} ${limitsText(callRate)}`,
  params: {},
  errors: ['RATE_LIMIT_HIT'],
  reply: { url: shape.noted(shape.string, 'Whoever has it can enter.') },
  run: async (caller) => ({ url: await createGroupsRoom(caller) }),
})
