import type { App } from '#client/app.ts'
import type { IconNode } from '#client/ui/icon.tsx'
import type { Lazy } from '#client/ui/lazy.tsx'
import type { Text } from '#translations/translate.ts'

export type SettingsArea = 'personal' | 'organization'

export interface SectionProps {
  /** The part of the address after the section, such as `active` of `users/active`. */
  readonly path: readonly string[]
}

/** A page of the settings. */
export interface Section {
  /** Its part of the address. */
  readonly id: string
  readonly area: SettingsArea
  /** English, for `t()`, as the words. */
  readonly title: Text
  readonly icon: IconNode
  /** The page of the help centre about it, such as `people/topics`, or a part of one. */
  readonly help: string
  /** Other words for it, for the search. */
  readonly words?: string
  /** Whether the user sees it; absent: everyone does. */
  readonly isShown?: (app: App) => boolean
  readonly Page: Lazy<SectionProps>
}
