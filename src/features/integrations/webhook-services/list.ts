import type { Integration } from './declaration.ts'
import { airbyte } from './services/airbyte.ts'
import { alertmanager } from './services/alertmanager.ts'
import { ansibletower } from './services/ansibletower.ts'
import { azuredevops } from './services/azuredevops.ts'
import { basecamp } from './services/basecamp.ts'
import { betterstack } from './services/betterstack.ts'
import { bitbucket2 } from './services/bitbucket2.ts'
import { bitbucket3 } from './services/bitbucket3.ts'
import { buildbot } from './services/buildbot.ts'
import { canarytoken } from './services/canarytoken.ts'
import { circleci } from './services/circleci.ts'
import { clubhouse } from './services/clubhouse.ts'
import { discordIncoming } from './services/discord_incoming.ts'
import { dockerhub } from './services/dockerhub.ts'
import { forgejo } from './services/forgejo.ts'
import { freshdesk } from './services/freshdesk.ts'
import { gitea } from './services/gitea.ts'
import { github } from './services/github.ts'
import { gitlab } from './services/gitlab.ts'
import { gogs } from './services/gogs.ts'
import { grafana } from './services/grafana.ts'
import { harbor } from './services/harbor.ts'
import { healthchecks } from './services/healthchecks.ts'
import { homeassistant } from './services/homeassistant.ts'
import { ifttt } from './services/ifttt.ts'
import { intercom } from './services/intercom.ts'
import { jira } from './services/jira.ts'
import { json } from './services/json.ts'
import { komodo } from './services/komodo.ts'
import { lidarr } from './services/lidarr.ts'
import { linear } from './services/linear.ts'
import { netlify } from './services/netlify.ts'
import { newrelic } from './services/newrelic.ts'
import { notion } from './services/notion.ts'
import { ntfy } from './services/ntfy.ts'
import { opencollective } from './services/opencollective.ts'
import { openproject } from './services/openproject.ts'
import { opsgenie } from './services/opsgenie.ts'
import { overseerr } from './services/overseerr.ts'
import { pagerduty } from './services/pagerduty.ts'
import { papertrail } from './services/papertrail.ts'
import { patreon } from './services/patreon.ts'
import { pingdom } from './services/pingdom.ts'
import { prowlarr } from './services/prowlarr.ts'
import { proxmox } from './services/proxmox.ts'
import { radarr } from './services/radarr.ts'
import { redmine } from './services/redmine.ts'
import { rollbar } from './services/rollbar.ts'
import { rundeck } from './services/rundeck.ts'
import { semaphore } from './services/semaphore.ts'
import { sentry } from './services/sentry.ts'
import { slackIncoming } from './services/slack_incoming.ts'
import { sonarqube } from './services/sonarqube.ts'
import { sonarr } from './services/sonarr.ts'
import { statuspage } from './services/statuspage.ts'
import { stripe } from './services/stripe.ts'
import { taiga } from './services/taiga.ts'
import { teamcity } from './services/teamcity.ts'
import { travis } from './services/travis.ts'
import { trello } from './services/trello.ts'
import { updown } from './services/updown.ts'
import { uptimekuma } from './services/uptimekuma.ts'
import { uptimerobot } from './services/uptimerobot.ts'
import { wekan } from './services/wekan.ts'
import { wordpress } from './services/wordpress.ts'
import { zabbix } from './services/zabbix.ts'
import { zapier } from './services/zapier.ts'
import { zendesk } from './services/zendesk.ts'

/** The services whose webhooks this server accepts, by name. */
export const integrations: readonly Integration[] = [
  airbyte,
  alertmanager,
  ansibletower,
  azuredevops,
  basecamp,
  betterstack,
  bitbucket2,
  bitbucket3,
  buildbot,
  canarytoken,
  circleci,
  clubhouse,
  discordIncoming,
  dockerhub,
  forgejo,
  freshdesk,
  gitea,
  github,
  gitlab,
  gogs,
  grafana,
  harbor,
  healthchecks,
  homeassistant,
  ifttt,
  intercom,
  jira,
  json,
  komodo,
  lidarr,
  linear,
  netlify,
  newrelic,
  notion,
  ntfy,
  opencollective,
  openproject,
  opsgenie,
  overseerr,
  pagerduty,
  papertrail,
  patreon,
  pingdom,
  prowlarr,
  proxmox,
  radarr,
  redmine,
  rollbar,
  rundeck,
  semaphore,
  sentry,
  slackIncoming,
  sonarqube,
  sonarr,
  statuspage,
  stripe,
  taiga,
  teamcity,
  travis,
  trello,
  updown,
  uptimekuma,
  uptimerobot,
  wekan,
  wordpress,
  zabbix,
  zapier,
  zendesk,
]

const byName = new Map(integrations.map((service) => [service.name, service]))

export function findIntegration(name: string): Integration | undefined {
  return byName.get(name)
}

/** The options of an integration's bots, as `config_data` sets them. */
export function configOptions({ signature }: Integration): readonly ConfigOption[] {
  if (!signature) return []
  return [{ key: 'webhook_secret', label: signature.label, validator: 'check_string' }]
}

interface ConfigOption {
  readonly key: 'webhook_secret'
  readonly label: string
  readonly validator: 'check_string'
}
