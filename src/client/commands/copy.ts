import type { App } from '#client/app.ts'
import { copyText } from '#client/ui/clipboard.ts'
import { t } from '#client/ui/t.ts'

/** Puts a text on the clipboard and says so. */
export async function copy(app: App, text: string, done: string): Promise<void> {
  try {
    await copyText(text)
    app.notify(done)
  } catch {
    app.notify(t('Your browser does not allow copying here.'), 'error')
  }
}
