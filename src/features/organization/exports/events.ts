import type { EventOf } from '#platform/shape.ts'
import type { ExportJson } from './json.ts'
import type { exportConsentEventShapes } from './shapes.ts'

/** All exports, after one changed. @source Zulip API, "Get events", type "realm_export" */
export type ExportsEvent = EventOf<typeof exportConsentEventShapes, 'realm_export'>

export function exportsEvent(exports: ExportJson[]): ExportsEvent {
  return { type: 'realm_export', exports }
}
