import { CallError } from '#client/api/api.ts'
import type { App } from '#client/app.ts'
import { t, tRefusal } from '#client/ui/t.ts'

/** Waits for a call, and tells the user if it fails. Undefined then. */
export async function attempt<T>(app: App, call: Promise<T>): Promise<T | undefined> {
  try {
    return await call
  } catch (error) {
    app.notify(problemOf(error), 'error')
    return undefined
  }
}

/** Reports an action, and offers to undo it. */
export function tellWithUndo(app: App, text: string, undo: () => Promise<unknown>): void {
  app.notify(text, 'info', { label: t('Undo'), run: () => void attempt(app, undo()) })
}

/** The error in words for the user. */
export function problemOf(error: unknown): string {
  if (!(error instanceof CallError)) return t('Something went wrong.')
  return error.code === 'NETWORK'
    ? t('The server cannot be reached. Try again in a moment.')
    : tRefusal(error)
}

/** The parameter that a refusal is about, by its name in the API. */
export function parameterOf(error: unknown): string | undefined {
  return error instanceof CallError ? error.parameter : undefined
}
