import { RealmSettingGroups } from '#client/settings/setting.tsx'

/** How the organization works. */
export function OrganizationSettings() {
  return <RealmSettingGroups section="organization-settings" />
}
