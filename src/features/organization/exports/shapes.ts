import { exportConsentEventShape } from '#features/foundation/users/shapes.ts'
import * as shape from '#platform/shape.ts'

/** @source Zulip API, "Get data export consent state" (feature levels 295, 430) */
export const consentShape = shape.named('ExportConsent', {
  user_id: shape.integer,
  consented: shape.noted(
    shape.boolean,
    'Whether the user consents to the export of their private data.',
  ),
  email_address_visibility: shape.extended(
    shape.noted(shape.integer, "Who can see the user's email address."),
    430,
  ),
})

/** @source Zulip API, "Get all data exports" */
export const exportShape = shape.named('RealmExport', {
  id: shape.integer,
  acting_user_id: shape.integer,
  export_time: shape.noted(shape.number, 'When it was requested, in seconds since the epoch.'),
  deleted_timestamp: shape.nullable(shape.number),
  failed_timestamp: shape.nullable(shape.number),
  export_url: shape.noted(
    shape.nullable(shape.string),
    'The URL of the archive, which needs no authentication; null while there is none.',
  ),
  pending: shape.boolean,
  export_type: shape.noted(shape.choice(1, 2), '1: `public`; 2: `full_with_consent`.'),
})

export const exportConsentEventShapes = [
  shape.event('RealmExportEvent', 'realm_export', { exports: shape.list(exportShape) }),
  exportConsentEventShape,
]
