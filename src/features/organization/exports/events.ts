import type { WireEvent } from '#platform/events/types.ts'
import type { ExportJson } from './json.ts'

/** All exports, after one changed. @source Zulip API, "Get events", type "realm_export" */
export interface ExportsEvent extends WireEvent {
  type: 'realm_export'
  exports: ExportJson[]
}

export function exportsEvent(exports: ExportJson[]): ExportsEvent {
  return { type: 'realm_export', exports }
}
