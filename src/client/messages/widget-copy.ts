import type { App } from '#client/app.ts'
import type { Message } from '#client/state/model.ts'
import { userName } from '#client/state/names.ts'
import { listText, t } from '#client/ui/t.ts'
import { widgetOf } from './widget-state.ts'

/** A poll, to-do list or choices as they are drawn: a title, and a list with votes or marks. */
export function widgetCopy({ store }: App, message: Message): HTMLElement {
  const widget = widgetOf(message.submessages, message.senderId)
  const names = (ids: readonly number[]) =>
    ids.length === 0
      ? '0'
      : listText(
          ids.map((id) => userName(id, store)),
          'narrow',
        )
  switch (widget?.kind) {
    case 'poll':
      return titledList(
        widget.question || t('Poll'),
        widget.options.map(({ text, voterIds }) => `${text} – ${names(voterIds)}`),
      )
    case 'todo':
      return titledList(
        widget.title || t('To-do list'),
        widget.tasks.map(
          ({ text, description, isDone }) =>
            `${isDone ? '☑' : '☐'} ${text}${description && ` – ${description}`}`,
        ),
      )
    case 'choices':
      return titledList(
        widget.heading,
        widget.choices.map(({ name, text }) => `${name} ${text}`),
      )
    default:
      return document.createElement('div')
  }
}

function titledList(title: string, lines: readonly string[]): HTMLElement {
  const body = document.createElement('div')
  const head = document.createElement('p')
  const strong = document.createElement('strong')
  strong.textContent = title
  head.append(strong)
  const list = document.createElement('ul')
  for (const line of lines) {
    const item = document.createElement('li')
    item.textContent = line
    list.append(item)
  }
  body.append(head, list)
  return body
}
