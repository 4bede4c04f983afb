import type { Metric } from '#platform/metrics/metric.ts'
import { countWaitingMail } from './queries.ts'

export const mailMetrics: readonly Metric[] = [
  {
    name: 'parley_mail_waiting',
    help: 'Mail in the queue: new, or waiting to be retried after a failure.',
    type: 'gauge',
    labels: ['state'],
    read({ store }) {
      const { all, failed } = countWaitingMail(store)
      return [
        { labels: { state: 'new' }, value: all - failed },
        { labels: { state: 'failed' }, value: failed },
      ]
    },
  },
]
