import type { Widget } from './widget-state.ts'

/** What is said beside the texts of a widget, in the language of the reader. */
export interface WidgetWords {
  /** The title of a poll without a question, and of a to-do list without one. */
  readonly poll: string
  readonly todo: string
  /** The people with these IDs: one at least. */
  people(ids: readonly number[]): string
}

/** A widget as a title and lines of text: options with their voters, tasks with their marks. */
export function widgetLines(
  widget: Widget,
  words: WidgetWords,
): { readonly title: string; readonly lines: readonly string[] } {
  switch (widget.kind) {
    case 'poll':
      return {
        title: widget.question || words.poll,
        lines: widget.options.map(
          ({ text, voterIds }) => `${text} – ${voterIds.length > 0 ? words.people(voterIds) : '0'}`,
        ),
      }
    case 'todo':
      return {
        title: widget.title || words.todo,
        lines: widget.tasks.map(
          ({ text, description, isDone }) =>
            `${isDone ? '☑' : '☐'} ${text}${description && ` – ${description}`}`,
        ),
      }
    case 'choices':
      return {
        title: widget.heading,
        lines: widget.choices.map(({ name, text }) => `${name} ${text}`),
      }
  }
}
