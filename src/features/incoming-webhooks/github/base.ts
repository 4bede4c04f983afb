import * as v from 'valibot'
import { integrations } from '#features/bots/integrations.ts'
import { link } from '#features/incoming-webhooks/markdown.ts'
import { maybeText, type Note, requirePayload, text } from '#features/incoming-webhooks/note.ts'

const { github } = integrations

/** The topic and content of a note; undefined: the webhook URL filters it out. */
export type NoteResult = Pick<Note, 'topic' | 'content'> | undefined | 'unsupported'

/** Renders the note for one type of event. */
export type NoteRenderer = (
  event: string,
  payload: unknown,
  branches: string | undefined,
) => NoteResult

export const person = v.object({ login: text, html_url: maybeText })
export const repository = v.object({ full_name: text, html_url: maybeText })
/** Members of every event of a repository. */
export const common = { sender: person, repository }

export const who = ({ login, html_url }: v.InferOutput<typeof person>) => link(login, html_url)

/** A `NoteRenderer` that checks the payload first. */
export function noteRenderer<T>(
  schema: v.GenericSchema<unknown, T>,
  say: (payload: T, branches: string | undefined) => NoteResult,
): NoteRenderer {
  return (event, payload, branches) => say(requirePayload(github, event, schema, payload), branches)
}
