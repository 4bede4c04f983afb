/** An option of an integration, set when its bot is created or edited. */
interface ConfigOption {
  readonly key: string
  readonly label: string
  readonly validator: 'check_string'
}

/** A service whose webhooks this server accepts under `/external/<name>`. */
export interface Integration {
  readonly name: string
  readonly displayName: string
  /** The types that `only_events` and `exclude_events` filter; null if the service has none. */
  readonly eventTypes: readonly string[] | null
  /** The options of the integration's bots. */
  readonly configOptions: readonly ConfigOption[]
  /** Further query parameters of the webhook URL. */
  readonly urlOptions: readonly ConfigOption[]
}

const branches: ConfigOption = {
  key: 'branches',
  label: 'Only these branches (separated by commas; * stands for any text)',
  validator: 'check_string',
}

const githubEvents = `check_run commit_comment create delete fork issue_comment issues ping
  pull_request pull_request_review pull_request_review_comment push release star workflow_run`

const gitlabEvents = `Confidential Issue Hook,Confidential Note Hook,Issue Hook,Job Hook,
  Merge Request Hook,Note Hook,Pipeline Hook,Push Hook,Release Hook,Tag Push Hook,Wiki Page Hook`

export const integrations = {
  github: {
    name: 'github',
    displayName: 'GitHub',
    eventTypes: githubEvents.split(/\s+/),
    configOptions: [
      {
        key: 'webhook_secret',
        label: 'Secret with which GitHub signs its requests',
        validator: 'check_string',
      },
    ],
    urlOptions: [branches],
  },
  gitlab: {
    name: 'gitlab',
    displayName: 'GitLab',
    eventTypes: gitlabEvents.split(/,\s*/),
    configOptions: [
      {
        key: 'webhook_secret',
        label: 'Secret token that GitLab sends with its requests',
        validator: 'check_string',
      },
    ],
    urlOptions: [branches],
  },
  json: {
    name: 'json',
    displayName: 'JSON formatter',
    eventTypes: null,
    configOptions: [],
    urlOptions: [],
  },
  slack_incoming: {
    name: 'slack_incoming',
    displayName: 'Slack-compatible webhook',
    eventTypes: null,
    configOptions: [],
    urlOptions: [],
  },
} as const satisfies Record<string, Integration>

export const integrationList: readonly Integration[] = Object.values(integrations)

export function findIntegration(name: string): Integration | undefined {
  return integrationList.find((integration) => integration.name === name)
}
