import * as v from 'valibot'
import type { Reading } from '#features/organization/imports/source.ts'
import { badRequest } from '#platform/errors.ts'
import { fetchOutside, OutsideError } from '#platform/outgoing/fetch.ts'
import { sentence } from '#translations/translate.ts'
import { user } from './rows.ts'

/** The data that a token gives access to and that is not in the export. */
export interface WorkspaceData {
  readonly team?: { readonly name: string; readonly icon: string | undefined }
  /** Addresses by the IDs of people. */
  readonly addresses: ReadonlyMap<string, string>
  /** Addresses of the pictures of custom emoji, and their other names as `alias:name`, by their names. */
  readonly emoji: ReadonlyMap<string, string>
}

/** In bytes: a page of 200 people has less than a tenth. */
const longestReply = 32 * 1024 ** 2
/** The most pages of people that are requested. */
const mostPages = 5000

const replyShape = v.looseObject({ ok: v.boolean(), error: v.optional(v.string(), '') })
const page = v.looseObject({
  members: v.array(v.unknown()),
  response_metadata: v.optional(v.looseObject({ next_cursor: v.optional(v.string(), '') })),
})
const emojiList = v.looseObject({ emoji: v.record(v.string(), v.string()) })
const teamInfo = v.looseObject({
  team: v.looseObject({
    name: v.string(),
    icon: v.optional(v.looseObject({ image_230: v.optional(v.string()) })),
  }),
})

/** The API and the credentials to use. */
export interface Asking {
  /** The address of Slack's Web API. */
  readonly origin: string
  readonly reading: Reading
  readonly token: string
}

/**
 * Fetches data from Slack that the export lacks: addresses of people, custom emoji, and the name of
 * the team. The token is a bot's, with the scopes users:read, users:read.email, emoji:read and
 * team:read.
 *
 * @throws BAD_REQUEST Slack refuses the token, or cannot be reached
 */
export async function learn({ origin, reading, token }: Asking): Promise<WorkspaceData> {
  const addresses = new Map<string, string>()
  let cursor = ''
  for (let n = 0; n < mostPages; n++) {
    const found = await ask({ origin, reading, token }, 'users.list', page, {
      limit: '200',
      cursor,
    })
    for (const member of found.members) {
      const row = v.safeParse(user, member)
      const email = row.success ? row.output.profile?.email : undefined
      if (row.success && email) addresses.set(row.output.id, email)
      if (!row.success) reading.notes.skipped('people', 'bad-value', 'users.list')
    }
    cursor = found.response_metadata?.next_cursor ?? ''
    if (cursor === '') break
  }
  const { emoji } = await ask({ origin, reading, token }, 'emoji.list', emojiList)
  const { team } = await ask({ origin, reading, token }, 'team.info', teamInfo)
  return {
    team: { name: team.name, icon: team.icon?.image_230 },
    addresses,
    emoji: new Map(Object.entries(emoji)),
  }
}

async function ask<S extends v.GenericSchema>(
  { origin, reading, token }: Asking,
  method: string,
  schema: S,
  params: Readonly<Record<string, string>> = {},
): Promise<v.InferOutput<S>> {
  const { server, signal } = reading
  let body: unknown
  try {
    const reply = await fetchOutside(server, `${origin}/api/${method}`, {
      method: 'POST',
      headers: {
        Authorization: `Bearer ${token.replace(/[^\x21-\x7e]/g, '')}`,
        'Content-Type': 'application/x-www-form-urlencoded',
      },
      body: new URLSearchParams(params).toString(),
      timeout: 60_000,
      limit: longestReply,
      signal,
    })
    body = JSON.parse(reply.body.toString())
  } catch (error) {
    signal.throwIfAborted()
    // The reason is for whoever looks into it, such as "The server refused the connection."
    const reason = error instanceof OutsideError ? error.message : 'no JSON'
    throw badRequest(sentence('Slack did not answer {method}: {reason}', { method, reason }))
  }
  const state = v.safeParse(replyShape, body)
  const found = v.safeParse(schema, body)
  if (state.success && state.output.ok && found.success) return found.output
  const why = state.success ? state.output.error.replace(/[^\w.-]+/g, ' ').slice(0, 60) : ''
  throw badRequest(
    why === ''
      ? sentence('Slack answered {method} in an unexpected form.', { method })
      : sentence('Slack refused {method}: {reason}.', { method, reason: why }),
  )
}
