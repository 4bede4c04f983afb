import * as v from 'valibot'
import { limits } from '#features/foundation/realm/limits.ts'

/** An interactive part of a message; the message's first submessage defines it. */
export interface Widget {
  readonly widget_type: 'poll' | 'todo' | 'zform'
  readonly extra_data: unknown
}

const clean = v.pipe(
  v.string(),
  v.maxLength(2 * limits.messageLength),
  v.check((text) => !text.includes('\0') && text.isWellFormed()),
)
const index = v.pipe(v.number(), v.safeInteger(), v.minValue(0))
const list = <S extends v.GenericSchema>(item: S) => v.pipe(v.array(item), v.maxLength(1000))

/**
 * The widgets that clients can draw: polls, to-do lists, and a bot's multiple choices.
 *
 * @source Zulip developer documentation, "Widgets"
 */
export const widgetSchema: v.GenericSchema<unknown, Widget> = v.variant('widget_type', [
  v.strictObject({
    widget_type: v.literal('poll'),
    extra_data: v.strictObject({ question: clean, options: list(clean) }),
  }),
  v.strictObject({
    widget_type: v.literal('todo'),
    extra_data: v.strictObject({
      task_list_title: clean,
      tasks: list(v.strictObject({ task: clean, desc: clean })),
    }),
  }),
  v.strictObject({
    widget_type: v.literal('zform'),
    extra_data: v.strictObject({
      type: v.literal('choices'),
      heading: clean,
      choices: list(
        v.strictObject({
          type: v.literal('multiple_choice'),
          short_name: clean,
          long_name: clean,
          reply: clean,
        }),
      ),
    }),
  }),
])

/** The key of an option: `canned,<index>` for initial ones, else `<user id>,<index>`. */
const optionKey = v.pipe(v.string(), v.regex(/^(canned|\d{1,10}),\d{1,10}$/))
/** The key of a task: an index and `canned` or a user ID, or the other way round (`taskKey`). */
const taskKey = v.pipe(v.string(), v.regex(/^(?:\d{1,10},(?:canned|\d{1,10})|canned,\d{1,10})$/))

/** The steps that users can add to a widget, by its type. */
const stepSchemas = {
  poll: v.variant('type', [
    v.strictObject({ type: v.literal('vote'), key: optionKey, vote: v.picklist([1, -1]) }),
    v.strictObject({ type: v.literal('new_option'), option: clean, idx: index }),
    v.strictObject({ type: v.literal('question'), question: clean }),
  ]),
  todo: v.variant('type', [
    v.strictObject({
      type: v.literal('new_task'),
      key: index,
      task: clean,
      desc: clean,
      completed: v.optional(v.boolean()),
    }),
    v.strictObject({ type: v.literal('strike'), key: taskKey }),
    v.strictObject({ type: v.literal('new_task_list_title'), title: clean }),
  ]),
} as const

/** One step of a poll or a to-do list. */
type Step = v.InferOutput<(typeof stepSchemas)['poll' | 'todo']>

/** The widget that a JSON text defines; undefined when it is invalid. */
export function parseWidget(json: string): Widget | undefined {
  return parsed(widgetSchema, json)
}

/** The step of a widget of this type that a JSON text defines; undefined when it is invalid. */
export function parseStep(type: Widget['widget_type'], json: string): Step | undefined {
  return type === 'zform' ? undefined : parsed<Step>(stepSchemas[type], json)
}

/** Whether only the widget's author may add this step. */
export function isAuthorsStep({ type }: Step): boolean {
  return type === 'question' || type === 'new_task_list_title'
}

function parsed<T>(schema: v.GenericSchema<unknown, T>, json: string): T | undefined {
  let value: unknown
  try {
    value = JSON.parse(json)
  } catch {
    return undefined
  }
  const result = v.safeParse(schema, value)
  return result.success ? result.output : undefined
}

/**
 * The widget that a message's content creates: `/poll question` or `/todo title`, followed by a line
 * per option or task, which may be the item of a list. An option counts once; a task's description
 * follows a colon and a space. Undefined for other content.
 */
export function widgetIn(content: string): Widget | undefined {
  const [, command, rest = ''] = /^\/(poll|todo)(?=\s|$)(.*)$/s.exec(content) ?? []
  if (command === undefined) return undefined
  const [title = '', ...lines] = rest.split('\n')
  const items = lines.map((line) => line.trim().replace(/^[-*](?:\s+|$)/, '')).filter(Boolean)
  if (command === 'poll') {
    const options = [...new Set(items)]
    return { widget_type: 'poll', extra_data: { question: title.trim(), options } }
  }
  const tasks = items.map((item) => {
    const at = item.search(/:(?:\s|$)/)
    if (at < 0) return { task: item, desc: '' }
    return { task: item.slice(0, at).trim(), desc: item.slice(at + 1).trim() }
  })
  return { widget_type: 'todo', extra_data: { task_list_title: title.trim(), tasks } }
}
