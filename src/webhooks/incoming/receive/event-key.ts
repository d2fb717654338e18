/** Identifies the event of a message: its id, its type, and the key by which repeated messages are recognized. */
import { hash } from 'node:crypto'
import { type Headers, readHeader } from '../signature/message.ts'
import { type SchemeName, schemeOf } from '../signature/scheme.ts'

export interface EventIdentity {
  /** The provider's own id of the event. */
  id: string | null
  type: string | null
  /** Equal for messages of one event: made of the id, or of the body if there is no id. */
  key: string
}

const maxIdLength = 255
const maxTypeLength = 200

export function identifyEvent(
  scheme: SchemeName,
  { headers, body, payload }: { headers: Headers; body: Uint8Array; payload: unknown },
): EventIdentity {
  const { idHeader, idMember, typeHeader } = schemeOf(scheme)
  const fromHeader = idHeader === null ? null : readHeader({ headers }, idHeader)
  const id = storable(fromHeader ?? (idMember === null ? null : member(payload, idMember)), maxIdLength)
  const type = member(payload, 'type') ?? member(payload, 'event')
  const typeFromHeader = typeHeader === null ? null : readHeader({ headers }, typeHeader)
  return {
    id,
    type: storable(type ?? typeFromHeader, maxTypeLength),
    key: id === null ? `sha256:${hash('sha256', body, 'hex')}` : `id:${id}`,
  }
}

function member(payload: unknown, name: string): string | null {
  if (typeof payload !== 'object' || payload === null || !Object.hasOwn(payload, name)) return null
  const value = (payload as Record<string, unknown>)[name] // it is an object that has the member
  return typeof value === 'string' && value !== '' ? value : null
}

/** @returns `null` for text that is too long, or that not every database can store */
function storable(text: string | null, maxLength: number): string | null {
  if (text === null || text.length > maxLength || !text.isWellFormed() || text.includes('\0')) return null
  return text
}
