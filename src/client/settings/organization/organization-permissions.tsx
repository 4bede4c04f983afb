import { RealmSettingGroups } from '#client/settings/setting.tsx'
import { AllowedDomains } from './allowed-domains.tsx'
import { AssistantCounts } from './assistant-counts.tsx'

/** The permissions of the organization. */
export function OrganizationPermissions() {
  return (
    <RealmSettingGroups
      section="organization-permissions"
      below={{ Joining: <AllowedDomains />, 'Groups and bots': <AssistantCounts /> }}
    />
  )
}
