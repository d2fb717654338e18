/** The credential with which something was made that ends with it: a session of a user, or an API key. */
import type { Context } from '../core/context.ts'
import { ServiceError } from '../core/errors.ts'
import type { InstallationData } from '../database/data.ts'
import { findLiveApiKey } from './api-key/live.ts'
import { findLiveSession } from './session/live.ts'

export interface Maker {
  kind: 'session' | 'apiKey'
  /** The id of the session, or of the key. */
  id: string
}

export interface LiveMaker {
  /** Milliseconds of Unix time; infinite for a credential without an expiry. */
  expiresAtMs: number
  /** The announcement that the credential was ended. */
  endedBy: string
  /** As the owner of what is made with it. */
  owner: string
}

/** @throws ServiceError `forbidden` for an actor that is neither a user nor an API key */
export function makerOf({ actor }: Context): Maker {
  if (actor?.credential.kind === 'session') return { kind: 'session', id: actor.credential.sessionId }
  if (actor?.credential.kind === 'apiKey') return { kind: 'apiKey', id: actor.credential.keyId }
  throw new ServiceError('forbidden', 'This requires a signed-in user or an API key.')
}

/** @returns `null` for one that was ended */
export function findLiveMaker(catalogue: InstallationData, { kind, id }: Maker): Promise<LiveMaker | null> {
  return kind === 'session' ? findLiveSession(catalogue, id) : findLiveApiKey(catalogue, id)
}
