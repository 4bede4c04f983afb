import type { Draft } from './queries.ts'

/** A draft on the wire. @source contract, "Draft" */
export interface DraftJson {
  id: number
  type: '' | 'stream' | 'private'
  /** The channel's id, or the ids of people. */
  to: number[]
  topic: string
  content: string
  timestamp: number
}

export function draftJson({ id, type, to, topic, content, editedAt }: Draft): DraftJson {
  return { id, type, to, topic, content, timestamp: editedAt }
}
