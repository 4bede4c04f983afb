import type { Signal } from '@preact/signals'
import { Users } from 'lucide'
import { useApp } from '#client/app-context.ts'
import { PresenceDot } from '#client/messages/presence.tsx'
import type { Realm } from '#client/state/store.ts'
import { Avatar } from '#client/ui/avatar.tsx'
import { classes, IconButton } from '#client/ui/button.tsx'
import { t } from '#client/ui/t.ts'
import type { PaneName } from '#client/views/view-head.tsx'
import { openSelfMenu } from './open-self-menu.ts'
import { SearchBox } from './parts.ts'

/** The bar above everything: the organization, the search, and oneself. */
export function TopBar({ pane }: { readonly pane: Signal<PaneName> }) {
  const app = useApp()
  const realm = app.store.realm.value
  const self = app.store.users.get(app.store.selfId)
  return (
    <header class="top">
      <div class="row tight top-start">
        <a class="top-realm" href={app.router.href({ kind: 'inbox' })}>
          <RealmMark realm={realm} isNight={false} />
          <RealmMark realm={realm} isNight />
        </a>
      </div>
      <div>
        <SearchBox />
      </div>
      <div class="row tight top-end">
        <span class="top-right-toggle">
          <IconButton
            label={t('People')}
            icon={Users}
            aria-expanded={pane.value === 'right'}
            onClick={() => {
              pane.value = pane.peek() === 'right' ? 'main' : 'right'
            }}
          />
        </span>
        <button
          type="button"
          class="center self-button"
          aria-haspopup="menu"
          aria-label={t('Your menu')}
          title={self?.name}
          onClick={(event) => openSelfMenu(app, event.currentTarget)}
        >
          {self && <Avatar user={self} size={28} />}
          <PresenceDot userId={app.store.selfId} />
        </button>
      </div>
    </header>
  )
}

interface RealmMarkProps {
  readonly realm: Realm
  readonly isNight: boolean
}

/** The organization in light or dark themes: its wide logo, or icon and name. */
function RealmMark({ realm, isNight }: RealmMarkProps) {
  const isOwnNight = isNight && realm.realm_night_logo_source === 'U'
  const hasLogo = isOwnNight || realm.realm_logo_source === 'U'
  return (
    <span class={classes('row', isNight ? 'only-dark' : 'only-light')}>
      {hasLogo ? (
        <img
          class="top-logo"
          src={isOwnNight ? realm.realm_night_logo_url : realm.realm_logo_url}
          alt={realm.realm_name}
        />
      ) : (
        <>
          <img class="top-icon" src={realm.realm_icon_url} alt="" width={24} height={24} />
          <span class="ellipsis">{realm.realm_name}</span>
        </>
      )}
    </span>
  )
}
