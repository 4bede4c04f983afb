import { unsupported } from '#features/integrations/webhook-services/declaration.ts'
import { inline, link, quoting } from '#features/integrations/webhook-services/format.ts'
import { chosen, signs } from '#features/integrations/webhook-services/signs.ts'
import { actor, type GithubEvent, type GithubEvents, person } from './payload.ts'

const ping: GithubEvent = {
  say(payload) {
    const topic = payload.firstText('repository.name', 'organization.login') ?? 'GitHub'
    const by = payload.has('sender.login') ? ` by ${actor(payload)}` : ''
    return { topic, content: `The GitHub webhook was set up${by} ${signs.tada}` }
  },
}

const membership: GithubEvent = {
  say(payload) {
    const action = payload.text('action')
    const verb = chosen({ added: 'added', removed: 'removed' }, action)
    if (verb === undefined) return unsupported(`membership:${action}`)
    const way = action === 'added' ? 'to' : 'from'
    const team = inline(payload.text('team.name'))
    return {
      topic: `${payload.text('organization.login')} organization`,
      content: `${actor(payload)} ${verb} ${person(payload, 'member')} ${way} the team ${team}.`,
    }
  },
}

const team: GithubEvent = {
  say(payload) {
    const action = payload.text('action')
    if (action !== 'edited') return unsupported(`team:${action}`)
    const topic = `team ${payload.text('team.name')}`
    const who = actor(payload)
    if (payload.has('changes.description')) {
      const description = payload.maybeText('team.description')
      return { topic, content: quoting(`${who} changed the description of the team`, description) }
    }
    if (payload.has('changes.name')) {
      const [old, now] = [payload.text('changes.name.from'), payload.text('team.name')]
      return { topic, content: `${who} renamed the team from ${inline(old)} to ${inline(now)}.` }
    }
    if (payload.has('changes.privacy')) {
      const privacy = payload.text('team.privacy') === 'secret' ? 'secret' : 'visible'
      return { topic, content: `${who} made the team ${privacy}.` }
    }
    return payload.has('changes.repository')
      ? { topic, content: `${who} changed the team's access to a repository.` }
      : unsupported('team:edited')
  },
}

/** A sponsorship, about which each action is an event of its own for filters. */
const sponsorship: GithubEvent = {
  filters: (payload) => [payload.maybeText('action') ?? 'sponsorship'],
  say(payload) {
    const action = payload.text('action')
    const sponsor = link(
      payload.firstText('sponsorship.sponsor.login', 'sender.login') ?? 'Somebody',
      payload.maybeText('sponsorship.sponsor.html_url'),
    )
    const tier = inline(payload.text('sponsorship.tier.name'))
    const old = inline(
      payload.firstText('changes.tier.from.name', 'changes.tier.from') ?? 'another tier',
    )
    const date = payload.someText('effective_date')
    const from =
      date === undefined ? '' : ` The change takes effect on ${inline(date.slice(0, 10))}.`
    const privacy = inline(payload.maybeText('sponsorship.privacy_level') ?? 'unknown')
    const said: Readonly<Record<string, string>> = {
      created: `${sponsor} became a sponsor (${tier}).`,
      cancelled: `${sponsor} ended the sponsorship (${tier}).`,
      edited: `${sponsor} made the sponsorship ${privacy}.`,
      tier_changed: `${sponsor} changed the sponsorship from ${old} to ${tier}.`,
      pending_cancellation: `${sponsor} is going to end the sponsorship (${tier}).${from}`,
      pending_tier_change: `${sponsor} is going to change the sponsorship from ${old} to ${tier}.${from}`,
    }
    const content = chosen(said, action)
    return content === undefined
      ? unsupported(`sponsorship:${action}`)
      : { topic: 'sponsors', content }
  },
}

/** The events of an organization, and of GitHub itself. */
export const organizationEvents: GithubEvents = { ping, membership, team, sponsorship }
