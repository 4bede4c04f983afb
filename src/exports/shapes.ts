import { boolean, event, integer, named, noted } from '#shape.ts'

/** @source api-changes §2a (feature levels 295, 430) */
export const consentShape = named('ExportConsent', {
  user_id: integer,
  consented: noted(boolean, 'Whether what is private to this user may be exported too.'),
  email_address_visibility: noted(integer, 'Who sees the address of this user (level 430).'),
})

export const exportConsentEventShapes = [
  event('RealmExportConsentEvent', 'realm_export_consent', {
    user_id: integer,
    consented: boolean,
  }),
]
