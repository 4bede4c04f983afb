import type { SettingDeclaration } from '#client/api/wire.ts'
import type { Realm } from '#client/state/store.ts'
import type { Text } from '#translations/translate.ts'

/** How a page offers a setting that the server declares. Texts are English, for `t()`. */
export interface SettingOffer {
  /** The section that shows it, by its id. */
  readonly section: string
  /** The heading in the section under which it stands. */
  readonly group: Text
  readonly label: Text
  readonly help?: Text
  /** The names of the values of a choice, by the value as text. */
  readonly options?: Readonly<Record<string, Text>>
  /** The values that can be chosen here, by their names, where this depends on the organization. */
  readonly available?: (realm: Realm) => ReadonlyMap<number, string>
  /** For a number. */
  readonly unit?: Unit
  /** The name of the value that is not a number: null or -1. */
  readonly special?: { readonly value: null | number; readonly label: Text }
  /** The control, if the kind of value leaves a choice, or if the value is a channel. */
  readonly control?: 'radio' | 'long-text' | 'channel' | 'language' | 'slider'
  /** Left out by `OfferedSettings`: the page draws it itself, in a form of its own. */
  readonly isDrawnApart?: boolean
}

/** Why no page offers a setting. */
export interface NotOffered {
  readonly notOffered: string
}

/** The unit of a number, with its size in the wire's units. */
export interface Unit {
  readonly name: Text
  readonly scale: number
}

/** Every setting of a kind, by the server's name: a new one does not compile until it is here. */
export type Offers<N extends string> = Readonly<Record<N, SettingOffer | NotOffered>>

/**
 * The server's declaration of a setting. @throws Error there is none: the server is older than the
 * page
 */
export function declarationOf(
  all: Readonly<Record<string, SettingDeclaration>>,
  name: string,
): SettingDeclaration {
  const found = all[name]
  if (!found) throw new Error(`The server declares no setting ${name}.`)
  return found
}

/** The settings that a section shows, with the headings they stand under, in the table's order. */
export function groupsOf<N extends string>(offers: Offers<N>, section: string): Groups<N> {
  return grouped(offers, (_, offer) => offer.section === section && !offer.isDrawnApart)
}

/** The settings of all sections, with their headings, that a filter takes by their names. */
export function allGroupsOf<N extends string>(
  offers: Offers<N>,
  isWanted: (name: N) => boolean,
): Groups<N> {
  return grouped(offers, isWanted)
}

type Groups<N extends string> = ReadonlyMap<Text, readonly (readonly [N, SettingOffer])[]>

function grouped<N extends string>(
  offers: Offers<N>,
  isWanted: (name: N, offer: SettingOffer) => boolean,
): Groups<N> {
  const groups = new Map<Text, [N, SettingOffer][]>()
  for (const [name, offer] of Object.entries(offers) as [N, SettingOffer | NotOffered][]) {
    if ('notOffered' in offer || !isWanted(name, offer)) continue
    groups.set(offer.group, [...(groups.get(offer.group) ?? []), [name, offer]])
  }
  return groups
}

/** The offer of a setting. @throws Error no page offers it */
export function offerOf<N extends string>(offers: Offers<N>, name: N): SettingOffer {
  const offer = offers[name]
  if ('notOffered' in offer) throw new Error(`No page offers ${name}: ${offer.notOffered}`)
  return offer
}
