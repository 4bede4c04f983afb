import type { App } from '#client/app.ts'
import type { Later } from '#client/ui/later.ts'
import { t } from '#client/ui/t.ts'

/** Says that code cannot be loaded that an action needs. */
export function tellNotLoaded(app: App): void {
  app.notify(t('This part could not be loaded. Check the connection and try again.'), 'error')
}

/** Does something with code that is loaded later: now if it is there, otherwise as soon as it is. */
export async function withLoaded<T>(
  app: App,
  part: Later<T>,
  run: (code: T) => void,
): Promise<void> {
  let code = part.peek()
  try {
    code ??= await part.load()
  } catch {
    tellNotLoaded(app)
    return
  }
  run(code)
}
