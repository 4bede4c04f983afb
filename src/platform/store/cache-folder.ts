import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** The user's cache folder for Parley. Only the built program's SQLite addon goes there. */
export function cacheFolder(env: NodeJS.ProcessEnv = process.env): string {
  const home = env.HOME && join(env.HOME, '.cache')
  return join(env.XDG_CACHE_HOME || env.LOCALAPPDATA || home || tmpdir(), 'parley')
}
