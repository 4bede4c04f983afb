import { useApp } from '#client/app-context.ts'
import { FormText } from '#client/commands/form-fields.tsx'
import { t } from '#client/ui/t.ts'

interface ShortNameFieldProps {
  readonly value: string
  readonly onInput: (value: string) => void
}

/** The short name of a new bot, with the address that it makes. */
export function ShortNameField(props: ShortNameFieldProps) {
  const { store } = useApp()
  return (
    <FormText
      label={t('Short name, used in its email address')}
      help={t('{name}-bot@{host}', {
        name: props.value.trim() || '…',
        host: store.realm.value.realm_bot_domain,
      })}
      parameter="short_name"
      maxLength={100}
      pattern="[A-Za-z0-9_\-.]+"
      isRequired
      {...props}
    />
  )
}
