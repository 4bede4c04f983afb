import { useSignal } from '@preact/signals'
import { Globe, LogIn } from 'lucide'
import { useEffect, useMemo } from 'preact/hooks'
import type { Api } from '#client/api/api.ts'
import { hashOf } from '#client/narrow/hash.ts'
import type { Channel } from '#client/state/model.ts'
import { Icon, pointing } from '#client/ui/icon.tsx'
import { t } from '#client/ui/t.ts'
import { MessagesPane } from './messages-pane.tsx'
import type { Organization } from './organization.ts'
import { type OpenNarrow, type SpectatorView, spectatorViewOf } from './spectator-view.ts'

const enterIcon = pointing(LogIn)

interface SpectatorPageProps {
  readonly api: Api
  readonly organization: Organization
}

/** The public channels, for someone without an account: a list of them, and messages to read. */
export function SpectatorPage({ api, organization }: SpectatorPageProps) {
  const { name, iconUrl, lookups } = organization
  const view = useSpectatorView(organization)
  const title = titleOf(view, organization)
  useEffect(() => {
    document.title = title === name ? name : `${title} - ${name}`
  }, [title, name])
  return (
    <div class="shell spectator">
      <header class="top">
        <a class="row tight top-start top-realm" href={allHash}>
          <img class="top-icon" src={iconUrl} alt="" width={24} height={24} />
          <span class="ellipsis">{name}</span>
        </a>
        <span class="row tight top-end">
          <LogInLink />
        </span>
      </header>
      <nav class="left" aria-label={t('Channels')}>
        <ChannelList api={api} organization={organization} view={view} />
      </nav>
      <main class="main">
        <div class="row head">
          <Icon node={Globe} size={18} class="head-icon" />
          <h1 class="head-title ellipsis">{title}</h1>
          <span class="head-about ellipsis">{channelOf(view, organization)?.description}</span>
        </div>
        {view.kind === 'open' ? (
          <MessagesPane
            key={`${hashOf(viewOf(view.narrow), lookups)} ${view.near ?? ''}`}
            api={api}
            organization={organization}
            narrow={view.narrow}
            near={view.near}
          />
        ) : (
          <div class="start-screen">
            <p>{t('To read this, you need an account.')}</p>
          </div>
        )}
        <footer class="row cluster loose spectator-foot">
          <span>{t('You are reading without an account.')}</span>
          <LogInLink />
        </footer>
      </main>
    </div>
  )
}

/** Leads back to the current view after the log-in. */
function LogInLink() {
  const go = (event: MouseEvent & { readonly currentTarget: HTMLAnchorElement }) => {
    event.currentTarget.href = `/login/${location.hash}`
  }
  return (
    <a class="button button-primary" href="/login/" onClick={go}>
      <Icon node={enterIcon} size={16} />
      {t('Log in')}
    </a>
  )
}

function useSpectatorView({ lookups }: Organization): SpectatorView {
  const hash = useSignal(location.hash)
  useEffect(() => {
    const follow = () => {
      hash.value = location.hash
    }
    addEventListener('hashchange', follow)
    return () => removeEventListener('hashchange', follow)
  }, [hash])
  const { value } = hash
  return useMemo(() => spectatorViewOf(value, lookups), [value, lookups])
}

const allHash = '#feed'

const viewOf = (narrow: OpenNarrow) => ({ kind: 'messages', narrow }) as const

function channelOf(view: SpectatorView, { lookups }: Organization): Channel | undefined {
  if (view.kind === 'closed' || view.narrow.kind === 'all') return undefined
  return lookups.channels.peek(view.narrow.channelId)
}

function titleOf(view: SpectatorView, organization: Organization): string {
  if (view.kind === 'closed') return organization.name
  const channel = channelOf(view, organization)
  if (!channel || view.narrow.kind === 'all') return t('Public channels')
  if (view.narrow.kind === 'channel') return channel.name
  return `${channel.name} › ${organization.topicName(view.narrow.topic)}`
}

interface ChannelListProps extends SpectatorPageProps {
  readonly view: SpectatorView
}

function ChannelList({ api, organization, view }: ChannelListProps) {
  const { channels, lookups } = organization
  const open = channelOf(view, organization)
  if (channels.length === 0) return <p class="side-empty">{t('There are no public channels.')}</p>
  const isHere = (kind: OpenNarrow['kind']) =>
    view.kind === 'open' && view.narrow.kind === kind ? 'page' : undefined
  return (
    <div class="side-scroller">
      <ul>
        <li>
          <a class="row side-link" href={allHash} aria-current={isHere('all')}>
            {t('All public channels')}
          </a>
        </li>
        {channels.map((channel) => (
          <li key={channel.id}>
            <a
              class="row side-link"
              href={hashOf(viewOf({ kind: 'channel', channelId: channel.id }), lookups)}
              aria-current={open?.id === channel.id ? isHere('channel') : undefined}
            >
              <Icon node={Globe} size={15} />
              <span class="side-name ellipsis">{channel.name}</span>
            </a>
            {open?.id === channel.id && (
              <TopicList api={api} organization={organization} view={view} channel={channel} />
            )}
          </li>
        ))}
      </ul>
    </div>
  )
}

/** How many topics are shown: the most recently active ones. */
const mostTopics = 50

function TopicList({
  api,
  organization,
  view,
  channel,
}: ChannelListProps & { readonly channel: Channel }) {
  const topics = useSignal<readonly string[]>([])
  useEffect(() => {
    const listening = new AbortController()
    const path = `/users/me/${channel.id}/topics`
    const params = { allow_empty_topic_name: true }
    api
      .get<{ topics: { name: string }[] }>(path, params, { signal: listening.signal })
      .then((reply) => {
        topics.value = reply.topics.slice(0, mostTopics).map(({ name }) => name)
      })
      // The messages beside the list say what is wrong.
      .catch(() => {})
    return () => listening.abort()
  }, [api, channel.id, topics])
  const here = view.kind === 'open' && view.narrow.kind === 'topic' ? view.narrow.topic : undefined
  return (
    <ul class="spectator-topics">
      {topics.value.map((topic) => (
        <li key={topic}>
          <a
            class="row side-link"
            href={hashOf(
              viewOf({ kind: 'topic', channelId: channel.id, topic }),
              organization.lookups,
            )}
            aria-current={topic.toLowerCase() === here?.toLowerCase() ? 'page' : undefined}
          >
            <span class={topic === '' ? 'ellipsis topic-empty' : 'ellipsis'}>
              {organization.topicName(topic)}
            </span>
          </a>
        </li>
      ))}
    </ul>
  )
}
