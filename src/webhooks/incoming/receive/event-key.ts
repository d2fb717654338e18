/** Identifies the event of a message: its id, its type, and the key by which repeated messages are recognized. */
import { hash } from 'node:crypto'
import { maxEventIdLength, maxEventTypeLength } from '../receipt/schema.ts'
import { firstHeader, type Headers, readHeader } from '../signature/message.ts'
import { type SchemeName, schemeOf } from '../signature/scheme.ts'

export interface EventIdentity {
  /** The id that the provider gave the event. */
  id: string | null
  type: string | null
  /** Equal for messages of one event: made of the id, or of the body if there is no id. */
  key: string
}

export function identifyEvent(
  scheme: SchemeName,
  { headers, body, payload }: { headers: Headers; body: Uint8Array; payload: unknown },
): EventIdentity {
  const { idHeaders, idMember, typeHeader, typeMembers } = schemeOf(scheme)
  const idInBody = idMember === null ? null : textAt(payload, [idMember])
  const id = storable(firstHeader({ headers }, idHeaders) ?? idInBody, maxEventIdLength)
  const typeInHeader = typeHeader === null ? null : readHeader({ headers }, typeHeader)
  const typeInBody = typeMembers.map((path) => textAt(payload, path)).find((type) => type !== null)
  return {
    id,
    type: storable(typeInHeader ?? typeInBody ?? null, maxEventTypeLength),
    key: id === null ? `sha256:${hash('sha256', body, 'hex')}` : `id:${id}`,
  }
}

/** @param path names of members, from the outermost */
function textAt(payload: unknown, path: readonly string[]): string | null {
  let value = payload
  for (const name of path) {
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, name)) return null
    value = (value as Record<string, unknown>)[name] // it is an object that has the member
  }
  return typeof value === 'string' && value !== '' ? value : null
}

/** @returns `null` for text that is too long, or that not every database can store */
function storable(text: string | null, maxLength: number): string | null {
  if (text === null || text.length > maxLength || !text.isWellFormed() || text.includes('\0')) return null
  return text
}
