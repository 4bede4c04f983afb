import type { App } from '#client/app.ts'
import type { Message } from '#client/state/model.ts'
import { t } from '#client/ui/t.ts'
import { attempt, tellWithUndo } from './attempt.ts'

const card = 'class="message_embed"'
/** Cards of pages and messages, videos, and pictures that are not uploads. */
const preview =
  /class="(?:message_embed"|youtube-video )|href="#narrow\/[^"]*\/near\/|_inline_image"><a href="(?!\/user_uploads\/)/

/** Whether a message shows previews of its links. */
export function hasPreviews({ html }: Message): boolean {
  return preview.test(html)
}

/**
 * Hides the previews of a message: cards in the user's own messages from everyone, all others from
 * the user.
 */
export async function hideLinkPreviews(app: App, message: Message): Promise<void> {
  const isOfAll = message.senderId === app.store.selfId && message.html.includes(card)
  const set = async (areHidden: boolean) => {
    if (isOfAll) await app.api.patch(`/messages/${message.id}/link_previews`, { hidden: areHidden })
    else await setOwnView(app, message, areHidden)
    return true
  }
  if (!(await attempt(app, set(true)))) return
  tellWithUndo(app, t('The link previews are hidden.'), () => set(false))
}

/** Shows previews that the user has hidden. */
export async function showLinkPreviews(app: App, message: Message): Promise<void> {
  await attempt(app, setOwnView(app, message, false))
}

async function setOwnView({ api }: App, { id }: Message, areHidden: boolean): Promise<void> {
  const op = areHidden ? 'add' : 'remove'
  await api.post('/messages/flags', { messages: [id], op, flag: 'hide_link_previews' })
}
