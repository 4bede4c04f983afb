import { matcher } from '#client/ui/fuzzy.ts'
import { t } from '#client/ui/t.ts'
import { realmPermissionOffers, realmSettingOffers } from './labels/realm.ts'
import { userSettingOffers } from './labels/user.ts'
import type { NotOffered, SettingOffer } from './offers.ts'
import type { Section } from './section.ts'

/** A setting that a search found in a section. */
export interface FoundSetting {
  readonly name: string
  readonly label: string
}

export interface FoundSection {
  readonly section: Section
  /** The settings in it that match; empty where the section itself does. */
  readonly settings: readonly FoundSetting[]
}

type AnyOffers = Readonly<Record<string, SettingOffer | NotOffered>>

/** The sections that match what is typed, by their names or by settings in them. */
export function searchSections(sections: readonly Section[], typed: string): FoundSection[] {
  const isWanted = matcher(typed)
  return sections.flatMap((section) => {
    if (isWanted(t(section.title), section.words ?? '')) return [{ section, settings: [] }]
    const settings = settingsOf(section).filter(({ label }) => isWanted(label))
    return settings.length > 0 ? [{ section, settings }] : []
  })
}

/** A setting of a section, by its label. */
export function settingsOf({ id, area }: Section): FoundSetting[] {
  const tables: readonly AnyOffers[] =
    area === 'personal' ? [userSettingOffers] : [realmSettingOffers, realmPermissionOffers]
  return tables
    .flatMap(Object.entries<SettingOffer | NotOffered>)
    .flatMap(([name, offer]) =>
      'notOffered' in offer || offer.section !== id ? [] : [{ name, label: t(offer.label) }],
    )
}
