import { useApp } from '#client/app-context.ts'
import { anyGroup } from '#client/settings/directory/any-group.ts'
import { NewForm, useNewForm } from '#client/settings/directory/new-form.tsx'
import { FormPicker } from '#client/settings/ui/choice-picker.tsx'
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
  const { store, api } = useApp()
  const initial: Typed = {
    name: '',
    description: '',
    members: { members: [store.selfId], subgroups: [] },
  }
  const { draft, saving } = useNewForm('new group', initial, {
    async create({ name, description, members }) {
      const { group_id } = await api.post<{ group_id: number }>('/user_groups/create', {
        name: name.trim(),
        description: description.trim(),
        ...members,
      })
      return { kind: 'group', groupId: group_id, section: 'general' }
    },
    done: t('The group was created.'),
  })

  return (
    <NewForm
      action={t('Create group')}
      saving={saving}
      draft={draft}
      longest={{ name: longestName, description: longestDescription }}
    >
      <FormPicker
        label={t('Members')}
        choice={draft.values.members}
        rule={anyGroup}
        nobody={t('No one selected yet')}
        onChange={draft.set('members')}
      />
      <p class="field-help">{t('You can set permissions once it is created.')}</p>
    </NewForm>
  )
}
