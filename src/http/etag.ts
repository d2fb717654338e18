/** Entity tags and the conditions that clients put on them (RFC 9110, section 13). */
import { createHash, hash } from 'node:crypto'
import { ServiceError } from '../errors.ts'
import type { Precondition } from '../precondition.ts'

/** The tag of a row: its version, which every change moves. */
export function versionTag(version: number): string {
  return `"v${version}"`
}

/** @param content whole, or in pieces */
export function contentTag(content: string | readonly (string | Uint8Array)[]): string {
  if (typeof content === 'string') return `"${hash('sha1', content, 'base64url')}"`
  const digest = createHash('sha1')
  for (const piece of content) digest.update(piece)
  return `"${digest.digest('base64url')}"`
}

/** If-None-Match: the client has this representation already. Compared weakly, as the RFC asks for. */
export function isUnchanged(ifNoneMatch: string | undefined, tag: string): boolean {
  if (ifNoneMatch === undefined) return false
  return listed(ifNoneMatch, tag, (candidate) => candidate.replace(/^W\//, ''))
}

/** If-Match, compared strongly. The condition throws ServiceError `preconditionFailed`. */
export function ifMatch(header: string | string[] | undefined): Precondition {
  if (header === undefined) return null
  const condition = String(header)
  return (version) => {
    if (!listed(condition, versionTag(version), (candidate) => candidate)) {
      throw new ServiceError('preconditionFailed')
    }
  }
}

function listed(header: string, tag: string, normalize: (candidate: string) => string): boolean {
  return header.trim() === '*' || header.split(',').some((candidate) => normalize(candidate.trim()) === tag)
}
