import type { App } from '#client/app.ts'
import type { Message } from '#client/state/model.ts'
import { agoText, exactText } from '#client/ui/dates.ts'
import { t } from '#client/ui/t.ts'

/**
 * Puts "(edited)" behind the last word of a message that was edited or moved. Clicks on it are
 * handled by `views/message-clicks.ts`.
 */
export function markEdited(element: HTMLElement, message: Message, app: App): void {
  const { editedAt, movedAt } = message
  const at = editedAt ?? movedAt
  // It may have been drawn anew while this was loaded.
  if (at === undefined || element.querySelector('.message-edited')) return
  const isMoved = editedAt === undefined
  const label = isMoved ? t('moved') : t('edited')
  const mark = document.createElement('button')
  mark.type = 'button'
  mark.className = 'message-edited'
  mark.dataset.label = label
  mark.setAttribute('aria-label', label)
  mark.title = t('{what} {ago}: {time}', {
    what: isMoved ? t('Moved') : t('Edited'),
    ago: agoText(at),
    time: exactText(at, app.store.settings.peek()),
  })
  const last = element.lastElementChild
  const end = last?.localName === 'p' ? last : element
  end.append(mark)
}
