/** The id and the type of the event in a message, as far as its scheme has them. */
import { hash } from 'node:crypto'
import { type Headers, readHeader } from '../signature/message.ts'
import { type SchemeName, schemeOf } from '../signature/scheme.ts'

export interface EventName {
  /** The provider's own id of the event. */
  id: string | null
  type: string | null
  /** Equal for the same event: made of the id, or of the body where there is none. */
  key: string
}

const maxIdLength = 255
const maxTypeLength = 200

export function nameEvent(
  scheme: SchemeName,
  { headers, body, payload }: { headers: Headers; body: Uint8Array; payload: unknown },
): EventName {
  const { idHeader, idMember, typeHeader } = schemeOf(scheme)
  const fromHeader = idHeader === null ? null : readHeader({ headers }, idHeader)
  const id = storable(fromHeader ?? (idMember === null ? null : member(payload, idMember)), maxIdLength)
  const type = member(payload, 'type') ?? member(payload, 'event')
  const ofHeader = typeHeader === null ? null : readHeader({ headers }, typeHeader)
  return {
    id,
    type: storable(type ?? ofHeader, maxTypeLength),
    key: id === null ? `sha256:${hash('sha256', body, 'hex')}` : `id:${id}`,
  }
}

function member(payload: unknown, name: string): string | null {
  if (typeof payload !== 'object' || payload === null || !Object.hasOwn(payload, name)) return null
  const value = (payload as Record<string, unknown>)[name] // it has the member
  return typeof value === 'string' && value !== '' ? value : null
}

/** Neither database keeps null characters and lone surrogates. */
function storable(text: string | null, longest: number): string | null {
  if (text === null || text.length > longest || !text.isWellFormed() || text.includes('\0')) return null
  return text
}
