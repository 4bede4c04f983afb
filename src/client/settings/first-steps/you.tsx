import { useApp } from '#client/app-context.ts'
import { NameField, OwnPictureField } from '#client/settings/personal/profile.tsx'
import { ChoiceField } from '#client/settings/ui/choice-field.tsx'
import { t } from '#client/ui/t.ts'

/** The user's name and picture, and the key with which they send. */
export function You() {
  const app = useApp()
  return (
    <>
      <NameField />
      <OwnPictureField />
      {!matchMedia('(pointer: coarse)').matches && (
        <ChoiceField
          name="enter_sends"
          label={t('Send messages with')}
          isRadio
          choices={[
            { value: true, label: t('Enter') },
            { value: false, label: t('Ctrl+Enter') },
          ]}
          value={app.store.settings.value.enter_sends}
          onSave={(value) => app.changes.changeSetting('enter_sends', value)}
        />
      )}
    </>
  )
}
