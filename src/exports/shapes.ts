import {
  boolean,
  choice,
  event,
  integer,
  list,
  named,
  noted,
  nullable,
  number,
  string,
} from '#shape.ts'

/** @source api-changes §2a (feature levels 295, 430) */
export const consentShape = named('ExportConsent', {
  user_id: integer,
  consented: noted(boolean, 'Whether what is private to this user may be exported too.'),
  email_address_visibility: noted(integer, 'Who sees the address of this user (level 430).'),
})

/** @source api-changes §6, "RealmExport" */
export const exportShape = named('RealmExport', {
  id: integer,
  acting_user_id: integer,
  export_time: noted(number, 'When it was asked for, in seconds since the epoch.'),
  deleted_timestamp: nullable(number),
  failed_timestamp: nullable(number),
  export_url: noted(
    nullable(string),
    'Whoever has the address can fetch the archive; null while there is none.',
  ),
  pending: boolean,
  export_type: noted(choice(1, 2), '1 for what is public, 2 for that and what people consent to.'),
})

export const exportConsentEventShapes = [
  event('RealmExportEvent', 'realm_export', { exports: list(exportShape) }),
  event('RealmExportConsentEvent', 'realm_export_consent', {
    user_id: integer,
    consented: boolean,
  }),
]
