import { UserDefaultGroups } from '#client/settings/setting.tsx'
import { t } from '#client/ui/t.ts'

/** The settings with which new people begin. */
export function UserDefaults() {
  return (
    <>
      <p class="field-help">
        {t(
          'People who join from now on begin with these settings, and can change them. Those who are here keep theirs.',
        )}
      </p>
      <UserDefaultGroups />
    </>
  )
}
