import type { ComponentChildren } from 'preact'
import { useApp } from '#client/app-context.ts'
import { FormText } from '#client/commands/form-fields.tsx'
import { Refusable } from '#client/commands/refusal.tsx'
import { type Saving, useSave } from '#client/commands/use-save.ts'
import type { Overlay } from '#client/narrow/narrow.ts'
import { type FormDraft, useFormDraft } from '#client/settings/ui/form-draft.ts'
import { Button } from '#client/ui/button.tsx'
import { t } from '#client/ui/t.ts'

interface Named {
  readonly name: string
  readonly description: string
}

/** What creates the object of a form. */
interface Creation<V> {
  /**
   * @returns where to go then
   * @throws CallError
   */
  readonly create: (values: V) => Promise<Overlay>
  /** The notice that it was created. */
  readonly done: string
}

/**
 * The values of the form of a new channel or group, which outlive it until that is created.
 *
 * @param key names the form
 * @param initial its values before anything is typed
 */
export function useNewForm<V extends object>(key: string, initial: V, creation: Creation<V>) {
  const app = useApp()
  const draft = useFormDraft(key, initial, () => saving.clear())
  const saving = useSave(undefined, async () => {
    const created = await creation.create(draft.values)
    draft.clear()
    app.notify(creation.done)
    app.router.go(created, { replace: true })
  })
  return { draft, saving }
}

interface NewFormProps {
  /** The name of the button. */
  readonly action: string
  readonly saving: Saving<undefined>
  readonly draft: Pick<FormDraft<Named>, 'values' | 'text'>
  /** The most characters of each. */
  readonly longest: { readonly [field in keyof Named]: number }
  /** Whether anything but the name is not right yet. */
  readonly isInvalid?: boolean
  /** The fields after the name and the description. */
  readonly children: ComponentChildren
}

/** The form of a new channel or group. */
export function NewForm(props: NewFormProps) {
  const { action, saving, draft, longest, isInvalid = false } = props
  const { status } = saving
  return (
    <form
      class="form setting-group"
      onSubmit={(event) => {
        event.preventDefault()
        void saving.save(undefined)
      }}
    >
      <Refusable status={status}>
        <FormText
          label={t('Name')}
          parameter="name"
          maxLength={longest.name}
          isRequired
          {...draft.text('name')}
        />
        <FormText
          label={t('Description')}
          parameter="description"
          maxLength={longest.description}
          isLong
          {...draft.text('description')}
        />
        {props.children}
      </Refusable>
      <div class="row cluster new-form-foot">
        <Button
          type="submit"
          kind="primary"
          isBusy={status.kind === 'saving'}
          disabled={isInvalid || draft.values.name.trim() === ''}
        >
          {action}
        </Button>
      </div>
    </form>
  )
}
