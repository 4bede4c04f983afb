import { Building2, Gauge, ShieldCheck } from 'lucide'
import type { App } from '#client/app.ts'
import type { IconNode } from '#client/ui/icon.tsx'
import { type Lazy, lazy } from '#client/ui/lazy.tsx'

export type SettingsArea = 'personal' | 'organization'

export interface SectionProps {
  /** What the address says after the section, such as `active` of `users/active`. */
  readonly path: readonly string[]
}

/** A page of the settings. */
export interface Section {
  /** Its part of the address. */
  readonly id: string
  readonly area: SettingsArea
  /** English, for `t()`, as the words. */
  readonly title: string
  readonly icon: IconNode
  /** By what else people may look for it. */
  readonly words?: string
  /** Whether the user gets to see it; everybody does where it is missing. */
  readonly isShown?: (app: App) => boolean
  readonly Page: Lazy<SectionProps>
}

/** Every section, in the order in which they are listed. */
export const sections: readonly Section[] = [
  {
    id: 'preferences',
    area: 'personal',
    title: 'Preferences',
    icon: Gauge,
    Page: lazy(async () => (await import('./personal/preferences.tsx')).Preferences),
  },
  {
    id: 'organization-settings',
    area: 'organization',
    title: 'Settings',
    icon: Building2,
    Page: lazy(
      async () => (await import('./organization/organization-settings.tsx')).OrganizationSettings,
    ),
  },
  {
    id: 'organization-permissions',
    area: 'organization',
    title: 'Permissions',
    icon: ShieldCheck,
    words: 'who can roles',
    Page: lazy(
      async () =>
        (await import('./organization/organization-permissions.tsx')).OrganizationPermissions,
    ),
  },
]
