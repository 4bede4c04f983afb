import { type Feature, feature } from '#platform/feature.ts'
import { acknowledgeEvents, deleteQueue, queueRoutes } from './routes.ts'
import { unsupportedState } from './unsupported.state.ts'

/** @param others every other feature; they define the state and the events */
export function eventQueues(others: readonly Feature[]): Feature {
  const state = [...unsupportedState, ...others.flatMap((other) => other.state ?? [])]
  const events = others.flatMap((other) => other.events ?? [])
  return feature({
    routes: { Events: [{ ...queueRoutes(state, events), acknowledgeEvents, deleteQueue }] },
  })
}
