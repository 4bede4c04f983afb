import { UserSettingGroups } from '#client/settings/setting.tsx'

/** How the client looks and behaves for its user. */
export function Preferences() {
  return <UserSettingGroups section="preferences" />
}
