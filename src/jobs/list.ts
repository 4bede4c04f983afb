import { sweepFiles } from '#files/jobs.ts'
import type { Job } from './jobs.ts'

/** Everything that the server does by itself. */
export const allJobs: readonly Job[] = [sweepFiles]
