import { useApp } from '#client/app-context.ts'
import { useSave } from '#client/commands/use-save.ts'
import { anyGroup } from '#client/settings/directory/any-group.ts'
import { NewForm } from '#client/settings/directory/new-form.tsx'
import { ChoicePicker } from '#client/settings/ui/choice-picker.tsx'
import { useDraft } from '#client/settings/ui/draft.ts'
import type { GroupChoice } from '#client/settings/ui/group-value.ts'
import { t } from '#client/ui/t.ts'
import { longestDescription, longestName } from './limits.ts'

interface Typed {
  readonly name: string
  readonly description: string
  readonly members: GroupChoice
}

/** The form that creates a group. What is typed outlives it. */
export function NewGroup() {
  const app = useApp()
  const { store, router, api } = app
  const draft = useDraft<Typed>('new group')
  const typed: Typed = draft.value?.typed ?? {
    name: '',
    description: '',
    members: { members: [store.selfId], subgroups: [] },
  }
  const saving = useSave(undefined, async () => {
    const { group_id } = await api.post<{ group_id: number }>('/user_groups/create', {
      name: typed.name.trim(),
      description: typed.description.trim(),
      members: typed.members.members,
      subgroups: typed.members.subgroups,
    })
    draft.value = undefined
    app.notify(t('The group was created.'))
    router.go({ kind: 'group', groupId: group_id, section: 'general' }, { replace: true })
  })
  const set = (change: Partial<Typed>) => {
    saving.clear()
    draft.value = { typed: { ...typed, ...change }, base: '' }
  }

  return (
    <NewForm
      action={t('Create group')}
      saving={saving}
      typed={typed}
      longest={{ name: longestName, description: longestDescription }}
      onInput={set}
    >
      <fieldset class="field">
        <legend class="field-label">{t('Members')}</legend>
        <ChoicePicker
          label={t('Members')}
          choice={typed.members}
          rule={anyGroup}
          nobody={t('No one selected yet')}
          onChange={(members) => set({ members })}
        />
      </fieldset>
      <p class="field-help">{t('You can set permissions once it is created.')}</p>
    </NewForm>
  )
}
