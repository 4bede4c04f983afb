import * as v from 'valibot'
import { jsonRows } from '#features/organization/imports/reading/json-rows.ts'
import type { Reading } from '#features/organization/imports/source.ts'
import { badRequest } from '#platform/errors.ts'
import { sentence } from '#translations/translate.ts'
import { realmFile } from './tables.ts'

export const versionFile = 'migration_status.json'

/** The releases whose exports are known. */
const known = { oldest: 10, wellKnown: 12, newest: 13 } as const

/**
 * Checks that the export is of a release of Zulip whose tables are known.
 *
 * @throws BAD_REQUEST
 */
export async function requireKnownVersion(reading: Reading): Promise<void> {
  const { archive, notes } = reading
  if (!archive.has(versionFile)) {
    await requireRoles(reading)
    notes.changed('other', 'older-version')
    return
  }
  let version = ''
  const rows = jsonRows(archive.read(versionFile), {
    wanted: (list) => list === 'zulip_version',
    bad: () => {},
  })
  for await (const { value } of rows) if (v.is(v.string(), value)) version = value
  const major = Number(/^(\d+)\./.exec(version)?.[1] ?? Number.NaN)
  const shown = JSON.stringify(version.slice(0, 40))
  if (Number.isNaN(major)) {
    throw badRequest(
      sentence('The export does not say which version of Zulip it comes from: {version}.', {
        version: shown,
      }),
    )
  }
  if (major < known.oldest) {
    throw badRequest(
      sentence(
        'The export comes from Zulip {version}. Upgrade Zulip to {oldest} or later first, and export again.',
        { version: shown, oldest: `${known.oldest}.0` },
      ),
    )
  }
  if (major > known.newest) {
    throw badRequest(
      sentence(
        'The export comes from Zulip {version}, which is newer than what this version of Parley can read.',
        { version: shown },
      ),
    )
  }
  if (major > known.wellKnown) notes.changed('other', 'newer-version', version)
}

/** Releases without the file differ in few tables, unless people have no roles there yet. */
async function requireRoles({ archive }: Reading): Promise<void> {
  let people = 0
  const rows = jsonRows(archive.read(realmFile), {
    wanted: (list) => list === 'zerver_userprofile',
    bad: () => {},
  })
  for await (const { value } of rows) {
    if (v.is(v.looseObject({ role: v.number() }), value)) return
    people += 1
  }
  if (people === 0) return
  throw badRequest(
    sentence(
      'The export comes from a version of Zulip that is too old. Upgrade Zulip to {oldest} or later first, and export again.',
      { oldest: `${known.oldest}.0` },
    ),
  )
}
