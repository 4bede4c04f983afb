import { mostNewChannels } from '../src/features/channels/subscriptions/adding.actions.ts'
import { maxChannels } from '../src/features/channels/subscriptions/limits.ts'
import { mostPairs } from '../src/features/channels/subscriptions/principals.rules.ts'
import { mostPrincipals } from '../src/features/foundation/channels/params.ts'
import { limits, pictureLimits } from '../src/features/foundation/realm/limits.ts'
import { mostMessages as mostDelivered } from '../src/features/integrations/incoming-webhooks/posting.actions.ts'
import { longPayload } from '../src/features/integrations/incoming-webhooks/routes.ts'
import { longestDrafts, maxDrafts } from '../src/features/messaging/drafts/limits.ts'
import { maxPeople } from '../src/features/messaging/messages/compose.rules.ts'
import { entryBounds } from '../src/features/messaging/messages/edit-history/entries.json.ts'
import { snapshotBytes } from '../src/features/messaging/messages/edit-history/snapshots.json.ts'
import {
  mostBytes,
  unusualFactor,
  usualBytes,
} from '../src/features/messaging/messages/history/page-sizes.queries.ts'
import { mostFlagged, mostInReply } from '../src/features/messaging/messages/limits.ts'
import {
  maxBeginnings,
  maxSearches,
  maxSearchWords,
} from '../src/features/messaging/narrow/compile.ts'
import { queueNarrowLimits } from '../src/features/messaging/narrow/live.queries.ts'
import { errorStatus } from '../src/platform/errors.ts'
import { queueLimits } from '../src/platform/events/limits.ts'
import { bodyLimits } from '../src/platform/http/bodies.ts'
import { codeBudget } from '../src/platform/http/code-guesses.ts'
import { connectionLimits } from '../src/platform/http/connection-limits.ts'
import { guessBudgets } from '../src/platform/http/guesses.ts'
import { budgets, passwordTokens, tokenCosts } from '../src/platform/http/rate-limit.ts'
import { markupBudgets } from '../src/platform/markdown/context.ts'
import { namingLimits } from '../src/platform/markdown/naming.ts'
import { longestHtml } from '../src/platform/markdown/render.ts'
import { errorMeanings } from '../src/platform/openapi/errors.ts'
import { grouped, inWords, table } from './tables.ts'

const heads = ['What is limited', 'Limit'] as const

/** How many tokens calls can cost. */
const callRates: readonly (readonly string[])[] = [
  [
    'Calls with a key or a session: API, files and uploads together',
    `${rate(budgets.api, 'tokens')} per account`,
  ],
  ['Those of all bots of an owner together', `${rate(budgets.bots, 'tokens')} per owner`],
  ['Changes by the assistants of a person', `${rate(budgets.assistants)} per account`],
  [
    'Calls without, including calls with wrong keys',
    `${rate(budgets.anonymous, 'tokens')} per address`,
  ],
]

export const calls = (): string => table(heads, callRates)

/** Rate limits, which no setting changes one by one. */
export function rates(): string {
  const { form, login } = budgets
  const { familiar, network, pair, strangers } = guessBudgets
  const { longestPauseSeconds, pauseSeconds, tokens } = codeBudget
  return table(heads, [
    ...callRates,
    ['Logins, right or wrong', `${rate(login)} per address`],
    ['Forms for joining and for a new password', `${rate(form)} per address`],
    [
      'Wrong keys and passwords',
      `${rate(pair)} per address for one account, ${rate(network)} per address for all accounts`,
    ],
    [
      'Wrong keys and passwords for one account',
      `${rate(strangers)} from unknown addresses, ${rate(familiar)} from known addresses`,
    ],
    [
      'Wrong codes of a second factor',
      `${tokens} in a row for one account, counted separately for unknown and known addresses; then a pause of ${duration(pauseSeconds)}, which doubles each time, up to ${duration(longestPauseSeconds)}`,
    ],
  ])
}

/** What calls cost of the tokens in `rates`. */
export function costs(): string {
  return table(
    ['Cost', 'Tokens'],
    [
      ['A call', '1'],
      [`Each ${tokenCosts.workMs} ms of work of the server`, '1'],
      [`Each ${size(tokenCosts.bytes)} of the body and the reply`, '1'],
      ['Reading a file, whatever its size', '1'],
      ['Creating an account for someone else', `${passwordTokens} more`],
      ['A new password', `${2 * passwordTokens} more`],
    ],
  )
}

