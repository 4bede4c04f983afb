import { feature } from '#platform/feature.ts'
import { sendMail } from './jobs.ts'
import { addressQuota, mailQuota, noticeQuota } from './quotas.ts'

export const mail = feature({
  jobs: [sendMail],
  quotas: [addressQuota, mailQuota, noticeQuota],
})
