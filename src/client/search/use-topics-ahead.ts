import { useEffect, useState } from 'preact/hooks'
import type { App } from '#client/app.ts'
import { learnTopics } from '#client/lists/topics.ts'
import type { Store } from '#client/state/store.ts'
import { suggesting } from './parts.ts'

/** Stores that have fetched their recent conversations. */
const fetched = new WeakSet<Store>()

/**
 * Fetches the topics to search by name: those of the newest messages, and all of a channel that was
 * chosen. Topics that cannot be fetched are not offered.
 *
 * @returns a number that changes when more are known
 */
export function useTopicsAhead(app: App, isWanted: boolean, channelId?: number): number {
  const [version, setVersion] = useState(0)
  const more = () => setVersion((before) => before + 1)
  useEffect(() => {
    if (!isWanted || fetched.has(app.store)) return
    fetched.add(app.store)
    suggesting
      .load()
      .then(({ learnNewTopics }) => learnNewTopics(app))
      .then(more, () => fetched.delete(app.store))
  }, [app, isWanted])
  useEffect(() => {
    if (isWanted && channelId !== undefined) learnTopics(app, channelId).then(more, () => undefined)
  }, [app, isWanted, channelId])
  return version
}