/** What one request, reply, message, queue or connection can hold. */
export function sizes(): string {
  const narrow = queueNarrowLimits
  return table(heads, [
    [
      'Channels in a request to subscribe or unsubscribe',
      `${grouped(maxChannels)}, ${mostNewChannels} of them new`,
    ],
    [
      'Users in a request to add to, or remove from, a channel or group',
      `${grouped(mostPrincipals)}; with several channels, ${grouped(mostPairs)} pairs of user and channel`,
    ],
    ['People in a direct message', grouped(maxPeople)],
    ['Messages in a reply', grouped(mostInReply)],
    ['Messages in a request to change flags', grouped(mostFlagged)],
    [
      'Drafts in a request',
      `${maxDrafts}, as JSON of at most ${grouped(longestDrafts)} characters`,
    ],
    ['Everything else in a request', '`maxItems` and `maxLength` in the OpenAPI document'],
    [
      '`edit_history` in messages',
      `the newest entries, up to ${size(entryBounds.perMessage)} per message and ${size(entryBounds.perReply)} per reply; the newest one is always there, if necessary without its contents`,
    ],
    [
      '`GET /messages/{id}/history`',
      `${size(snapshotBytes)}: the original and the newest versions`,
    ],
    [
      '`GET /messages`',
      `${size(mostBytes)} of contents, edits, votes and reactions: the messages next to the anchor, or an error for \`message_ids\`. In a page, the part of a message beyond ${size(usualBytes)} counts ${inWords(unusualFactor)} times.`,
    ],
    [
      'A payload of a service that sends full event data, such as GitHub',
      `${size(longPayload)}; at most ${mostDelivered} messages about it`,
    ],
    [
      'A message as HTML',
      `${grouped(longestHtml)} characters: at most ${grouped(markupBudgets.math)} for formulas, and ${grouped(markupBudgets.others)} for emoji and linkifiers. The rest stays text.`,
    ],
    [
      'What a message names',
      `${grouped(namingLimits.all)} mentions and links to channels and topics; ${namingLimits.people} people, ${namingLimits.groups} groups and ${namingLimits.linkifiers} different linkifiers. The rest stays text.`,
    ],
    [
      'Searches in a narrow',
      `${maxSearches}, with ${maxSearchWords} words in total, ${maxBeginnings} of them beginnings of words (\`deploym*\`). In Chinese, Japanese, Korean, Thai and other scripts without spaces, each character is a word.`,
    ],
    [
      'The narrow of an event queue',
      `${narrow.terms} filters and ${grouped(narrow.bytes)} bytes; at most ${inWords(narrow.searches)} searches, with ${narrow.searchWords} words in total`,
    ],
    ...queueAndConnectionSizes(),
  ])
}

function queueAndConnectionSizes(): string[][] {
  const { replyBytes, perUser, queueBytes, totalBytes, userBytes } = queueLimits
  const { bodyBytesPerSecond, clientBytes, perAddress, pipelined, stallMs } = connectionLimits
  const stall = duration(stallMs / 1000)
  return [
    ['Event queues', `${perUser} per account; one more closes the one that was used longest ago`],
    [
      'Unread events',
      `${size(queueBytes)} in a queue, ${size(userBytes)} in the queues of one account, ${size(totalBytes)} in all queues; queues that exceed this are closed`,
    ],
    [
      'A reply to `GET /events`',
      `${size(replyBytes)}, or one event; the next poll returns the rest at once`,
    ],
    ['Pipelined requests', `${pipelined} per connection, answered one after another`],
    [
      'Unread replies',
      `${size(clientBytes)} for one client, ${size(connectionLimits.totalBytes)} in total; a connection is also closed after ${stall} to ${duration((2 * stallMs) / 1000)} without progress`,
    ],
    [
      'A request body',
      `fails with 408 after ${stall} without progress, or if it is slower than ${size(bodyBytesPerSecond)} a second`,
    ],
    [
      'Request bodies in progress',
      `${size(bodyLimits.perClient)} per account, or per address without an account; ${size(bodyLimits.total)} in total; but everyone can always send one`,
    ],
    [
      'Connections',
      `${grouped(perAddress)} per IPv4 address or IPv6 network, except from the same machine and \`PARLEY_TRUSTED_PROXIES\``,
    ],
  ]
}

/** The longest texts and the largest pictures. */
export function texts(): string {
  const characters = (most: number) => `${grouped(most)} characters`
  return table(heads, [
    ['A message', characters(limits.messageLength)],
    ['A topic', characters(limits.topicLength)],
    ['The name of a channel', characters(limits.channelNameLength)],
    ['The description of a channel', characters(limits.channelDescriptionLength)],
    ['The note of a reminder', characters(limits.reminderNoteLength)],
    ['The title of a saved snippet', characters(limits.snippetTitleLength)],
    ['The name of the organization', characters(limits.realmNameLength)],
    ['The description of the organization', characters(limits.realmDescriptionLength)],
    ['A profile picture', `${pictureLimits.avatar} MiB`],
    ['A custom emoji', `${pictureLimits.emoji} MiB`],
    ['An uploaded file', '`PARLEY_MAX_UPLOAD_MIB`'],
  ])
}

/** Every error code of the API. */
export function errors(): string {
  return table(
    ['Code', 'Status', 'Meaning', 'Further members'],
    Object.entries(errorMeanings)
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([code, { meaning, members = {} }]) => [
        `\`${code}\``,
        String(errorStatus[code as keyof typeof errorStatus]),
        meaning,
        Object.keys(members)
          .map((name) => `\`${name}\``)
          .join(', '),
      ]),
  )
}

interface Rate {
  readonly tokens: number
  readonly seconds: number
}

/** `100 in 5 minutes`. */
function rate({ tokens, seconds }: Rate, unit = ''): string {
  const period = duration(seconds)
    .replace(/^1 hour/, 'an hour')
    .replace(/^1 /, 'a ')
  return `${grouped(tokens)}${unit && ` ${unit}`} ${/^an? /.test(period) ? '' : 'in '}${period}`
}

/** `5 minutes`. */
function duration(seconds: number): string {
  const units = [
    ['day', 24 * 3600],
    ['hour', 3600],
    ['minute', 60],
  ] as const
  const [name, length] = units.find(
    ([, each]) => seconds % each === 0 && seconds >= each && (each < 24 * 3600 || seconds > each),
  ) ?? ['second', 1]
  const count = seconds / length
  return count === 1 ? `1 ${name}` : `${count} ${name}s`
}

/** `8 MiB`. */
function size(bytes: number): string {
  const kib = bytes / 1024
  return kib % 1024 === 0 ? `${kib / 1024} MiB` : `${kib} KiB`
}
