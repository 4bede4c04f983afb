import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

/** The top of the repository. */
export const root = join(fileURLToPath(new URL('.', import.meta.url)), '..')

/** Stops the build. @param message what is wrong and how to fix it */
export function fail(message: string): never {
  throw new Error(message)
}
