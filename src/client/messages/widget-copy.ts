import type { App } from '#client/app.ts'
import type { Message } from '#client/state/model.ts'
import { userName } from '#client/state/names.ts'
import { listText, t } from '#client/ui/t.ts'
import { widgetLines } from '#shared/widget-lines.ts'
import { widgetOf } from '#shared/widget-state.ts'

/** A poll, to-do list or choices as they are drawn: a title, and a list with votes or marks. */
export function widgetCopy({ store }: App, message: Message): HTMLElement {
  const widget = widgetOf(message.submessages, message.senderId)
  if (!widget) return document.createElement('div')
  const { title, lines } = widgetLines(widget, {
    poll: t('Poll'),
    todo: t('To-do list'),
    people: (ids) =>
      listText(
        ids.map((id) => userName(id, store)),
        'narrow',
      ),
  })
  return titledList(title, lines)
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
