/** What defines a widget, or a step that someone added to it. */
export interface Submessage {
  readonly senderId: number
  /** JSON text. */
  readonly content: string
}

/** An object of what people or bots sent: nothing is known of its members. */
export type Json = Record<string, unknown>

/** What a widget is, without what people did with it. */
export interface WidgetHead {
  readonly kind: 'poll' | 'todo' | 'choices'
  /** The question of a poll, the title of a to-do list, or the heading of choices. */
  readonly title: string
  /** What it was made from. */
  readonly extra: Json
}

interface Kind {
  readonly kind: WidgetHead['kind']
  /** The member with its first title. */
  readonly first: string
  /** The step by which its author gives it another, and the member with that. */
  readonly step?: string
  readonly later: string
}

/** By the type on the wire. */
const kinds: ReadonlyMap<string, Kind> = new Map([
  ['poll', { kind: 'poll', first: 'question', step: 'question', later: 'question' }],
  ['todo', { kind: 'todo', first: 'task_list_title', step: 'new_task_list_title', later: 'title' }],
  ['zform', { kind: 'choices', first: 'heading', later: '' }],
] satisfies [string, Kind][])

/** The head of a message's widget; undefined: there is none, or an unknown one. */
export function widgetHead(
  [made, ...steps]: readonly Submessage[],
  authorId: number,
): WidgetHead | undefined {
  const definition = made && parse(made.content)
  const known = kinds.get(text(definition?.widget_type))
  if (!known) return undefined
  const extra = asObject(definition?.extra_data)
  let title = text(extra[known.first])
  for (const { senderId, content } of steps) {
    const step = known.step && senderId === authorId ? parse(content) : undefined
    if (step && step.type === known.step) title = text(step[known.later])
  }
  return { kind: known.kind, title, extra }
}

/** The object of a step; undefined for what is not JSON. */
export function parse(json: string): Json | undefined {
  try {
    return asObject(JSON.parse(json))
  } catch {
    return undefined
  }
}

/** The same value, or an empty object for another. */
export function asObject(value: unknown): Json {
  return typeof value === 'object' && value !== null ? (value as Json) : {}
}

/** The same value, or an empty list for another. */
export function list(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : []
}

/** The same value, or no text for another. */
export function text(value: unknown): string {
  return typeof value === 'string' ? value : ''
}
