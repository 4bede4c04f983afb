import * as v from 'valibot'
import { link } from '#webhooks/incoming/markdown.ts'
import { maybeText, type Note, requirePayload, text } from '#webhooks/incoming/note.ts'
import { integrations } from '#webhooks/integrations.ts'

const { github } = integrations

/** A note without what all have in common; undefined: the address does not want it. */
export type Said = Pick<Note, 'topic' | 'content'> | undefined | 'unsupported'

/** What is said of one kind of event. */
export type Speaker = (event: string, payload: unknown, branches: string | undefined) => Said

export const person = v.object({ login: text, html_url: maybeText })
export const repository = v.object({ full_name: text, html_url: maybeText })
/** What every event of a repository has. */
export const common = { sender: person, repository }

export const who = ({ login, html_url }: v.InferOutput<typeof person>) => link(login, html_url)

/** A speaker about payloads of a form. */
export function speaker<T>(
  schema: v.GenericSchema<unknown, T>,
  say: (payload: T, branches: string | undefined) => Said,
): Speaker {
  return (event, payload, branches) => say(requirePayload(github, event, schema, payload), branches)
}
