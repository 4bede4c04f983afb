/** A poll or to-do list as someone writes it, before it is sent. */
export interface WidgetSource {
  readonly kind: 'poll' | 'todo'
  /** The question, or the title. */
  readonly title: string
  readonly lines: readonly string[]
}

/**
 * What a text makes when it is sent: `/poll` or `/todo`, a title behind it, and a line for each option
 * or task. Undefined for other texts.
 *
 * @source Zulip help center, "Create a poll", "Collaborative to-do lists"
 */
export function widgetSource(text: string): WidgetSource | undefined {
  const [first = '', ...rest] = text.trim().split('\n')
  const [, command, title = ''] = /^\/(poll|todo)(?:\s(.*))?$/.exec(first) ?? []
  if (command !== 'poll' && command !== 'todo') return undefined
  const lines = rest
    .map((line) => line.trim().replace(/^[-*](?:\s+|$)/, ''))
    .filter((line) => line !== '')
  const shown = command === 'poll' ? [...new Set(lines)] : lines
  return { kind: command, title: title.trim(), lines: shown }
}
