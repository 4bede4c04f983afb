import { unsupported } from '#features/integrations/webhook-services/declaration.ts'
import type { Fields } from '#features/integrations/webhook-services/fields.ts'
import { code, inline, link } from '#features/integrations/webhook-services/format.ts'
import { parseRef, wantsBranch } from '#features/integrations/webhook-services/git.ts'
import { chosen } from '#features/integrations/webhook-services/signs.ts'
import { actor, type GithubEvent, type GithubEvents, repo, repoLink } from './payload.ts'

const alertLink = (payload: Fields) =>
  link(`alert #${payload.text('alert.number')}`, payload.maybeText('alert.html_url'))

const dependencyVerbs: Readonly<Record<string, string>> = {
  created: 'found',
  reopened: 'reopened',
  reintroduced: 'found again',
  fixed: 'fixed',
  dismissed: 'dismissed',
  auto_dismissed: 'dismissed',
  auto_reopened: 'reopened',
}

const dependabotAlert: GithubEvent = {
  say(payload) {
    const action = payload.text('action')
    const verb = chosen(dependencyVerbs, action)
    if (verb === undefined) return unsupported(`dependabot_alert:${action}`)
    const advisory = payload.maybeObject('alert.security_advisory')
    const severity = inline(advisory?.someText('severity') ?? 'unknown')
    const summary = inline(advisory?.someText('summary') ?? 'vulnerability')
    const dependency = payload.firstText('alert.dependency.package.name') ?? 'a dependency'
    return {
      topic: `${repo(payload)} / dependabot`,
      content: `Dependabot ${alertLink(payload)} in ${repoLink(payload)} was ${verb}: ${summary} in ${code(dependency)} (severity: ${severity}).`,
    }
  },
}

const codeVerbs: Readonly<Record<string, string>> = {
  appeared_in_branch: 'found in another branch',
  closed_by_user: 'dismissed',
  created: 'found',
  fixed: 'fixed',
  reopened: 'found again',
  reopened_by_user: 'reopened',
}

const codeScanningAlert: GithubEvent = {
  say(payload, delivery) {
    const action = payload.text('action')
    const verb = chosen(codeVerbs, action)
    if (verb === undefined) return unsupported(`code_scanning_alert:${action}`)
    const { kind, name } = parseRef(payload.maybeText('ref') ?? '')
    if (kind === 'branch' && name !== '' && !wantsBranch(delivery, name)) return undefined
    const rule = inline(payload.firstText('alert.rule.description', 'alert.rule.id') ?? 'a rule')
    const severity = inline(
      payload.firstText('alert.rule.security_severity_level', 'alert.rule.severity') ?? 'unknown',
    )
    return {
      topic: `${repo(payload)} / code scanning`,
      content: `Code scanning ${alertLink(payload)} in ${repoLink(payload)} was ${verb}: ${rule} (severity: ${severity}).`,
    }
  },
}

const secretVerbs: Readonly<Record<string, string>> = {
  created: 'found',
  publicly_leaked: 'leaked in public',
  reopened: 'reopened',
  resolved: 'resolved',
  validated: 'checked for validity',
}

/** A secret in the repository. Only its kind is said. */
const secretScanningAlert: GithubEvent = {
  say(payload) {
    const action = payload.text('action')
    const verb = chosen(secretVerbs, action)
    if (verb === undefined) return unsupported(`secret_scanning_alert:${action}`)
    const type = inline(
      payload.firstText('alert.secret_type_display_name', 'alert.secret_type') ?? 'secret',
    )
    return {
      topic: `${repo(payload)} / secret scanning`,
      content: `Secret scanning ${alertLink(payload)} in ${repoLink(payload)} was ${verb}: ${type}.`,
    }
  },
}

const advisory: GithubEvent = {
  say(payload) {
    const action = payload.text('action')
    const verb = chosen({ published: 'published', reported: 'reported' }, action)
    if (verb === undefined) return unsupported(`repository_advisory:${action}`)
    const at = (name: string) => payload.someText(`repository_advisory.${name}`)
    const name = link(payload.text('repository_advisory.ghsa_id'), at('html_url'))
    const summary = inline(at('summary') ?? 'vulnerability')
    const severity = inline(at('severity') ?? 'unknown')
    return {
      topic: `${repo(payload)} / security advisories`,
      content: `${actor(payload)} ${verb} the advisory ${name}: ${summary} (severity: ${severity}).`,
    }
  },
}

/** What GitHub finds out about the security of a repository. */
export const securityEvents: GithubEvents = {
  dependabot_alert: dependabotAlert,
  code_scanning_alert: codeScanningAlert,
  secret_scanning_alert: secretScanningAlert,
  repository_advisory: advisory,
}
