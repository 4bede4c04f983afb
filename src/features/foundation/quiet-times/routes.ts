import * as v from 'valibot'
import { seconds } from '#platform/clock.ts'
import { endpoint } from '#platform/http/endpoint.ts'
import { described, json, listOf, optional, shortText } from '#platform/http/params.ts'
import * as shape from '#platform/shape.ts'
import * as actions from './actions.ts'
import { quietTimesJson } from './json.ts'
import { findQuietTimes } from './queries.ts'
import { quietTimesShape } from './shapes.ts'
import { minutesPerDay } from './times.ts'

const own = 'Not part of the Zulip API.'

const upTo = (most: number) => v.pipe(v.number(), v.integer(), v.minValue(0), v.maxValue(most))
/** Far enough, and within what clients can show. */
const latest = 2 ** 40

/** An endpoint of Parley's own. */
export const getQuietTimes = endpoint({
  method: 'get',
  path: '/users/me/quiet_times',
  summary: 'Get when the caller wants no notifications.',
  description: own,
  params: {},
  reply: { quiet_times: quietTimesShape },
  run: ({ store, user }) => ({
    quiet_times: quietTimesJson(findQuietTimes(store, user.id, seconds(store.clock))),
  }),
})

/** An endpoint of Parley's own. */
export const changeQuietTimes = endpoint({
  method: 'patch',
  path: '/users/me/quiet_times',
  summary: 'Pause notifications of the caller, or set their quiet hours.',
  description: `${own} In quiet times the server sends no notifications to phones and browsers, not later either, and mails about messages wait until the end. Clients with the capability \`extended_members\` get the event \`quiet_times\`, and show no notifications.`,
  params: {
    paused_until: described(
      optional(json(v.nullable(upTo(latest)))),
      'When the pause ends, in seconds since the epoch; null ends it now.',
    ),
    schedule: described(
      optional(
        json(
          v.nullable(
            v.object({
              days: listOf(upTo(6), 7),
              start_minute: upTo(minutesPerDay - 1),
              end_minute: upTo(minutesPerDay - 1),
              timezone: shortText(100),
            }),
          ),
        ),
      ),
      'Quiet hours: the days on which they begin (0 is Sunday), when they begin and end in minutes since midnight, and an IANA time zone. If the end is not after the beginning, they end the next day. null: none.',
    ),
  },
  reply: { quiet_times: shape.noted(quietTimesShape, 'What they are now.') },
  run: ({ store }, { paused_until: pausedUntil, schedule }) =>
    store.write((tx, user) => {
      actions.changeQuietTimes(tx, user, {
        ...(pausedUntil !== undefined && { pausedUntil }),
        ...(schedule !== undefined && {
          schedule: schedule && {
            days: schedule.days,
            start: schedule.start_minute,
            end: schedule.end_minute,
            timezone: schedule.timezone,
          },
        }),
      })
      return { quiet_times: quietTimesJson(findQuietTimes(tx, user.id, seconds(tx.clock))) }
    }),
})
