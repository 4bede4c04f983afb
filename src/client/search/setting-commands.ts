import type { App } from '#client/app.ts'
import { settingsOf } from '#client/settings/search.ts'
import { sections } from '#client/settings/sections.ts'
import { t } from '#client/ui/t.ts'
import type { Command } from './app-commands.ts'

/** Every page of the settings, and every setting by the page that has it. */
export function settingCommands(app: App): readonly Command[] {
  const shown = sections.filter(({ isShown }) => isShown?.(app) ?? true)
  return shown.flatMap((section) => {
    const { id, area, icon, title, words = '' } = section
    const to = { kind: 'settings', area, path: [id] } as const
    const areaName = area === 'personal' ? t('Settings') : t('Organization settings')
    const page: Command = {
      key: `settings:${area}:${id}`,
      names: [t(title), ...words.split(' ').filter(Boolean)],
      detail: areaName,
      icon,
      to,
    }
    const each = settingsOf(section).map(
      ({ name, label }): Command => ({
        key: `setting:${area}:${name}`,
        names: [label],
        detail: `${areaName} › ${t(title)}`,
        icon,
        to,
      }),
    )
    return [page, ...each]
  })
}
