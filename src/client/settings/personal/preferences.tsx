import { install, installsByMenu, isInstalled } from '#client/commands/install.ts'
import { UserSettingGroups } from '#client/settings/setting.tsx'
import { Button } from '#client/ui/button.tsx'
import { installOffer } from '#client/ui/install-offer.ts'
import { t } from '#client/ui/t.ts'
import { DensitySetting } from './density.tsx'

/** The preferences of the user. */
export function Preferences() {
  return (
    <>
      <UserSettingGroups section="preferences" below={{ Look: <DensitySetting /> }} />
      <AppOnDevice />
    </>
  )
}

/** Installs the client on this device, if that is possible and not done yet. */
function AppOnDevice() {
  const isOffered = installOffer.value !== undefined
  if (isInstalled() || !(isOffered || installsByMenu())) return null
  return (
    <section class="setting-group">
      <h4>{t('App on this device')}</h4>
      {isOffered ? (
        <>
          <p class="field-help">
            {t(
              'Install Parley on this device? It opens in its own window, also without a network, and other apps can share with it.',
            )}
          </p>
          <Button onClick={() => void install()}>{t('Install')}</Button>
        </>
      ) : (
        <p class="field-help">
          {t('To install Parley here, open the share menu and choose “Add to Home Screen”.')}
        </p>
      )}
    </section>
  )
}
