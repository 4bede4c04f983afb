import type { App } from '#client/app.ts'
import { later } from '#client/ui/later.ts'
import { t } from '#client/ui/t.ts'
import type { EditingKit } from './editing-kit.ts'

/** What a box can do besides taking text and sending it. */
export const editing = later(async () => (await import('./editing-kit.ts')).editingKit)

/** Does something with it: now if it is there, otherwise as soon as it is. */
export async function withEditing(app: App, run: (kit: EditingKit) => void): Promise<void> {
  let kit = editing.peek()
  try {
    kit ??= await editing.load()
  } catch {
    app.notify(t('This part could not be loaded. Check the connection and try again.'), 'error')
    return
  }
  run(kit)
}
