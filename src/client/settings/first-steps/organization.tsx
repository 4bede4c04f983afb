import { OrganizationIcon, OrganizationName } from '#client/settings/organization/identity.tsx'

/** What the organization is called and looks like. */
export function Organization() {
  return (
    <>
      <OrganizationName />
      <OrganizationIcon />
    </>
  )
}
