import { NameField, OwnPictureField } from '#client/settings/personal/profile.tsx'

/** The user's name and picture. */
export function You() {
  return (
    <>
      <NameField />
      <OwnPictureField />
    </>
  )
}
