import * as shape from '#platform/shape.ts'

/** @source Zulip API, "Get data export consent state" (feature levels 295, 430) */
export const consentShape = shape.named('ExportConsent', {
  user_id: shape.integer,
  consented: shape.noted(
    shape.boolean,
    'Whether what is private to this user may be exported too.',
  ),
  email_address_visibility: shape.noted(
    shape.integer,
    'Who sees the address of this user (level 430).',
  ),
})

/** @source Zulip API, "Get all data exports" */
export const exportShape = shape.named('RealmExport', {
  id: shape.integer,
  acting_user_id: shape.integer,
  export_time: shape.noted(shape.number, 'When it was asked for, in seconds since the epoch.'),
  deleted_timestamp: shape.nullable(shape.number),
  failed_timestamp: shape.nullable(shape.number),
  export_url: shape.noted(
    shape.nullable(shape.string),
    'Whoever has the address can fetch the archive; null while there is none.',
  ),
  pending: shape.boolean,
  export_type: shape.noted(
    shape.choice(1, 2),
    '1 for what is public, 2 for that and what people consent to.',
  ),
})

export const exportConsentEventShapes = [
  shape.event('RealmExportEvent', 'realm_export', { exports: shape.list(exportShape) }),
  shape.event('RealmExportConsentEvent', 'realm_export_consent', {
    user_id: shape.integer,
    consented: shape.boolean,
  }),
]
