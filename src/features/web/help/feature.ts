import { feature } from '#platform/feature.ts'
import { mountHelp } from './pages.ts'

export const help = feature({ openPages: [mountHelp] })
