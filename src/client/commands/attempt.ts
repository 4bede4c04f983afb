import { CallError } from '#client/api/api.ts'
import type { App } from '#client/app.ts'
import { t } from '#client/ui/t.ts'

/** Waits for a call, and tells the user where it fails. Undefined then. */
export async function attempt<T>(app: App, call: Promise<T>): Promise<T | undefined> {
  try {
    return await call
  } catch (error) {
    app.notify(problemOf(error), 'error')
    return undefined
  }
}

/** Says what was done, and offers to take it back. */
export function tellWithUndo(app: App, text: string, undo: () => Promise<unknown>): void {
  app.notify(text, 'info', { label: t('Undo'), run: () => void attempt(app, undo()) })
}

/** What went wrong, in words for the user. */
export function problemOf(error: unknown): string {
  if (!(error instanceof CallError)) return t('Something went wrong.')
  return error.code === 'NETWORK'
    ? t('The server cannot be reached. Try again in a moment.')
    : error.message
}
