import { feature } from '#platform/feature.ts'
import { mountAvatars } from './pages.ts'
import * as routes from './routes.ts'

export const avatars = feature({
  routes: { 'Own settings': [routes] },
  pages: [mountAvatars],
})
