import { OrganizationIcon, OrganizationName } from '#client/settings/organization/identity.tsx'

/** The name and the pictures of the organization. */
export function Organization() {
  return (
    <>
      <OrganizationName />
      <OrganizationIcon />
    </>
  )
}
