import type { App } from '#client/app.ts'
import type { Message } from '#client/state/model.ts'
import { agoText, exactText } from '#client/ui/dates.ts'
import { t } from '#client/ui/t.ts'

/**
 * Puts "(via Claude)" behind the last word of a message that an assistant wrote, and "(edited)" behind
 * that of one that was edited or moved. Clicks on the latter are handled by
 * `views/message-clicks.ts`.
 */
export function addEndMarks(element: HTMLElement, message: Message, app: App): void {
  const assistant = /^(.+) \(MCP\)$/.exec(message.client)?.[1]
  if (assistant !== undefined) {
    const label = t('via {name}', { name: assistant })
    addMark(element, 'span', 'message-via', label).role = 'note'
  }
  const { editedAt, movedAt } = message
  const at = editedAt ?? movedAt
  if (at === undefined) return
  const isMoved = editedAt === undefined
  const label = isMoved ? t('moved') : t('edited')
  const mark = addMark(element, 'button', 'message-edited', label)
  mark.setAttribute('type', 'button')
  mark.title = t('{what} {ago}: {time}', {
    what: isMoved ? t('Moved') : t('Edited'),
    ago: agoText(at),
    time: exactText(at, app.store.settings.peek()),
  })
}

function addMark(
  element: HTMLElement,
  tag: 'button' | 'span',
  className: string,
  label: string,
): HTMLElement {
  // It may have been drawn anew while this was loaded.
  element.querySelector(`.${className}`)?.remove()
  const mark = document.createElement(tag)
  mark.className = className
  mark.dataset.label = label
  mark.setAttribute('aria-label', label)
  const last = element.lastElementChild
  const end = last?.localName === 'p' ? last : element
  end.append(mark)
  return mark
}
