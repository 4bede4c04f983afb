import type { CallParams } from '#client/api/api.ts'
import type { App } from '#client/app.ts'
import { useApp } from '#client/app-context.ts'
import { attempt } from '#client/commands/attempt.ts'
import { openConfirm } from '#client/commands/confirm-dialog.tsx'
import { useBusy } from '#client/commands/use-busy.ts'
import { Created, Facts } from '#client/settings/directory/facts.tsx'
import { LockNote } from '#client/settings/ui/field-frame.tsx'
import { peopleOf } from '#client/settings/ui/group-value.ts'
import { TextField } from '#client/settings/ui/text-field.tsx'
import type { Group } from '#client/state/model.ts'
import { Button } from '#client/ui/button.tsx'
import { t } from '#client/ui/t.ts'
import { draftKeyOf, type GroupPageProps } from './group-page.ts'
import { longestDescription, longestName } from './limits.ts'
import { canJoin, canLeave, groupLock } from './rights.ts'
import { UsedIn } from './used-in.tsx'
import { isUsed, usesOf } from './uses.ts'

/** The name and description of a group, and its uses. */
export function GroupGeneral({ group }: GroupPageProps) {
  const app = useApp()
  const { store } = app
  const locked = groupLock(store, group)
  const uses = usesOf(group.id, store)
  const draftKey = draftKeyOf(group)
  return (
    <>
      <section class="setting-group">
        {!group.isDeactivated && <JoinButton group={group} />}
        <TextField
          name="name"
          draftKey={`${draftKey} name`}
          label={t('Name')}
          locked={locked}
          isRequired
          maxLength={longestName}
          value={group.name}
          onSave={(name) => edit(app, group, { name })}
        />
        <TextField
          name="description"
          draftKey={`${draftKey} description`}
          label={t('Description')}
          locked={locked}
          isLong
          maxLength={longestDescription}
          value={group.description}
          onSave={(description) => edit(app, group, { description })}
        />
        <Facts
          facts={[
            [t('Created'), <Created at={group.dateCreated} by={group.creatorId} />],
            [t('People'), peopleOf({ members: [], subgroups: [group.id] }, store).length],
          ]}
        />
      </section>
      <section class="setting-group">
        <h4>{t('Used in')}</h4>
        <UsedIn uses={uses} />
      </section>
      <Deactivation group={group} locked={locked} isInUse={isUsed(uses)} />
    </>
  )
}

function edit({ api }: App, { id }: Group, changes: CallParams): Promise<unknown> {
  return api.patch(`/user_groups/${id}`, changes)
}

/** Joins or leaves a group, where the user may. */
function JoinButton({ group }: GroupPageProps) {
  const app = useApp()
  const { store, api } = app
  const [isBusy, busily] = useBusy()
  const isMember = group.memberIds.has(store.selfId)
  if (isMember ? !canLeave(store, group) : !canJoin(store, group)) return null
  const change = () => {
    const own = [store.selfId]
    const params = isMember ? { delete: own } : { add: own }
    void busily(attempt(app, api.post(`/user_groups/${group.id}/members`, params)))
  }
  return (
    <div class="row cluster">
      <Button kind={isMember ? 'plain' : 'primary'} isBusy={isBusy} onClick={change}>
        {isMember ? t('Leave the group') : t('Join the group')}
      </Button>
    </div>
  )
}

interface DeactivationProps extends GroupPageProps {
  readonly locked: string | undefined
  readonly isInUse: boolean
}

function Deactivation({ group, locked, isInUse }: DeactivationProps) {
  const app = useApp()
  const deactivate = () =>
    openConfirm({
      title: t('Deactivate {group}?', { group: group.name }),
      text: t('It can no longer be mentioned or selected. You can reactivate it later.'),
      action: t('Deactivate'),
      run: async () => void (await app.api.post(`/user_groups/${group.id}/deactivate`)),
    })
  return (
    <section class="setting-group">
      <h4>{t('Deactivate')}</h4>
      <p class="field-help">
        {group.isDeactivated
          ? t('This group is deactivated. It cannot be mentioned or selected.')
          : isInUse
            ? t('This group is in use. Remove it from everything above first.')
            : t('A deactivated group cannot be mentioned or selected.')}
      </p>
      <LockNote locked={locked} />
      {locked === undefined && (
        <div class="row cluster">
          {group.isDeactivated ? (
            <Button onClick={() => void attempt(app, edit(app, group, { deactivated: false }))}>
              {t('Reactivate the group')}
            </Button>
          ) : (
            <Button kind="danger" disabled={isInUse} onClick={deactivate}>
              {t('Deactivate the group')}
            </Button>
          )}
        </div>
      )}
    </section>
  )
}
