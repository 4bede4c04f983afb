import { removeUnclaimed } from '#attachments/jobs.ts'
import { makeExports } from '#exports/jobs.ts'
import { sweepFiles } from '#files/jobs.ts'
import { promoteMembers } from '#groups/full-members.ts'
import { sendMail } from '#mail/jobs.ts'
import { registerPhones } from '#push/jobs.ts'
import { deleteRealm } from '#realm/deactivation.ts'
import { remindPeople } from '#reminders/jobs.ts'
import { deleteOldMessages } from '#retention/jobs.ts'
import { sendScheduledMessages } from '#scheduled-messages/jobs.ts'
import { makeThumbnails } from '#thumbnails/jobs.ts'
import { endResumableUploads } from '#uploads/resumable/jobs.ts'
import { deliverToWebhooks } from '#webhooks/deliveries/jobs.ts'
import type { Job } from './jobs.ts'

/** Everything that the server does by itself. */
export const allJobs: readonly Job[] = [
  sendScheduledMessages,
  remindPeople,
  deleteOldMessages,
  deleteRealm,
  sendMail,
  registerPhones,
  promoteMembers,
  makeExports,
  makeThumbnails,
  sweepFiles,
  removeUnclaimed,
  endResumableUploads,
  deliverToWebhooks,
]
