import { signal } from '@preact/signals'
import type { SettingDeclarations } from '#client/api/wire.ts'
import type { App } from '#client/app.ts'

/** The server's declarations of settings, which never change while a page is open. */
const declared = signal<SettingDeclarations | undefined>(undefined)

/** The declarations, once they are loaded. The settings frame draws no section before. */
export function declarations(): SettingDeclarations {
  if (!declared.value) throw new Error('The declarations of the settings are not loaded.')
  return declared.value
}

/** @throws CallError */
export async function loadDeclarations({ api }: App): Promise<void> {
  declared.value ??= await api.get<SettingDeclarations>('/settings/declarations')
}
