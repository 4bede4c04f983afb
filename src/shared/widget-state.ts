import { taskKey } from './task-keys.ts'
import {
  asObject,
  list,
  parse,
  type Submessage,
  text,
  type WidgetHead,
  widgetHead,
} from './widget-head.ts'

/**
 * Polls and to-do lists: the state that results from the steps that people added to a message.
 * The server checked every step (`features/messaging/messages/submessages/widgets.ts`).
 */

/** An option of a poll, and who has voted for it, in order of their votes. */
export interface PollOption {
  /** `canned,<index>` for the first ones, else `<user id>,<index>`. */
  readonly key: string
  readonly text: string
  readonly voterIds: readonly number[]
}

export interface Poll {
  readonly kind: 'poll'
  readonly question: string
  readonly options: readonly PollOption[]
}

export interface Task {
  readonly key: string
  readonly text: string
  readonly description: string
  readonly isDone: boolean
}

export interface TodoList {
  readonly kind: 'todo'
  readonly title: string
  readonly tasks: readonly Task[]
}

/** Answers that a bot offers; a click sends one. */
export interface Choices {
  readonly kind: 'choices'
  readonly heading: string
  readonly choices: readonly {
    readonly name: string
    readonly text: string
    readonly reply: string
  }[]
}

export type Widget = Poll | TodoList | Choices

/** The current widget of a message; undefined: there is none, or an unknown one. */
export function widgetOf(submessages: readonly Submessage[], authorId: number): Widget | undefined {
  const head = widgetHead(submessages, authorId)
  switch (head?.kind) {
    case 'poll':
      return pollOf(head, submessages.slice(1))
    case 'todo':
      return todoOf(head, submessages.slice(1))
    case 'choices':
      return choicesOf(head)
    default:
      return undefined
  }
}

function pollOf({ title: question, extra }: WidgetHead, steps: readonly Submessage[]): Poll {
  interface Option {
    readonly key: string
    readonly text: string
    readonly voters: Set<number>
  }
  const options = new Map<string, Option>()
  const named = new Map<string, Option>()
  // What two people add at the same time is one option, under both keys.
  function add(key: string, name: string): void {
    if (options.has(key)) return
    const option = named.get(name) ?? { key, text: name, voters: new Set() }
    named.set(name, option)
    options.set(key, option)
  }
  for (const [i, option] of list(extra.options).entries()) add(`canned,${i}`, text(option))
  for (const { senderId, content } of steps) {
    const step = parse(content)
    if (step?.type === 'new_option') add(`${senderId},${step.idx}`, text(step.option))
    if (step?.type !== 'vote') continue
    const voters = options.get(text(step.key))?.voters
    if (step.vote === 1) voters?.add(senderId)
    else voters?.delete(senderId)
  }
  return {
    kind: 'poll',
    question,
    options: [...named.values()].map(({ voters, ...option }) => ({
      ...option,
      voterIds: [...voters],
    })),
  }
}

function todoOf({ title, extra }: WidgetHead, steps: readonly Submessage[]): TodoList {
  const tasks = new Map<string, { text: string; description: string; isDone: boolean }>()
  for (const [i, item] of list(extra.tasks).entries()) {
    const { task, desc } = asObject(item)
    tasks.set(`${i},canned`, { text: text(task), description: text(desc), isDone: false })
  }
  for (const { senderId, content } of steps) {
    const step = parse(content)
    if (step?.type === 'new_task') {
      const key = `${step.key},${senderId}`
      if (!tasks.has(key)) {
        const isDone = step.completed === true
        tasks.set(key, { text: text(step.task), description: text(step.desc), isDone })
      }
    } else if (step?.type === 'strike') {
      const task = tasks.get(taskKey(text(step.key), (key) => tasks.has(key)))
      if (task) task.isDone = !task.isDone
    }
  }
  return { kind: 'todo', title, tasks: [...tasks].map(([key, task]) => ({ key, ...task })) }
}

function choicesOf({ title: heading, extra }: WidgetHead): Choices {
  return {
    kind: 'choices',
    heading,
    choices: list(extra.choices).map((choice) => {
      const { short_name, long_name, reply } = asObject(choice)
      return { name: text(short_name), text: text(long_name), reply: text(reply) }
    }),
  }
}

/** The index under which the user's next option or task is added: one that is not used yet. */
export function nextIndex(submessages: readonly Submessage[], userId: number): number {
  const used = submessages
    .filter(({ senderId }) => senderId === userId)
    .map(({ content }) => parse(content))
    .map((step) => (step?.type === 'new_option' ? step.idx : step?.key))
    .filter((index) => typeof index === 'number')
  return Math.max(-1, ...used) + 1
}
