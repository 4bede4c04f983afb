import { boolean, event, integer, named, noted, optionals, string } from '#shape.ts'

const members = optionals({
  status_text: string,
  emoji_name: string,
  emoji_code: string,
  reaction_type: string,
  away: noted(boolean, 'Deprecated: whether the user hides their presence.'),
})

/** What was not set is missing. @source the API's `UserStatus` */
export const userStatusShape = named('UserStatus', members)

/** What was cleared is empty. */
export const userStatusEventShapes = [
  event('UserStatusEvent', 'user_status', { user_id: integer, ...members }),
]
