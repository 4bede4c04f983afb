import { UserDefaultGroups } from '#client/settings/setting.tsx'
import { t } from '#client/ui/t.ts'

/** The default settings of new people. */
export function UserDefaults() {
  return (
    <>
      <p class="field-help">
        {t(
          'New users start with these settings and can change them. Existing users are not affected.',
        )}
      </p>
      <UserDefaultGroups />
    </>
  )
}
