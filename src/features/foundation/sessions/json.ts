import { deviceName } from './device-names.ts'
import { type KnownSession, sessionSeconds } from './queries.ts'

export function sessionJson(session: KnownSession, currentId: string | undefined) {
  const { tokenHash, createdAt, expiresAt, device } = session
  return {
    id: tokenHash,
    created: createdAt === 0 ? null : createdAt,
    last_used: expiresAt - sessionSeconds,
    device,
    device_name: deviceName(device),
    is_current: tokenHash === currentId,
  }
}
