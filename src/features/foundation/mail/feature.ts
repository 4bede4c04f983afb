import { feature } from '#platform/feature.ts'
import { sendMail } from './jobs.ts'
import { mailMetrics } from './metrics.ts'
import { addressQuota, mailQuota, noticeQuota } from './quotas.ts'

export const mail = feature({
  jobs: [sendMail],
  metrics: mailMetrics,
  quotas: [addressQuota, mailQuota, noticeQuota],
})
