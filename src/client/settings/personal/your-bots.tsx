import { Download, Pencil, Plus, UserX, Webhook } from 'lucide'
import type { Bot } from '#client/api/wire.ts'
import type { App } from '#client/app.ts'
import { useApp } from '#client/app-context.ts'
import { attempt } from '#client/commands/attempt.ts'
import { incomingWebhook, linkOfBot } from '#client/settings/integrations/addresses.ts'
import { mayCreateWebhooks } from '#client/settings/people/rights.ts'
import { AskingButton } from '#client/settings/ui/asking-button.tsx'
import { type Column, DataTable } from '#client/settings/ui/data-table.tsx'
import { byName } from '#client/state/names.ts'
import { Button, IconButton } from '#client/ui/button.tsx'
import { Icon } from '#client/ui/icon.tsx'
import { t } from '#client/ui/t.ts'
import { botTypeText, openBotDialog } from './bot-dialog.tsx'
import { download, zuliprc } from './download.ts'

/** Bots that belong to the user. */
export function YourBots() {
  const app = useApp()
  const { store, router } = app
  const bots = store.realm.value.realm_bots.filter(
    ({ owner_id, is_active }) => owner_id === store.selfId && is_active,
  )
  return (
    <>
      <p class="field-help">
        {t(
          'Bots are accounts for programs. A zuliprc file has what a program needs to log in as a bot.',
        )}
      </p>
      <DataTable
        label={t('Your bots')}
        rows={bots}
        columns={columnsFor(app)}
        keyOf={({ user_id }) => user_id}
        words={({ full_name, email }) => [full_name, email]}
        sortedBy="name"
        empty={t('You have no bots.')}
        tools={
          <>
            <a
              class="button button-plain"
              href={router.href({ kind: 'settings', area: 'personal', path: ['integrations'] })}
            >
              <Icon node={Webhook} size={16} />
              {t('Integrations')}
            </a>
            {mayCreateWebhooks(store) ? (
              <Button kind="primary" icon={Plus} onClick={() => openBotDialog(undefined)}>
                {t('New bot')}
              </Button>
            ) : (
              <p class="field-help">{t('You are not allowed to create bots here.')}</p>
            )}
          </>
        }
      />
    </>
  )
}

function columnsFor(app: App): readonly Column<Bot>[] {
  return [
    {
      id: 'name',
      title: t('Name'),
      compare: (a, b) => byName(a.full_name, b.full_name),
      cell: ({ user_id, full_name }) => (
        <a href={app.router.href({ kind: 'user', userId: user_id })}>{full_name}</a>
      ),
    },
    { id: 'type', title: t('Kind'), isWide: true, cell: (bot) => botTypeText(bot.bot_type) },
    { id: 'email', title: t('Address'), isWide: true, cell: ({ email }) => email },
    {
      id: 'actions',
      title: t('Actions'),
      hasHiddenTitle: true,
      isNarrow: true,
      cell: (bot) => <BotActions bot={bot} />,
    },
  ]
}

function BotActions({ bot }: { readonly bot: Bot }) {
  const app = useApp()
  const { full_name: name } = bot
  return (
    <span class="row-actions">
      {bot.bot_type === incomingWebhook && (
        <a
          class="icon-button"
          href={app.router.href(linkOfBot(bot))}
          title={t('Webhook URL of {name}', { name })}
          aria-label={t('Webhook URL of {name}', { name })}
        >
          <Icon node={Webhook} size={16} />
        </a>
      )}
      <IconButton
        label={t('Download the zuliprc of {name}', { name })}
        icon={Download}
        size={16}
        onClick={() => download('zuliprc', zuliprc(bot.email, bot.api_key))}
      />
      <IconButton
        label={t('Edit {name}', { name })}
        icon={Pencil}
        size={16}
        onClick={() => openBotDialog(bot)}
      />
      <AskingButton
        label={t('Deactivate {name}', { name })}
        icon={UserX}
        title={t('Deactivate the bot?')}
        text={t('{name} stops working at once. Its messages stay.', { name })}
        action={t('Deactivate')}
        run={() => attempt(app, app.api.delete(`/bots/${bot.user_id}`))}
      />
    </span>
  )
}
