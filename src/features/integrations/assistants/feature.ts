import { feature } from '#platform/feature.ts'
import { mountAssistants } from './pages.ts'

export const assistants = feature({
  pages: [mountAssistants],
})
