import { feature } from '#platform/feature.ts'
import { gifRate } from './quotas.ts'
import * as routes from './routes.ts'
import { gifsState } from './state.ts'

export const gifs = feature({
  routes: { Messages: [routes] },
  state: [gifsState],
  quotas: [gifRate],
})
