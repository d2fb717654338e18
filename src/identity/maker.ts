/**
 * The maker of something is the credential with which it was made, and with which it ends: a session of a user, or an
 * API key. Portal sessions, for example, have a maker.
 */
import { Type } from 'typebox'
import type { Context } from '../core/context.ts'
import { refusal } from '../core/errors.ts'
import { Nullable, Timestamp } from '../core/schema/schema.ts'
import type { InstallationData } from '../database/data.ts'
import { comparing, having } from '../database/read/conditions.ts'
import type { Filter } from '../database/read/filter.ts'
import { type ReadModel, readModel } from '../database/read/read-model.ts'
import type { TenantTables } from '../database/tenant-tables.ts'
import { findLiveApiKey } from './api-key/live.ts'
import { apiKeys } from './api-key/readable.ts'
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
  /** The owner of what is made with it, as rows store it. */
  owner: string
}

/** @throws ServiceError `forbidden` for an actor that is neither a user nor an API key */
export function makerOf({ actor }: Context): Maker {
  if (actor?.credential.kind === 'session') return { kind: 'session', id: actor.credential.sessionId }
  if (actor?.credential.kind === 'apiKey') return { kind: 'apiKey', id: actor.credential.keyId }
  throw refusal('callerRequired')
}

/** @returns `null` for a maker that was ended or revoked */
export function findLiveMaker(catalogue: InstallationData, { kind, id }: Maker): Promise<LiveMaker | null> {
  return kind === 'session' ? findLiveSession(catalogue, id) : findLiveApiKey(catalogue, id)
}

const Session = Type.Object({ revokedAt: Nullable(Timestamp) }, { $id: 'MakingSession' })
const sessions = readModel(Session, { table: 'session' as keyof TenantTables }) // read in the catalogue

/**
 * A condition on rows with the column `maker_id`: their session or API key was not
 * ended, and the key has not expired.
 */
export function madeByLive(moment: string): Filter {
  const ofSession = madeBy('session', sessions, not(having(sessions, 'revokedAt')))
  const { model } = apiKeys
  const isUnlimited = not(having(model, 'expiresAt'))
  const ofKey = madeBy('apiKey', model, {
    kind: 'or',
    parts: [isUnlimited, comparing(model, 'expiresAt', 'gt', moment)],
  })
  return { kind: 'or', parts: [ofSession, ofKey] }
}

function not(part: Filter): Filter {
  return { kind: 'not', part }
}

function madeBy(name: Maker['kind'], entity: ReadModel, filter: Filter): Filter {
  const relation = { name, kind: 'one', entity, on: { id: 'maker_id' }, description: null } as const
  return { kind: 'related', relation, quantifier: 'some', filter }
}
