import { RealmSettingGroups } from '#client/settings/setting.tsx'

/** Who may do what in the organization. */
export function OrganizationPermissions() {
  return <RealmSettingGroups section="organization-permissions" />
}
