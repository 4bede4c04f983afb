import type { App } from '#client/app.ts'
import type { Message } from '#client/state/model.ts'
import { t } from '#client/ui/t.ts'
import { attempt, tellWithUndo } from './attempt.ts'

/** Hides what the pages say that a message of one's own links to. */
export async function hideLinkPreviews(app: App, { id }: Message): Promise<void> {
  const set = async (hidden: boolean) => {
    await app.api.patch(`/messages/${id}/link_previews`, { hidden })
    return true
  }
  if (!(await attempt(app, set(true)))) return
  tellWithUndo(app, t('The link previews are hidden.'), () => set(false))
}
